/* The limits of a run, looked at now and then; also keeps the clocks of its statistics and calls the
 * progress function. */
#ifndef HEDDLE_EXPLORE_LIMITS_H
#define HEDDLE_EXPLORE_LIMITS_H

#include "explore/explore.h"

typedef struct limits {
    machine *machine;
    const explore_options *options;
    outcome *out;
    double started, started_cpu;
    uint64_t next_look; /* at the clock, in transitions */
} limits;

limits limits_start(machine *m, const explore_options *options, outcome *out);

/* False: a limit was hit; the outcome has its doubt. Cheap: call it at every step. */
bool limits_allow(limits *l);

/* Nearly all of the memory that it may use is used. */
bool limits_memory_is_up(const explore_options *o);

/* Brings times, memory and queries of the statistics up to date. */
void limits_refresh(limits *l);

#endif
