#include "lazypor/lazypor.h"

static const explorer_option options[] = {{"state-tracking", ON_PREEMPTIVE, NULL},
                                          {"dump-traces", ON_PREEMPTIVE, NULL},
                                          {"max-depth", ON_PREEMPTIVE, NULL},
                                          COUNTED_LIMITS(ON_PREEMPTIVE),
                                          {0}};

static const explorer_gap gaps[] = {{.properties = PROPERTY_RACE, .why.kind = REASON_LAZYPOR_NO_RACES}, {0}};

const explorer explorer_lazypor = {
    .name = "lazypor",
    .summary = "executions, each planned as a whole",
    .run = lazypor_run,
    .explores = EXPLORED_EXECUTIONS,
    .kernels = ON_PREEMPTIVE, /* with a reduction of its own, and no other */
    .matchers = CHOICE(MATCH_NONE),
    .matcher = MATCH_NONE,
    .orders = CHOICE(ORDER_DFS),
    .stops = CHOICE(STOPS_VISIBLE),
    .memory_models = BOTH_MEMORY_MODELS,
    .options = options,
    .proves = true,
    .lists_all = true,
    .keeps_bounds = true,
    .gaps = gaps,
};
