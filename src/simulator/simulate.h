/* One schedule of a program, chosen at random by a seed; the inputs are whatever the branches taken require. */
#ifndef HEDDLE_SIMULATOR_SIMULATE_H
#define HEDDLE_SIMULATOR_SIMULATE_H

#include "explore/explore.h"

typedef struct simulation {
    path path;
    valuation *inputs; /* that make the path happen; NULL: the solver found none in time */
    text printed;      /* in the order of the simulator only: traces tell it otherwise */
} simulation;

typedef struct simulate_options {
    uint64_t seed, steps; /* at most so many */
    unsigned properties;  /* PROPERTY_… */
    unsigned unasked;     /* see check_is_asked_for */
    bool (*interrupted)(void *data);
    void *interrupted_data;
} simulate_options;

/* A violation is entered into `out`, confirmed; `out` becomes doubtful if the run hit a limit. */
void simulate_run(machine *m, const simulate_options *how, outcome *out, simulation *run);
void simulation_free(simulation *run);

#endif
