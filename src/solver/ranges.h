/* Ranges: conjuncts that say nothing but which values one term may have, as in x + 3 < 10, x != 7, (x == 0 ||
 * x == 1). Intersecting them decides most questions about counters without a solver. */
#ifndef HEDDLE_SOLVER_RANGES_H
#define HEDDLE_SOLVER_RANGES_H

#include "solver/query.h"

typedef enum {
    RANGES_UNDECIDED,
    RANGES_EMPTY, /* some term has no value left: unsatisfiable */
    RANGES_POINT  /* all conjuncts are about one symbol, and a value for it is known: satisfiable */
} ranges_verdict;

typedef struct ranges_result {
    const term *about; /* the term without values, or the symbol */
    uint64_t value;    /* RANGES_POINT */
} ranges_result;

ranges_verdict ranges_check(const term *const *conditions, size_t count, ranges_result *result);

/* Does this condition restrict the values of that term and nothing else? (The core of an empty range.) */
bool ranges_is_about(const term *condition, const term *about);

#endif
