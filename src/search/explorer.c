#include "search/search.h"

enum {
    STATIC = CHOICE(POR_NONE) | CHOICE(POR_CT) | CHOICE(POR_STUB) | CHOICE(POR_STUB2) | CHOICE(POR_STUB_MIN) |
             CHOICE(POR_AMPLE),
    DYNAMIC = CHOICE(POR_DPOR) | CHOICE(POR_DPOR_HBR) | CHOICE(POR_DPOR_STUB),
    COOPERATIVE = (STATIC | DYNAMIC) & ~CHOICE(POR_AMPLE),
    BY_SOLVER = CHOICE(MATCH_SBC_EQ) | CHOICE(MATCH_SBC_CV) | CHOICE(MATCH_ESS),
    BY_SIGNATURE = CHOICE(MATCH_CEQ) | CHOICE(MATCH_PESM) | CHOICE(MATCH_ESM) | CHOICE(MATCH_ESM_HASH) |
                   CHOICE(MATCH_APPROXIMATE),
    MATCHING = BY_SIGNATURE | BY_SOLVER,
    QUEUED = CHOICE(ORDER_BFS) | CHOICE(ORDER_ASTAR)
};

static const explorer_option options[] = {{"visited", ON_ANY_KERNEL, NULL},
                                          {"visited-memory", ON_ANY_KERNEL, NULL},
                                          {"chain", ON_ANY_KERNEL, NULL},
                                          {"heap", ON_ANY_KERNEL, NULL},
                                          {"weight", ON_ANY_KERNEL, NULL},
                                          {"guide", ON_ANY_KERNEL, NULL},
                                          {"check-reduction", ON_ANY_KERNEL, NULL},
                                          {"dump-traces", ON_ANY_KERNEL, NULL},
                                          {"max-depth", ON_ANY_KERNEL, NULL},
                                          COUNTED_LIMITS(ON_ANY_KERNEL),
                                          {0}};

static const explorer_rule rules[] = {
    {.stops = CHOICE(STOPS_STATEMENTS),
     .reductions = CHOICE(POR_NONE),
     .because = "steps are not those that reductions know"},
    /* Which scheduling point a step began in that goes round for ever, a queue does not know. */
    {.orders = QUEUED,
     .stops = CHOICE(STOPS_LOOPS),
     .reductions = CHOICE(POR_NONE),
     .because = "a queue does not know where a step began"},
    {.orders = QUEUED,
     .reductions = STATIC,
     .because = "dynamic reductions backtrack along a stack, which a queue is not"},
    {.stops = CHOICE(STOPS_LOOPS),
     .reductions = STATIC,
     .because = "dynamic reductions backtrack along a stack whose every step is a whole one"},
    {.option = "chain",
     .reductions = STATIC,
     .because = "dynamic reductions backtrack along a stack whose every state is there"},
    {.option = "chain", .matchers = MATCHING, .because = "chains are cut where visited states are found"},
    {.option = "chain", .without = "dump-traces", .because = "classes of executions need every step"},
    {.behind_prefix = true, .without = "dump-traces", .because = "classes of executions need every step"},
    {.orders = QUEUED, .without = "dump-traces", .because = "it needs a stack"},
    {.orders = QUEUED, .without = "max-depth", .because = "it is that of a stack"},
    {.orders = QUEUED, .without = "visited-memory", .because = "it needs a stack"},
    {.option = "visited", .without = "visited-memory", .because = "a compact set forgets nothing"},
    {.option = "visited",
     .value = "compact-unconfirmed",
     .matchers = BY_SIGNATURE | CHOICE(MATCH_NONE),
     .because = "the others ask the solver, not signatures"},
    {.option = "weight", .only_orders = CHOICE(ORDER_ASTAR), .because = "only it is led by estimates"},
    {.option = "guide", .only_orders = CHOICE(ORDER_ASTAR), .because = "only it is led by estimates"},
    {0}};

const explorer explorer_search = {
    .name = "search",
    .summary = "states, each once, recognised when they come again",
    .run = search_run,
    .explores = EXPLORED_STATES,
    .kernels = ON_ANY_KERNEL,
    .reductions = {[RULES_SYSTEMC] = COOPERATIVE, [RULES_PREEMPTIVE] = CHOICE(POR_NONE) | CHOICE(POR_AMPLE)},
    .reduction = {[RULES_SYSTEMC] = POR_STUB_MIN, [RULES_PREEMPTIVE] = POR_AMPLE},
    .matchers = CHOICE(MATCH_NONE) | MATCHING,
    .matcher = MATCH_AUTO, /* which is one of its own */
    .orders = CHOICE(ORDER_DFS) | QUEUED,
    .stops = CHOICE(STOPS_VISIBLE) | CHOICE(STOPS_LOOPS) | CHOICE(STOPS_STATEMENTS),
    .memory_models = BOTH_MEMORY_MODELS,
    .options = options,
    .rules = rules,
    .proves = true,
    .lists_all = true,
    .keeps_bounds = true,
    .endless_executions = true,
    .takes_own_sets = true,
    .starts_at_prefix = true,
};
