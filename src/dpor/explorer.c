#include "dpor/explorer.h"

#include "dpor/dpor.h"

static const explorer_option options[] = {{"dump-traces", ON_PREEMPTIVE, NULL},
                                          {"max-depth", ON_PREEMPTIVE, NULL},
                                          COUNTED_LIMITS(ON_PREEMPTIVE),
                                          {0}};

const explorer explorer_dpor = {
    .name = "dpor",
    .summary = "executions, one for each class of equivalent ones",
    .run = dpor_run,
    ENGINE_OF_EXECUTIONS,
    .reductions = {[RULES_PREEMPTIVE] =
                       CHOICE(POR_NONE) | CHOICE(POR_PERSISTENT) | CHOICE(POR_SOURCE) | CHOICE(POR_OPTIMAL)},
    .reduction = {[RULES_PREEMPTIVE] = POR_OPTIMAL},
    .options = options,
};
