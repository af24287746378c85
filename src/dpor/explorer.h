/* What engines have in common that explore executions, each for itself. */
#ifndef HEDDLE_DPOR_EXPLORER_H
#define HEDDLE_DPOR_EXPLORER_H

#include "explore/explorer.h"

#define ENGINE_OF_EXECUTIONS                                                                                 \
    .explores = EXPLORED_EXECUTIONS, .kernels = ON_PREEMPTIVE, .matchers = CHOICE(MATCH_NONE),               \
    .matcher = MATCH_NONE, .orders = CHOICE(ORDER_DFS), .stops = CHOICE(STOPS_VISIBLE),                      \
    .memory_models = BOTH_MEMORY_MODELS, .proves = true, .lists_all = true, .keeps_bounds = true

#endif
