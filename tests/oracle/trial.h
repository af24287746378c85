/* One run of Heddle on the text of a tiny program, and what can be compared afterwards. */
#ifndef HEDDLE_TESTS_ORACLE_TRIAL_H
#define HEDDLE_TESTS_ORACLE_TRIAL_H

#include "explore/explore.h"
#include "reference.h"

/* Variants that are known to be wrong, to show that the oracle would notice. */
typedef enum mutant {
    MUTANT_NONE,
    MUTANT_NO_PROVISO,          /* the ignoring problem */
    MUTANT_NO_ENABLING,         /* no necessary enabling sets */
    MUTANT_NAIVE_DPOR,          /* stateful dynamic reduction without effects graph */
    MUTANT_NO_CYCLE_EXPANSION,  /* A-SDPOR on cycles */
    MUTANT_LAST_DELTA_CYCLE,    /* Alg 23 as printed */
    MUTANT_NO_EDGE_REPLACEMENT, /* effects lost at matched states */
    MUTANT_FORGET_TIME,         /* time abstraction where time matters */
    MUTANT_ONE_WAY_BACK,        /* distances along one predecessor only are too large */
    MUTANT_PAST_CHOICES,        /* chains that go on where there is a choice */
    MUTANTS
} mutant;

const char *mutant_name(mutant m);

typedef struct configuration {
    por_kind por;
    match_kind match;
    search_order order;
    uint32_t weight; /* ORDER_ASTAR */
    guide_kind guide;
    bool all, check_reduction;
    unsigned properties; /* PROPERTY_… */
    size_t visited_bytes;
    visited_kind visited;
    uint64_t chain;
    uint64_t max_transitions;
    double seconds;     /* a run that takes longer is given up ... */
    uint64_t last_look; /* ... as is one that looks at its limits more often; 0: it is not */
    unsigned stops;     /* stop_set */
    mutant mutant;
    bool own;                        /* engine search with the template of docs/own-reduction.md */
    bool cegar;                      /* engine cegar instead of search ... */
    bool esst;                       /* ... or rather esst ... */
    abstraction_options abstraction; /* ... with this */
    bool observe;                    /* collect observations: programs without inputs only */
    bool compare_finals;             /* with those of the reference */
} configuration;

typedef struct trial {
    char *refused; /* text of the errors if the program does not compile */
    verdict verdict;
    bool conclusive;          /* explored completely and without doubt */
    VEC(uint32_t) violations; /* as in reference_result */
    bool deadlock;
    /* Ascending, unique: one hash for each (thread, where, locals, values read). */
    VEC(uint64_t) observations;
    text doubts;        /* reasons, one per line */
    text final_problem; /* how the final states differ; empty: they do not */
    uint64_t reduction_errors;
    statistics stats;
} trial;

void trial_run(const char *source, const configuration *how, const reference_result *expected, trial *out);
void trial_free(trial *t);

void configuration_describe(const configuration *c, text *out);

#endif
