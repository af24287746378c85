/* What engines that abstract have in common. */
#ifndef HEDDLE_CEGAR_EXPLORER_H
#define HEDDLE_CEGAR_EXPLORER_H

#include "explore/explorer.h"

enum {
    ABSTRACT_REDUCTIONS = CHOICE(POR_NONE) | CHOICE(POR_PERSISTENT) | CHOICE(POR_SLEEP) |
                          CHOICE(POR_PERSISTENT_SLEEP) | CHOICE(POR_AWARE)
};

extern const explorer_option cegar_options[];
extern const explorer_gap cegar_gaps[];

#define ENGINE_THAT_ABSTRACTS                                                                                \
    .explores = EXPLORED_ABSTRACT_STATES, .kernels = ON_ANY_KERNEL,                                          \
    .reductions = {[RULES_SYSTEMC] = ABSTRACT_REDUCTIONS, [RULES_PREEMPTIVE] = ABSTRACT_REDUCTIONS},         \
    .reduction = {[RULES_SYSTEMC] = POR_PERSISTENT, [RULES_PREEMPTIVE] = POR_PERSISTENT},                    \
    .matchers = CHOICE(MATCH_NONE), .matcher = MATCH_NONE,                                                   \
    .orders = CHOICE(ORDER_DFS) | CHOICE(ORDER_BFS) | CHOICE(ORDER_ERROR_DISTANCE),                          \
    .stops = CHOICE(STOPS_LOOPS), .memory_models = BOTH_MEMORY_MODELS, .options = cegar_options,             \
    .proves = true, .gaps = cegar_gaps, .endless_executions = true, .endless_states = true

#endif
