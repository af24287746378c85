/* Stateless exploration of preemptive programs, one execution per Mazurkiewicz trace (or a few): dynamic
 * partial order reduction by persistent sets, source sets or wakeup trees (options->por), on snapshots: an
 * execution costs its changed suffix, nothing is executed again.
 *
 * Takes programs with inputs: a step that forks has several successors, and a trace carries the path
 * condition of its last state. Promises to end on programs whose executions all end; longer executions than
 * options->max_depth make a doubt. Never looks at visited states. */
#ifndef HEDDLE_DPOR_DPOR_H
#define HEDDLE_DPOR_DPOR_H

#include "explore/explorer.h"

extern const explorer explorer_dpor;

void dpor_run(machine *m, const explore_options *options, outcome *out);

#endif
