/* Bounds: least and greatest values of terms, computed bottom-up from the ranges of their parts. A conjunct
 * that cannot be true within them is refuted without a solver. Never says that something is satisfiable. */
#ifndef HEDDLE_SOLVER_BOUNDS_H
#define HEDDLE_SOLVER_BOUNDS_H

#include "solver/query.h"
#include "solver/ranges.h"

typedef struct bounds { /* as unsigned and as signed numbers; the value lies within both */
    uint64_t low, high;
    int64_t least, greatest;
} bounds;

typedef struct bounds_table {
    marks known; /* term -> place in values */
    VEC(bounds) values;
    VEC(const term *) open;
} bounds_table;

void bounds_free(bounds_table *b);

/* A term for which no value is left, below the conditions or one of them; NULL if there is none. Its support
 * contains the symbols of all ranges that the refutation needed. */
const term *bounds_refute(bounds_table *b, const ranges *r, const term *const *conditions, size_t count);

#endif
