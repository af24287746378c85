/* When a run of an explorer is told to hurry: by the clock, or at its k-th look, which is the same
 * in every run. */
#ifndef HEDDLE_TESTS_ORACLE_DEADLINE_H
#define HEDDLE_TESTS_ORACLE_DEADLINE_H

#include "base/clock.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct deadline {
    double at;
    uint64_t last_look; /* every one behind it says so; 0: only the clock does */
    uint64_t looks;
} deadline;

static inline deadline deadline_open(double seconds, uint64_t last_look) {
    return (deadline){clock_wall() + seconds, last_look, 0};
}

static inline bool deadline_is_over(void *data) {
    deadline *d = data;
    return (d->last_look && ++d->looks > d->last_look) || clock_wall() > d->at;
}

/* What comes behind the run has its own time. */
static inline void deadline_prolong(deadline *d, double seconds) {
    d->at += seconds;
    d->last_look = 0;
}

#endif
