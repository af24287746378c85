/* One run of Heddle on a compiled C program, and what can be compared afterwards. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_TRIAL_H
#define HEDDLE_TESTS_ORACLE_THREADS_TRIAL_H

#include "explore/explore.h"
#include "reference.h"

/* Variants that are known to be wrong, to show that the oracle would notice. */
typedef enum mutant {
    MUTANT_NONE,
    MUTANT_FEW_SWITCHES,     /* a context bound that is not owned up to */
    MUTANT_FEW_ROUNDS,       /* a loop bound that is not owned up to */
    MUTANT_PRUNED,           /* lazypor's state tracking taken for sound */
    MUTANT_NO_PROVISO,       /* the ignoring problem of ample sets */
    MUTANT_NO_VALIDITY,      /* aware sets are kept although something they ignored matters now */
    MUTANT_ONE_WAY_BACK,     /* distances along one predecessor only are too large */
    MUTANT_PAST_CHOICES,     /* chains that go on where there is a choice */
    MUTANT_NO_PENDING,       /* what blocked threads wait for is not seen; from here on by sabotage.c */
    MUTANT_NO_CONFLICT,      /* reading and writing a cell are taken for independent */
    MUTANT_NO_FUTURE,        /* ample sets do not look at what other threads will do */
    MUTANT_EARLY_END,        /* the end of the program does not wait, and the reductions do not know */
    MUTANT_ASSUME_ENDS,      /* a failing assumption ends the execution of all threads at once */
    MUTANT_NEVER_DEADLOCKED, /* a standstill is never reported */
    MUTANT_NEVER_LIVELOCKED, /* nor is who goes round in a loop for ever, or is blocked beside others */
    MUTANT_UNSEEN_ROUNDS,    /* who sleeps in a loop stays asleep although others saw what its round did */
    MUTANT_WRONG_WAY,        /* what a difference has after it is taken for what was before */
    MUTANTS
} mutant;

const char *mutant_name(mutant m);

typedef enum {
    ENGINE_SEARCH,
    ENGINE_DPOR,
    ENGINE_LAZYPOR,
    ENGINE_CEGAR,
    ENGINE_ESST,
    ENGINE_AUTO,
    ENGINES
} engine_kind;

typedef struct configuration {
    engine_kind engine;
    por_kind por;
    match_kind match;
    search_order order;
    uint32_t weight; /* ORDER_ASTAR */
    guide_kind guide;
    abstraction_options abstraction; /* ENGINE_CEGAR, ENGINE_ESST */
    bool all, check_reduction;
    bool exit_anywhere;             /* the end of the program is not postponed */
    uint32_t context_bound, unwind; /* 0: none */
    unsigned properties;            /* PROPERTY_… */
    size_t visited_bytes;
    visited_kind visited;
    uint64_t chain;
    uint64_t max_transitions;
    double seconds;     /* a run that takes longer is given up ... */
    uint64_t last_look; /* ... as is one that looks at its limits more often; 0: it is not */
    unsigned jobs;      /* ENGINE_AUTO: processes at the same time; 0: explorers take turns in this one */
    mutant mutant;
    bool compare_finals; /* with those of the reference */
} configuration;

typedef struct subject { /* what is run */
    const program *compiled;
    const char *source;
    bool spurious_wakeups;
    const reference *expected;
} subject;

typedef struct trial {
    verdict verdict;
    bool conclusive;          /* explored completely and without doubt */
    bool lists_violations;    /* false: only the verdict is known */
    VEC(uint32_t) violations; /* as in the reference */
    bool deadlock, livelock, race, leak, unconfirmed;
    text doubts;        /* reasons, one per line */
    text final_problem; /* how the final states differ; empty: they do not */
    uint64_t reduction_errors;
    statistics stats;
} trial;

/* NULL after errors, which are added to `errors`. The program is to be destroyed. */
program *trial_compile(const char *source, bool spurious_wakeups, text *errors);

void trial_run(const subject *s, const configuration *how, trial *out);
void trial_free(trial *t);

void configuration_describe(const configuration *c, text *out); /* as options of the command line */

#endif
