/* Which explorer runs, and what happens when it cannot finish.
 *
 * `auto` may try several. The verdict always comes from one of them alone: what an earlier one could not
 * finish is forgotten only when a later one explored everything, and an earlier one's counterexample ends the
 * matter. */
#ifndef HEDDLE_API_ENGINE_H
#define HEDDLE_API_ENGINE_H

#include "api/session.h"

typedef enum engine { /* so far as in the option table */
                      ENGINE_AUTO,
                      ENGINE_SEARCH,
                      ENGINE_DPOR,
                      ENGINE_LAZYPOR,
                      ENGINE_CEGAR,
                      ENGINE_ESST,
                      ENGINE_SAMPLING /* a turn of auto */
} engine;

/* NULL, or why engine, reduction and matcher as given do not go together for this program. */
const char *engine_misfit(const options *o, const program *p);

/* Runs what the options ask for. `how` has everything but the reduction that `auto` decides. */
void engine_run(session *s, const explore_options *how, outcome *out, attempts *given_up);

/* One explorer, whatever the options say. */
void engine_explore(machine *m, engine e, const explore_options *how, outcome *out);

#endif
