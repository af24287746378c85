/* Single executions under schedules and inputs drawn at random: a violation that many executions have is
 * found in a moment, however large the program is.
 *
 * Promises that violations are confirmed like everybody's, and that the same program gives the same sequence
 * of executions. Never proves anything: the outcome is incomplete and has a doubt. */
#ifndef HEDDLE_SAMPLING_SAMPLING_H
#define HEDDLE_SAMPLING_SAMPLING_H

#include "explore/explorer.h"

extern const explorer explorer_sampling;

/* Goes on until a limit of the options strikes, or until the first execution shows that there is nothing to
 * choose. Preemptive programs only. */
void sampling_run(machine *m, const explore_options *options, outcome *out);

#endif
