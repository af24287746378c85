/* Footprints: the accesses of a step in a pool, with a filter that answers most conflict questions at once.
 *
 * The dependence relation is that of effect.h, restricted to memory and to the end of threads; nothing else
 * orders steps of preemptive programs. */
#ifndef HEDDLE_DPOR_FOOTPRINT_H
#define HEDDLE_DPOR_FOOTPRINT_H

#include "program/effect.h"

typedef VEC(access) accesses;

typedef struct footprint {
    uint32_t begin, end;    /* in the pool */
    uint64_t reads, writes; /* filter: bits of what is read or joined, and of what is changed or ends */
    uint64_t only_cell;     /* if it reads or writes just one: its name and first byte; else 0 */
    bool writes_cells;
    bool everything; /* conflicts with every step (the program ends here and now) */
} footprint;

/* The filter alone, for looking through many. */
typedef struct footprint_filter {
    uint64_t reads, writes;
} footprint_filter;

static inline footprint_filter footprint_filter_of(const footprint *f) {
    if (f->everything) return (footprint_filter){UINT64_MAX, UINT64_MAX};
    /* What conflicts with everything conflicts with nothing touched, too. */
    uint64_t always = UINT64_C(1) << 63;
    return (footprint_filter){f->reads | always, f->writes};
}

/* False: they certainly do not conflict. */
static inline bool footprint_filters_meet(footprint_filter a, footprint_filter b) {
    return (a.writes & (b.reads | b.writes)) | (a.reads & b.writes);
}

/* Appends the accesses that matter for order, in theirs. */
footprint footprint_add(accesses *pool, const access *list, size_t count);

/* The union of two adjacent ones, a before b. */
footprint footprint_join(footprint a, footprint b);

bool footprint_conflict_exactly(const access *a, size_t a_count, const access *b, size_t b_count);

/* False: they certainly do not conflict. */
static inline bool footprint_may_conflict(const footprint *a, const footprint *b) {
    uint64_t common = (a->writes & (b->reads | b->writes)) | (a->reads & b->writes);
    return common || a->everything || b->everything;
}

/* The pools may be different. */
static inline bool footprint_conflict(const access *pool, const footprint *a, const access *other_pool,
                                      const footprint *b) {
    if (!footprint_may_conflict(a, b)) return false;
    if (a->everything || b->everything) return true;
    bool same_cell = a->only_cell && a->only_cell == b->only_cell;
    if (same_cell && (a->writes_cells || b->writes_cells)) return true;
    return footprint_conflict_exactly(pool + a->begin, a->end - a->begin, other_pool + b->begin,
                                      b->end - b->begin);
}

#endif
