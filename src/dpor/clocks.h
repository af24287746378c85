/* Rows of clocks: for each thread, 1 + the position of its last event that comes before; 0: none does. Engines
 * that order the events of one execution keep one for each event. */
#ifndef HEDDLE_DPOR_CLOCKS_H
#define HEDDLE_DPOR_CLOCKS_H

#include "base/invariant.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Everything before the event of this row, and the event; NULL: nothing. */
static inline void clock_start(uint32_t *row, const uint32_t *from, uint32_t threads) {
    if (from)
        memcpy(row, from, threads * sizeof *row);
    else
        memset(row, 0, threads * sizeof *row);
}

static inline void clock_join(uint32_t *to, const uint32_t *from, uint32_t threads) {
    for (uint32_t t = 0; t < threads; t++)
        if (to[t] < from[t]) to[t] = from[t];
}

/* Whether some event is not in the row, where each thread has this last one (UINT32_MAX: none): else nothing
 * more can be found. */
static inline bool clock_is_open(const uint32_t *row, const uint32_t *last, size_t threads) {
    for (size_t t = 0; t < threads; t++)
        if (last[t] != UINT32_MAX && last[t] >= row[t]) return true;
    return false;
}

/* Rows one behind the other, for assertions. */
typedef struct clock_rows {
    const uint32_t *data;
    uint32_t width;   /* of a row */
    uint32_t threads; /* those that there are */
    uint32_t (*thread_of)(const void *execution, uint32_t position);
    const void *execution;
} clock_rows;

/* A row knows of its own event, of what came before, and of whatever comes before an event that it knows. */
static inline bool clock_is_right(const clock_rows *c, uint32_t position) {
    const uint32_t *row = c->data + (size_t)position * c->width;
    for (uint32_t t = 0; t < c->threads; t++) {
        if (row[t] > position + 1 || (row[t] && c->thread_of(c->execution, row[t] - 1) != t)) return false;
        if (!row[t] || row[t] == position + 1) continue;
        const uint32_t *below = c->data + (size_t)(row[t] - 1) * c->width;
        for (uint32_t k = 0; k < c->threads; k++)
            if (below[k] > row[k]) return false;
    }
    return row[c->thread_of(c->execution, position)] == position + 1;
}

#endif
