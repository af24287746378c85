/* One run of Heddle on the text of a tiny program, and what can be compared afterwards. */
#ifndef HEDDLE_TESTS_ORACLE_TRIAL_H
#define HEDDLE_TESTS_ORACLE_TRIAL_H

#include "explore/explore.h"
#include "reference.h"

typedef struct configuration {
    por_kind por;
    match_kind match;
    search_order order;
    bool all, check_reduction;
    unsigned properties; /* PROPERTY_… */
    size_t visited_bytes;
    uint64_t max_transitions;
    bool observe;        /* collect observations: programs without inputs only */
    bool compare_finals; /* with those of the reference */
} configuration;

typedef struct trial {
    char *refused; /* text of the errors if the program does not compile */
    verdict verdict;
    bool conclusive; /* explored completely and without doubt */
    VEC(uint32_t) violations; /* as in reference_result */
    bool deadlock;
    VEC(uint64_t) observations; /* ascending, unique: one hash for each (thread, where, locals, values read) */
    text doubts;         /* reasons, one per line */
    text final_problem;  /* how the final states differ; empty: they do not */
    uint64_t reduction_errors;
    statistics stats;
} trial;

void trial_run(const char *source, const configuration *how, const reference_result *expected, trial *out);
void trial_free(trial *t);

void configuration_describe(const configuration *c, text *out);

#endif
