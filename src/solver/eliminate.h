/* Elimination of existentially quantified symbols by solving equations for them.
 *
 * A conjunct that determines a symbol y (or some of its bits) by an expression without y is removed, and y is
 * replaced everywhere. Each step is an equivalence: for every value of the other symbols, some y satisfies
 * the conjuncts before the step exactly if some y satisfies those after it. */
#ifndef HEDDLE_SOLVER_ELIMINATE_H
#define HEDDLE_SOLVER_ELIMINATE_H

#include "base/map.h"
#include "term/term.h"

typedef struct elimination {
    terms *context;
    map bound; /* ids of the symbols that may be chosen freely */
    VEC(const term *) conjuncts;
    bool contradictory; /* a conjunct became false */
} elimination;

/* Splits conjunctions, drops what is true or known. */
void elimination_add(elimination *e, const term *condition);
void elimination_run(elimination *e);
void elimination_free(elimination *e);

static inline bool elimination_is_bound(const elimination *e, const term *symbol) {
    return map_get(&e->bound, symbol->id) != MAP_NONE;
}

#endif
