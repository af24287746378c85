/* Numbers of which the first by some order is taken next. The order must not change for those that are in the
 * heap. Inline, so that the comparison is. */
#ifndef HEDDLE_BASE_HEAP_H
#define HEDDLE_BASE_HEAP_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef VEC(uint32_t) number_heap;

/* A strict order: one of two different numbers comes first. */
typedef bool heap_order(const void *data, uint32_t a, uint32_t b);

static inline void heap_push(number_heap *h, uint32_t number, heap_order *comes_first, const void *data) {
    vec_push(h, number);
    uint32_t *heap = h->data;
    for (size_t i = h->size - 1; i && comes_first(data, number, heap[(i - 1) / 2]); i = (i - 1) / 2) {
        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = number;
    }
}

/* It must not be empty. */
static inline uint32_t heap_pop(number_heap *h, heap_order *comes_first, const void *data) {
    uint32_t *heap = h->data, first = heap[0], last = vec_pop(h);
    size_t n = h->size, i = 0;
    for (size_t child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && comes_first(data, heap[child + 1], heap[child])) child++;
        if (!comes_first(data, heap[child], last)) break;
        heap[i] = heap[child];
        i = child;
    }
    if (n) heap[i] = last;
    assert(!n || !comes_first(data, heap[0], first)); /* nobody left comes before it */
    return first;
}

#endif
