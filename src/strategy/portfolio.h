/* Explorers that run at the same time, each in a process of its own.
 *
 * They share nothing but the first sound answer: whoever says `safe` first, or `unsafe` with a counterexample
 * that this process can follow, has answered, and the others end. A process that dies has said nothing. */
#ifndef HEDDLE_STRATEGY_PORTFOLIO_H
#define HEDDLE_STRATEGY_PORTFOLIO_H

#include "strategy/strategy.h"

/* Runs member number `member` in a process of its own. */
typedef void (*portfolio_member)(void *data, const explore_options *how, unsigned member, outcome *out,
                                 attempts *given_up);

enum { PORTFOLIO_MOST = 8 };

/* True: `out` is the answer of one of them. False: nobody has one; `out` is what member 0 said, or that it
 * did not come to that. Attempts are appended, also those of members that were not finished, under
 * the names given. */
bool portfolio_run(const strategy *s, const explore_options *how, const char *const *names, unsigned members,
                   portfolio_member run, void *data, outcome *out, attempts *given_up);

#endif
