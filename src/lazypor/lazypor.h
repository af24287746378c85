/* LazyPOR, after Metzler's thesis: plans executions from trace constraint systems instead of choosing single
 * steps. docs/lazypor.md says what the document leaves open and how it is closed here.
 *
 * Promises to explore every trace of a preemptive program, and to end if all its executions do, also with
 * branchings on shared data; longer executions than options->max_depth make a doubt. Never looks for data
 * races (a doubt if they are asked about), never stores states except for
 * options->state_tracking (a doubt). */
#ifndef HEDDLE_LAZYPOR_LAZYPOR_H
#define HEDDLE_LAZYPOR_LAZYPOR_H

#include "explore/explorer.h"

extern const explorer explorer_lazypor;

void lazypor_run(machine *m, const explore_options *options, outcome *out);

#endif
