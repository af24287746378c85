/* The analyses of one program: each is worked out when it is first asked for, once, and kept.
 *
 * Whoever needs to know something of a program asks here, so that an analysis runs once however many
 * explorers, reductions and turns want it. What an answer depends on besides the program is an argument, and
 * each value of it has an answer of its own.
 *
 * Nothing here looks at an execution. The program must stay as it is: a transformation that has to know where
 * pointers point (transform/reach.h) computes that for itself, before it changes anything. */
#ifndef HEDDLE_ANALYSIS_ANALYSES_H
#define HEDDLE_ANALYSIS_ANALYSES_H

#include "analysis/distance.h"
#include "analysis/flow.h"
#include "analysis/future.h"
#include "analysis/loops.h"
#include "analysis/points_to.h"
#include "analysis/segment.h"

typedef struct analyses analyses;

analyses *analyses_create(const program *p); /* works nothing out */
void analyses_destroy(analyses *a);          /* with all answers */

flows *analyses_flows(analyses *a);
const bool *analyses_symbolic(analyses *a); /* symbolic.h: a flag for each static object */
const points_to *analyses_points_to(analyses *a);
loops *analyses_loops(analyses *a);
const distances *analyses_distances(analyses *a);
const futures *analyses_futures(analyses *a);                    /* preemptive */
const segments *analyses_segments(analyses *a, bool checks_cut); /* systemc */

#endif
