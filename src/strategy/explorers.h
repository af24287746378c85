/* All explorers (explorers.def), and `auto`, which is none but is described like one: the strategy that takes
 * them in turns. */
#ifndef HEDDLE_STRATEGY_EXPLORERS_H
#define HEDDLE_STRATEGY_EXPLORERS_H

#include "explore/explorer.h"

#define EXPLORER(name)          extern const explorer explorer_##name;
#define EXPLORER_IN_TURNS(name) EXPLORER(name)
#include "strategy/explorers.def"
#undef EXPLORER
#undef EXPLORER_IN_TURNS

extern const explorer explorer_auto; /* to be run by auto_run: it needs more than a machine */

extern const char explorer_names[];       /* that a user may give, as in "auto|search|…" */
extern const explorer *const explorers[]; /* those that a user may ask for, auto first, NULL at the end */

const explorer *explorers_find(const char *name); /* NULL: none of them */

#endif
