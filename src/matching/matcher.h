/* Is a state covered by one that was already explored?
 *
 * `matcher_covers(s, old)` means: every trace that leads s to a violation leads old to one (s ≼ old), so s
 * need not be explored. The methods differ in precision and cost (docs/algorithms.md): identical parts (ceq,
 * pesm), equal up to a renaming of inputs (esm, esm-hash), equivalent or covered under some equality
 * assumption by the solver (sbc-eq, sbc-cv), exact subsumption (ess). `auto` climbs from cheap to strong.
 * These are sound: an answer the solver cannot give counts as "not covered". `approximate` is not: it takes
 * all unknown values for the same, and counts how often it said so.
 *
 * Names of dynamic objects and inputs are compared up to a bijection; running counts and, where sound,
 * absolute time are ignored. */
#ifndef HEDDLE_MATCHING_MATCHER_H
#define HEDDLE_MATCHING_MATCHER_H

#include "explore/explore.h"
#include "machine/machine.h"

typedef struct matcher matcher;

typedef struct match_options {
    match_kind kind;
    /* Absolute time is not compared: sound if the program never looks at it and has no limit. */
    bool ignore_time;
    size_t most_assumptions; /* equality assumptions tried per pair, default 50 */
} match_options;

typedef struct match_statistics {
    uint64_t attempts, matched;                                     /* pairs compared */
    uint64_t solver_attempts;                                       /* of these, left to the solver */
    uint64_t by_identity, by_renaming, by_solver, by_approximation; /* how they matched */
} match_statistics;

matcher *matcher_create(machine *m, const match_options *options);
void matcher_destroy(matcher *x);

/* States with different hashes never match. */
uint64_t matcher_hash(matcher *x, const state *s);

bool matcher_covers(matcher *x, const state *s, const state *old);

const match_statistics *matcher_stats(const matcher *x);

/* Whether time may be ignored for this program: no `@time`, and every `start` is without a limit. */
bool time_is_irrelevant(const program *p);

#endif
