#include "dpor/explorer.h"
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
    ENGINE_OF_EXECUTIONS, /* with a reduction of its own, and no other */
    .options = options,
    .gaps = gaps,
};
