/* Which explorer has what is asked for; and if none does, why not, in words made from what explorers
 * say of themselves. */
#ifndef HEDDLE_STRATEGY_FIT_H
#define HEDDLE_STRATEGY_FIT_H

#include "strategy/explorers.h"

/* `asked` itself if it has all of it, or, for `auto`, the first one of the list that has. NULL: `why` says
 * what does not go together, and what there is instead. */
const explorer *fit_choose(const explorer *asked, const wish *w, text *why);

/* Whether some explorer names this option, with this value, as one that not every one has. */
bool fit_is_of_some(const char *option, const char *value);

#endif
