/* LazyPOR (fifth source document): plans whole executions from trace constraint systems instead of single
 * steps. See docs/algorithms.md for what the document leaves open and how it is closed here.
 *
 * Promises to end on programs whose executions all end, also with branchings on shared data; longer
 * executions than options->max_depth make a doubt. */
#ifndef HEDDLE_LAZYPOR_LAZYPOR_H
#define HEDDLE_LAZYPOR_LAZYPOR_H

#include "explore/explore.h"

void lazypor_run(machine *m, const explore_options *options, outcome *out);

#endif
