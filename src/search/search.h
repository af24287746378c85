/* Stateful and stateless search over scheduling and inputs: the refined non-recursive exploration (Alg 22)
 * of [1] in docs/algorithms.md with static, dynamic and combined partial order reduction
 * and state subsumption. */
#ifndef HEDDLE_SEARCH_SEARCH_H
#define HEDDLE_SEARCH_SEARCH_H

#include "explore/explorer.h"

extern const explorer explorer_search;

void search_run(machine *m, const explore_options *options, outcome *out);

#endif
