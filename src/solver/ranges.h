/* Ranges: conjuncts that say nothing but which values one term may have, as in x + 3 < 10, x != 7,
 * (x == 0 || x == 1). Intersecting them decides most questions about counters without a solver. */
#ifndef HEDDLE_SOLVER_RANGES_H
#define HEDDLE_SOLVER_RANGES_H

#include "base/map.h"
#include "solver/numbers.h"

typedef struct watched_term {
    /* Neither a sum with a number nor an extension nor a negation: those are looked through. */
    const term *base;
    number_set values;
} watched_term;

typedef struct ranges {
    VEC(watched_term) watched;
    map index;           /* term id -> place in watched */
    const term *emptied; /* after RANGES_EMPTY: the term without values */
} ranges;

typedef enum {
    RANGES_UNDECIDED,
    RANGES_EMPTY, /* some term has no value left: unsatisfiable */
    RANGES_POINTS /* all conditions are about single symbols, and each has a value: satisfiable */
} ranges_verdict;

void ranges_free(ranges *r);

/* The ranges of a conjunction; replaces what was there. */
ranges_verdict ranges_collect(ranges *r, const term *const *conditions, size_t count);

const watched_term *ranges_of(const ranges *r, const term *t); /* NULL: nothing is known */
/* Which term this condition is about; NULL: it says more than a range. */
const term *ranges_base(const term *condition);

#endif
