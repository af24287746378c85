#include "sampling/sampling.h"

const explorer explorer_sampling = {
    .name = "sampling",
    .summary = "single executions under drawn schedules",
    .run = sampling_run,
    .explores = EXPLORED_EXECUTIONS,
    .kernels = ON_PREEMPTIVE,
    .reductions = {[RULES_PREEMPTIVE] = CHOICE(POR_NONE)},
    .reduction = {[RULES_PREEMPTIVE] = POR_NONE},
    .matchers = CHOICE(MATCH_NONE),
    .matcher = MATCH_NONE,
    .orders = CHOICE(ORDER_DFS),
    .stops = CHOICE(STOPS_VISIBLE) | CHOICE(STOPS_LOOPS),
    .memory_models = BOTH_MEMORY_MODELS,
    .keeps_bounds = true,
};
