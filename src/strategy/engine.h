/* Which explorer runs, and what happens when it cannot finish.
 *
 * `auto` may try several. The verdict always comes from one of them alone: what an earlier one could not
 * finish is forgotten only when a later one explored everything, and an earlier one's counterexample ends the
 * matter. */
#ifndef HEDDLE_STRATEGY_ENGINE_H
#define HEDDLE_STRATEGY_ENGINE_H

#include "strategy/strategy.h"

typedef enum engine { /* so far as in the option table */
                      ENGINE_AUTO,
                      ENGINE_SEARCH,
                      ENGINE_DPOR,
                      ENGINE_LAZYPOR,
                      ENGINE_CEGAR,
                      ENGINE_ESST,
                      ENGINE_SAMPLING /* a turn of auto */
} engine;

/* Runs one, or several for ENGINE_AUTO. */
void engine_run(const strategy *s, engine e, const explore_options *how, outcome *out, attempts *given_up);

/* One explorer alone, in this process. */
void engine_explore(machine *m, engine e, const explore_options *how, outcome *out);

#endif
