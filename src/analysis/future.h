/* What a thread of a preemptive program may still touch: a static over-approximation from where it stands,
 * for persistent sets. Based on a points-to analysis of the whole program (points_to.h); objects are told
 * apart by the place that makes them, cells within an object are not.
 *
 * Promises: if the thread can ever access an object made at a place (itself, through functions it calls, also
 * through pointers, or through threads it may create, transitively), the answer is true. */
#ifndef HEDDLE_ANALYSIS_FUTURE_H
#define HEDDLE_ANALYSIS_FUTURE_H

#include "analysis/points_to.h"
#include "analysis/segment.h" /* call_site */
#include "program/program.h"

/* Places that make objects: instructions and local variables. Static objects go by their index. */
#define NO_PLACE UINT64_MAX
static inline uint64_t place_of_alloc(uint32_t function, uint32_t block, uint32_t index) {
    return (uint64_t)function << 44 | (uint64_t)block << 22 | index;
}
static inline uint64_t place_of_local(uint32_t function, uint32_t local) {
    return (uint64_t)function << 44 | UINT64_C(0x3fffff) << 22 | local;
}

typedef struct futures futures;

futures *futures_compute(const program *p, const points_to *pointers); /* which must stay */
void futures_destroy(futures *f);

/* May a thread with this stack (outermost call first; each entry the NEXT instruction of its frame) ever read
 * or write (only_writes: write, update, free) the object? `object` is a static object, or NO_INDEX for one
 * made at `place`. */
bool futures_may_access(const futures *f, const call_site *stack, size_t depth, uint32_t object,
                        uint64_t place, bool only_writes);

/* May it ever join or detach some thread, or end the program? */
bool futures_may_join(const futures *f, const call_site *stack, size_t depth);

#endif
