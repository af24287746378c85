/* What a run that was stopped says: the limit, which the user can change, in place of all that it broke off. */
#ifndef HEDDLE_STRATEGY_BLAME_H
#define HEDDLE_STRATEGY_BLAME_H

#include "explore/explore.h"
#include "strategy/control.h"

/* Nothing changes if nothing was broken off. */
void blame_limits(const run_control *by, const program *p, outcome *o);

#endif
