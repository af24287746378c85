#include "cli/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LIST = 256 };

typedef struct table {
    heddle *h;
    bool json, first;
    bool safe_seen, unsafe_seen;
    bool choosy; /* the user named the configurations: each of them must fit the program */
    size_t rows;
    char *complaint; /* about the last configuration that does not fit; NULL: none */
    bool (*stopped)(void);
} table;

static void remember_complaint(table *t, const char *complaint) {
    free(t->complaint);
    t->complaint = strdup(complaint);
}

/* All values of a choice but `auto`, as a comma-separated list. */
static void list_all(const char *option, char list[LONGEST_LIST]) {
    const heddle_option *o = heddle_options();
    while (strcmp(o->name, option)) o++;
    snprintf(list, LONGEST_LIST, "%s", strchr(o->values, '|') + 1);
    for (char *c = list; *c; c++)
        if (*c == '|') *c = ',';
}

static void print_row(table *t, const char *por, const char *match, const heddle_result *r) {
    const char *verdict = heddle_verdict_name(heddle_result_verdict(r));
    double transitions = heddle_result_statistic(r, "transitions"),
           states = heddle_result_statistic(r, "states");
    double queries = heddle_result_statistic(r, "solver_queries"),
           seconds = heddle_result_statistic(r, "seconds");
    if (t->json) {
        printf("%s\n  {\"por\": \"%s\", \"match\": \"%s\", \"verdict\": \"%s\", \"transitions\": %.0f, "
               "\"states\": %.0f, "
               "\"solver_queries\": %.0f, \"seconds\": %.6f}",
               t->first ? "" : ",", por, match, verdict, transitions, states, queries, seconds);
    } else {
        if (t->first)
            printf("%-16s %-9s %-8s %12s %10s %10s %9s\n", "por", "match", "verdict", "transitions", "states",
                   "queries", "seconds");
        printf("%-16s %-9s %-8s %12.0f %10.0f %10.0f %9.3f", por, match, verdict, transitions, states,
               queries, seconds);
        printf("%s%s\n", *heddle_result_reason(r) ? "  " : "", heddle_result_reason(r));
    }
    t->first = false;
    fflush(stdout);
}

/* One configuration; anything but a verdict ends the comparison and is returned through *end. */
static bool run_one(table *t, const char *por, const char *match, heddle_verdict *end) {
    const char *error = heddle_set(t->h, "por", por);
    if (!error) error = heddle_set(t->h, "match", match);
    if (error) {
        fprintf(stderr, "heddle: %s\n", error);
        *end = HEDDLE_BAD_INPUT;
        return false;
    }
    heddle_result *r = heddle_check(t->h);
    heddle_verdict v = heddle_result_verdict(r);
    bool skipped = v == HEDDLE_BAD_INPUT && !t->choosy;
    bool usable = v != HEDDLE_BAD_INPUT && v != HEDDLE_INTERNAL_ERROR;
    if (skipped)
        remember_complaint(t, heddle_result_diagnostics(r));
    else
        fputs(heddle_result_diagnostics(r), stderr);
    if (usable) print_row(t, por, match, r);
    t->rows += usable;
    t->safe_seen |= v == HEDDLE_SAFE;
    t->unsafe_seen |= v == HEDDLE_UNSAFE;
    *end = v;
    heddle_result_destroy(r);
    return (usable || skipped) && !t->stopped();
}

/* Whether every name of a list is a value of the option; complains otherwise. */
static bool names_are_known(heddle *h, const char *option, const char *list) {
    char copy[LONGEST_LIST], *rest;
    snprintf(copy, sizeof copy, "%s", list);
    bool some = false;
    for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        const char *error = heddle_set(h, option, name);
        if (error) fprintf(stderr, "heddle: %s\n", error);
        if (error) return false;
        some = true;
    }
    if (!some) fprintf(stderr, "heddle: option '--%s' names nothing\n", option);
    return some;
}

static heddle_verdict run_all(table *t, char *pors, const char *matches) {
    heddle_verdict end = HEDDLE_UNKNOWN;
    char *rest_of_pors;
    for (char *por = strtok_r(pors, ",", &rest_of_pors); por; por = strtok_r(NULL, ",", &rest_of_pors)) {
        char copy[LONGEST_LIST], *rest_of_matches;
        snprintf(copy, sizeof copy, "%s", matches);
        for (char *match = strtok_r(copy, ",", &rest_of_matches); match;
             match = strtok_r(NULL, ",", &rest_of_matches))
            if (!run_one(t, por, match, &end)) return end;
    }
    return HEDDLE_UNKNOWN;
}

heddle_verdict compare_run(heddle *h, const char *por_list, const char *match_list, bool (*stopped)(void)) {
    char pors[LONGEST_LIST], matches[LONGEST_LIST];
    list_all("por", pors);
    list_all("match", matches);
    if (por_list) snprintf(pors, sizeof pors, "%s", por_list);
    if (match_list) snprintf(matches, sizeof matches, "%s", match_list);
    if (!names_are_known(h, "por", pors) || !names_are_known(h, "match", matches)) return HEDDLE_BAD_INPUT;
    bool clockless = !strcmp(heddle_get(h, "deterministic"), "on");
    if (!*heddle_get(h, "time") && !clockless) heddle_set(h, "time", "10s");

    table t = {.h = h, .json = !strcmp(heddle_get(h, "json"), "on"), .first = true, .stopped = stopped};
    t.choosy = por_list && match_list;
    if (t.json) printf("{\"version\": \"%s\", \"rows\": [", heddle_version());
    heddle_verdict end = run_all(&t, pors, matches);
    if (t.json) printf("\n]}\n");
    if (!t.rows && t.complaint) {
        fputs(t.complaint, stderr);
        end = HEDDLE_BAD_INPUT;
    } else if (end == HEDDLE_BAD_INPUT && !t.choosy) {
        end = HEDDLE_UNKNOWN;
    }
    free(t.complaint);
    if (t.safe_seen && t.unsafe_seen) {
        fputs("heddle: internal error: configurations contradict each other\n", stderr);
        return HEDDLE_INTERNAL_ERROR;
    }
    if (end == HEDDLE_BAD_INPUT || end == HEDDLE_INTERNAL_ERROR) return end;
    return t.unsafe_seen ? HEDDLE_UNSAFE : t.safe_seen ? HEDDLE_SAFE : HEDDLE_UNKNOWN;
}
