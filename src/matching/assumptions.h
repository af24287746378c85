/* Equality assumptions: which input of one state may stand for which input of the other (appendix A.1 of
 * [1] in docs/algorithms.md, second algorithm).
 *
 * Given the sets of symbols of every pair of values (and of the two path conditions), constraints (A, B) "any
 * of A may be mapped to any of B" are separated by type and against each other until they are disjoint; every
 * choice of injective maps is then one candidate. A candidate is only a guess: the solver decides. */
#ifndef HEDDLE_MATCHING_ASSUMPTIONS_H
#define HEDDLE_MATCHING_ASSUMPTIONS_H

#include "base/vec.h"
#include "term/term.h"

typedef struct equality {
    const term *left, *right;
} equality;

typedef VEC(equality) equalities;

typedef enum { ACCEPT_ALL, ACCEPT_ALMOST_REGULAR /* sizes differ by 1 at most */, ACCEPT_REGULAR } acceptance;

typedef struct assumptions assumptions;

/* separate_by_origin: also tell symbols apart by the place in the source they come from. */
assumptions *assumptions_create(const terms *c, bool separate_by_origin, acceptance accept);
void assumptions_destroy(assumptions *a);
void assumptions_reset(assumptions *a);

/* Adds the constraint of one pair of values. False: rejected by `accept`, there are no candidates at all. */
bool assumptions_add(assumptions *a, const term_support *left, const term_support *right);
bool assumptions_add_sets(assumptions *a, const term *const *left, size_t left_count,
                          const term *const *right, size_t right_count);

/* Enumerates the candidates: call until false. The first call after the last add starts over. Pairs (x, x)
 * are left out. */
bool assumptions_next(assumptions *a, equalities *out);

/* How many candidates there are in all (saturating). */
uint64_t assumptions_count(const assumptions *a);

#endif
