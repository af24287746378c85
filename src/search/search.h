/* Stateful and stateless search over scheduling and inputs: the refined non-recursive exploration of the
 * first source document (Alg 22) with static, dynamic and combined partial order reduction and state
 * subsumption. See docs/algorithms.md. */
#ifndef HEDDLE_SEARCH_SEARCH_H
#define HEDDLE_SEARCH_SEARCH_H

#include "explore/explorer.h"

extern const explorer explorer_search;

void search_run(machine *m, const explore_options *options, outcome *out);

#endif
