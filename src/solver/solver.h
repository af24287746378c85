/* Satisfiability of path conditions.
 *
 * One solver serves one context of terms and keeps its encoding between queries. A query is a conjunction of
 * terms of width 1. Layers, each switchable for ablation, from cheap to dear:
 *   1. constants, complementary conjuncts, ranges of single terms and the bounds that follow from them;
 *   2. slicing: only the conjuncts connected by shared symbols to the ones in question are looked at;
 *   3. recent models: evaluate the query under them;
 *   4. exact cache of sets of conjuncts;
 *   5. bit-blasting onto CaDiCaL, incrementally, conjuncts as assumptions;
 *   6. Z3 in a child process that can be killed, when CaDiCaL exceeds its share of the budget.
 * SOLVER_UNKNOWN means the budget was used up or the run was interrupted. It is never a guess: a caller must
 * treat it as "not proved" in whichever direction is safe. */
#ifndef HEDDLE_SOLVER_SOLVER_H
#define HEDDLE_SOLVER_SOLVER_H

#include "term/term.h"

typedef enum { SOLVER_UNSAT, SOLVER_SAT, SOLVER_UNKNOWN } solver_answer;

typedef struct solver_options {
    bool slicing, model_reuse, cache, incremental, z3; /* layers; all on by default */
    bool cross_check;                /* ask Z3 about every answer too and count disagreements (tests) */
    double query_seconds;            /* budget of one query, wall clock; 0 = none */
    uint64_t query_conflicts;        /* deterministic budget for CaDiCaL; 0 = none */
    bool (*interrupted)(void *data); /* polled during long queries; may be NULL */
    void *interrupted_data;
} solver_options;

typedef struct solver_statistics {
    uint64_t queries; /* calls of solver_check and of the checks inside solver_subsumed */
    uint64_t trivial, by_model, by_cache, by_sat, by_z3, unknown; /* which layer answered */
    uint64_t exists_forall, instantiations;
    uint64_t disagreements; /* with cross_check: must stay 0 */
    double seconds;
} solver_statistics;

typedef struct solver solver;

solver_options solver_default_options(void);
solver *solver_create(terms *c, const solver_options *options);
void solver_destroy(solver *s);
const solver_statistics *solver_stats(const solver *s);

/* Is the conjunction satisfiable? */
solver_answer solver_check(solver *s, const term *const *conditions, size_t count);

/* Is (path ∧ extra) satisfiable, given that `path` alone is known to be satisfiable? Allows slicing: only the
 * part of `path` connected with `extra` matters. Use it for branches and assertions. */
solver_answer solver_check_extension(solver *s, const term *const *path, size_t count, const term *extra);

/* After SOLVER_SAT of solver_check: a model of the whole conjunction; symbols outside it are 0. Valid until
 * the next call. */
const valuation *solver_model(solver *s);

/* After SOLVER_UNSAT of solver_check: indices into `conditions` of an unsatisfiable subset, ascending; not
 * necessarily minimal. With `minimise` the subset is shrunk by deletion. Valid until the next call. */
typedef VEC(size_t) solver_core;
const solver_core *solver_unsat_core(solver *s, bool minimise);

/* Exists-forall: is every solution x of `path1` matched by some y with path2(y) and left[i](x) = right[i](y)
 * for all i? The symbols of path1/left and of path2/right must be disjoint (use term_primed). SOLVER_UNSAT =
 * yes, proved (no x without a y exists); SOLVER_SAT = no, a counterexample x exists; SOLVER_UNKNOWN = could
 * not tell. */
solver_answer solver_subsumed(solver *s, const term *const *path1, size_t count1, const term *const *path2,
                              size_t count2, const term *const *left, const term *const *right, size_t pairs);

/* From now on hard queries are given up soon, after a number of conflicts and without asking Z3: for
 * questions whose answer is not worth much time. Returns what was before. */
bool solver_set_quick(solver *s, bool on);

/* Also when interrupted, queries are answered that take no longer than a second: for what was found when time
 * ran out. Returns what was before. */
bool solver_set_unhurried(solver *s, bool on);

/* Called with every query that reaches a backend, as SMT-LIB text (`heddle dump --smtlib`). NULL
 * switches it off. */
void solver_set_log(solver *s, void (*log)(void *data, const char *smtlib, solver_answer answer), void *data);

#endif
