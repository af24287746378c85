/* Which explorer runs, and what happens when it cannot finish.
 *
 * `auto` may try several. The verdict always comes from one of them alone: what an earlier one could not
 * finish is forgotten only when a later one explored everything, and an earlier one's counterexample
 * ends the matter. */
#ifndef HEDDLE_STRATEGY_ENGINE_H
#define HEDDLE_STRATEGY_ENGINE_H

#include "strategy/explorers.h"
#include "strategy/strategy.h"

/* Runs one, or several for explorer_auto. */
void engine_run(const strategy *s, const explorer *e, const explore_options *how, outcome *out,
                attempts *given_up);

/* One explorer alone, in this process. */
void engine_explore(machine *m, const explorer *e, const explore_options *how, outcome *out);

#endif
