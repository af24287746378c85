/* Engine `auto`: which explorers are tried, in which order, and which at the same time.
 *
 * Short turns of several explorers come first, in this process: most programs are decided there. What is left
 * is given to a portfolio of processes, one for each core as far as there are plans, or, on one core, to
 * longer turns. With --deterministic everything happens in this process, and turns count transitions. */
#ifndef HEDDLE_STRATEGY_AUTO_H
#define HEDDLE_STRATEGY_AUTO_H

#include "strategy/strategy.h"

void auto_run(const strategy *s, const explore_options *how, outcome *out, attempts *given_up);

#endif
