/* Typed growable arrays.
 *
 *     VEC(int) numbers = {0};
 *     vec_push(&numbers, 7);
 *     for (size_t i = 0; i < numbers.size; i++) use(numbers.data[i]);
 *     vec_free(&numbers);
 *
 * A zeroed struct is an empty vector. Named vector types are made with `typedef VEC(T) name;`. */
#ifndef HEDDLE_BASE_VEC_H
#define HEDDLE_BASE_VEC_H

#include "base/invariant.h"
#include "base/memory.h"

#include <stddef.h>
#include <string.h>

#define VEC(...)                                                                                             \
    struct {                                                                                                 \
        __VA_ARGS__ *data;                                                                                   \
        size_t size, capacity;                                                                               \
    }

#define vec_reserve(v, n)                                                                                    \
    do {                                                                                                     \
        size_t wanted_ = (n);                                                                                \
        if ((v)->capacity < wanted_) {                                                                       \
            size_t doubled_ = (v)->capacity ? 2 * (v)->capacity : 8;                                         \
            (v)->capacity = doubled_ < wanted_ ? wanted_ : doubled_;                                         \
            (v)->data = mem_grow((v)->data, (v)->capacity * sizeof *(v)->data);                              \
        }                                                                                                    \
    } while (0)

#define vec_push(v, element)                                                                                 \
    do {                                                                                                     \
        assert((v)->size <= (v)->capacity);                                                                  \
        vec_reserve(v, (v)->size + 1);                                                                       \
        (v)->data[(v)->size++] = (element);                                                                  \
    } while (0)

#define vec_pop(v)   ((v)->data[(assert((v)->size), --(v)->size)])
#define vec_last(v)  ((v)->data[(assert((v)->size), (v)->size - 1)])
#define vec_clear(v) ((void)((v)->size = 0))

#define vec_free(v)                                                                                          \
    do {                                                                                                     \
        mem_free((v)->data);                                                                                 \
        (v)->data = NULL;                                                                                    \
        (v)->size = (v)->capacity = 0;                                                                       \
    } while (0)

/* Removes element i and keeps the order of the rest. */
#define vec_remove(v, i)                                                                                     \
    do {                                                                                                     \
        size_t at_ = (i);                                                                                    \
        assert(at_ < (v)->size);                                                                             \
        memmove((v)->data + at_, (v)->data + at_ + 1, ((v)->size - at_ - 1) * sizeof *(v)->data);            \
        (v)->size--;                                                                                         \
    } while (0)

#endif
