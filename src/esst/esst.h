/* Explicit scheduler, symbolic threads (ESST): lazy abstraction in which every thread has a region of its
 * own.
 *
 * The scheduler and where threads stand are explicit. Of the data each thread's region knows predicates on
 * its own variables (and on global ones), the global region predicates on what is common. A step of a thread
 * gives the post image of its own region and of the global one; the regions of the others keep what the step
 * cannot have changed. Nodes form one tree for each running thread; where nobody runs the scheduler connects
 * trees.
 *
 * Graph, examination of paths, refinement and reductions are those of cegar; only predicates
 * live elsewhere. docs/esst.md */
#ifndef HEDDLE_ESST_ESST_H
#define HEDDLE_ESST_ESST_H

#include "explore/explorer.h"

extern const explorer explorer_esst;

void esst_run(machine *m, const explore_options *options, outcome *out);

#endif
