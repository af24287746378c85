#include "cli/compare.h"

#include "base/vec.h"
#include "cli/supervise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LONGEST_LIST = 256, BAR = 24, LONGEST_REASON = 512, LONGEST_COMPLAINT = 8192 };

typedef struct row {
    char engine[24], por[24], match[24];
    heddle_verdict verdict;
    double transitions, states, queries, seconds;
    char reason[LONGEST_REASON];
} row;

typedef struct trial { /* one configuration, in memory that the process that runs it shares with this one */
    row row;
    char said[LONGEST_COMPLAINT]; /* diagnostics */
} trial;

typedef struct table {
    heddle *h;
    const compare_request *wanted;
    VEC(row) rows;
    bool safe_seen, unsafe_seen;
    bool choosy;     /* the user named the configurations: each of them must fit the program */
    char *complaint; /* about the last configuration that does not fit; NULL: none */
    bool draws;      /* which one is running, on standard error */
    trial *now;
} table;

/* --- lists ---------------------------------------------------------------------------------------------- */

static const char *values_of(const char *option) {
    const heddle_option *o = heddle_options();
    while (strcmp(o->name, option)) o++;
    return o->values;
}

/* All values of a choice but `auto`, as a comma-separated list. */
static void list_all(const char *option, char list[LONGEST_LIST]) {
    snprintf(list, LONGEST_LIST, "%s", strchr(values_of(option), '|') + 1);
    for (char *c = list; *c; c++)
        if (*c == '|') *c = ',';
}

static void choose_list(const char *option, const char *given, const char *otherwise,
                        char list[LONGEST_LIST]) {
    if (given && !strcmp(given, "all"))
        list_all(option, list);
    else if (given)
        snprintf(list, LONGEST_LIST, "%s", given);
    else if (otherwise)
        snprintf(list, LONGEST_LIST, "%s", otherwise);
    else
        list_all(option, list);
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

/* --- running -------------------------------------------------------------------------------------------- */

static void remember_complaint(table *t, const char *complaint) {
    free(t->complaint);
    t->complaint = strdup(complaint);
}

static int keep_result(trial *now, heddle_result *r) {
    row *w = &now->row;
    w->verdict = heddle_result_verdict(r);
    w->transitions = heddle_result_statistic(r, "transitions");
    w->states = heddle_result_statistic(r, "states");
    w->queries = heddle_result_statistic(r, "solver_queries");
    w->seconds = heddle_result_statistic(r, "seconds");
    snprintf(w->reason, sizeof w->reason, "%s", heddle_result_reason(r));
    snprintf(now->said, sizeof now->said, "%s", heddle_result_diagnostics(r));
    heddle_result_destroy(r);
    return (int)w->verdict;
}

static void note_progress(void *data, const heddle_progress *p) {
    (void)data;
    supervise_note(p);
}

static int check_here(void *data) {
    table *t = data;
    heddle_on_progress(t->h, note_progress, NULL);
    return keep_result(t->now, heddle_check(t->h));
}

static int give_up(void *data, const ended_work *ended) {
    table *t = data;
    return keep_result(t->now, heddle_give_up(t->h, ended->interrupted, ended->stage, ended->so_far));
}

/* Configurations do not have to fit each other's limits: each runs in a process of its own. */
static heddle_verdict check_apart(table *t, const char *engine, const char *por, const char *match) {
    *t->now = (trial){.row = {.verdict = HEDDLE_INTERNAL_ERROR}};
    snprintf(t->now->row.engine, sizeof t->now->row.engine, "%s", engine);
    snprintf(t->now->row.por, sizeof t->now->row.por, "%s", por);
    snprintf(t->now->row.match, sizeof t->now->row.match, "%s", match);
    supervise(&(supervision){.h = t->h, .work = check_here, .give_up = give_up, .data = t});
    return t->now->row.verdict;
}

static void note_row(table *t) {
    vec_push(&t->rows, t->now->row);
    t->safe_seen |= t->now->row.verdict == HEDDLE_SAFE;
    t->unsafe_seen |= t->now->row.verdict == HEDDLE_UNSAFE;
}

/* One configuration; anything but a verdict ends the comparison and is returned through *end. */
static bool run_one(table *t, const char *engine, const char *por, const char *match, heddle_verdict *end) {
    const char *error = heddle_set(t->h, "engine", engine);
    if (!error) error = heddle_set(t->h, "por", por);
    if (!error) error = heddle_set(t->h, "match", match);
    if (error) {
        fprintf(stderr, "heddle: %s\n", error);
        *end = HEDDLE_BAD_INPUT;
        return false;
    }
    if (t->draws) fprintf(stderr, "\r\033[K%zu done; %s, %s, %s ...", t->rows.size, engine, por, match);
    heddle_verdict v = check_apart(t, engine, por, match);
    if (t->draws) fputs("\r\033[K", stderr);
    bool skipped = v == HEDDLE_BAD_INPUT && !t->choosy;
    bool usable = v != HEDDLE_BAD_INPUT && v != HEDDLE_INTERNAL_ERROR;
    if (skipped)
        remember_complaint(t, t->now->said);
    else
        fputs(t->now->said, stderr);
    if (usable) note_row(t);
    *end = v;
    return (usable || skipped) && !t->wanted->stopped();
}

static heddle_verdict run_all(table *t, const char *engines, const char *pors, const char *matches) {
    heddle_verdict end = HEDDLE_UNKNOWN;
    char engine_copy[LONGEST_LIST], *rest_of_engines;
    snprintf(engine_copy, sizeof engine_copy, "%s", engines);
    for (char *engine = strtok_r(engine_copy, ",", &rest_of_engines); engine;
         engine = strtok_r(NULL, ",", &rest_of_engines)) {
        char por_copy[LONGEST_LIST], *rest_of_pors;
        /* Where an engine leaves no choice it runs once. */
        bool reduces = heddle_engine_has_choice(engine, "por");
        snprintf(por_copy, sizeof por_copy, "%s", reduces ? pors : "auto");
        for (char *por = strtok_r(por_copy, ",", &rest_of_pors); por;
             por = strtok_r(NULL, ",", &rest_of_pors)) {
            char match_copy[LONGEST_LIST], *rest_of_matches;
            snprintf(match_copy, sizeof match_copy, "%s",
                     heddle_engine_has_choice(engine, "match") ? matches : "auto");
            for (char *match = strtok_r(match_copy, ",", &rest_of_matches); match;
                 match = strtok_r(NULL, ",", &rest_of_matches))
                if (!run_one(t, engine, por, match, &end)) return end;
        }
    }
    return HEDDLE_UNKNOWN;
}

/* --- showing -------------------------------------------------------------------------------------------- */

static double most_transitions(const table *t) {
    double most = 0;
    for (size_t i = 0; i < t->rows.size; i++)
        if (most < t->rows.data[i].transitions) most = t->rows.data[i].transitions;
    return most;
}

/* By orders of magnitude; one that did not finish has no end. */
static void print_bar(const row *r, double most) {
    int length = most > 1 && r->transitions > 1 ? (int)(log(r->transitions) / log(most) * BAR + 0.5) : 1;
    char bar[BAR + 1];
    memset(bar, '#', sizeof bar);
    if (r->verdict == HEDDLE_UNKNOWN) bar[length - 1] = '>';
    printf("  %-*.*s", BAR, length, bar);
    double fewer = r->transitions > 0 ? most / r->transitions : 1;
    printf(fewer < 10 ? " %7.2f" : " %7.0f", fewer);
}

static void print_text(const table *t) {
    static const char *const colours[] = {
        [HEDDLE_SAFE] = "\033[1;32m", [HEDDLE_UNSAFE] = "\033[1;31m", [HEDDLE_UNKNOWN] = "\033[1;33m"};
    double most = most_transitions(t);
    printf("%-8s %-16s %-9s %-8s %12s %10s %10s %9s  %s\n", "engine", "por", "match", "verdict",
           "transitions", "states", "queries", "seconds", "transitions, times fewer than the most");
    for (size_t i = 0; i < t->rows.size; i++) {
        const row *r = &t->rows.data[i];
        printf("%-8s %-16s %-9s %s%-8s%s %12.0f %10.0f %10.0f %9.3f", r->engine, r->por, r->match,
               t->wanted->coloured ? colours[r->verdict] : "", heddle_verdict_name(r->verdict),
               t->wanted->coloured ? "\033[0m" : "", r->transitions, r->states, r->queries, r->seconds);
        print_bar(r, most);
        printf("%s%s\n", *r->reason ? "  " : "", r->reason);
    }
}

static void print_json(const table *t) {
    printf("{\"version\": \"%s\", \"rows\": [", heddle_version());
    for (size_t i = 0; i < t->rows.size; i++) {
        const row *r = &t->rows.data[i];
        printf("%s\n  {\"engine\": \"%s\", \"por\": \"%s\", \"match\": \"%s\", \"verdict\": \"%s\", "
               "\"transitions\": %.0f, \"states\": %.0f, \"solver_queries\": %.0f, \"seconds\": %.6f}",
               i ? "," : "", r->engine, r->por, r->match, heddle_verdict_name(r->verdict), r->transitions,
               r->states, r->queries, r->seconds);
    }
    printf("\n]}\n");
}

static heddle_verdict conclude(table *t, heddle_verdict end) {
    if (t->wanted->json)
        print_json(t);
    else if (t->rows.size)
        print_text(t);
    if (!t->rows.size && t->complaint) {
        fputs(t->complaint, stderr);
        end = HEDDLE_BAD_INPUT;
    } else if (end == HEDDLE_BAD_INPUT && !t->choosy) {
        end = HEDDLE_UNKNOWN;
    }
    if (t->safe_seen && t->unsafe_seen) {
        fputs("heddle: internal error: configurations contradict each other\n", stderr);
        return HEDDLE_INTERNAL_ERROR;
    }
    if (end == HEDDLE_BAD_INPUT || end == HEDDLE_INTERNAL_ERROR) return end;
    return t->unsafe_seen ? HEDDLE_UNSAFE : t->safe_seen ? HEDDLE_SAFE : HEDDLE_UNKNOWN;
}

heddle_verdict compare_run(heddle *h, const compare_request *wanted) {
    char engines[LONGEST_LIST], pors[LONGEST_LIST], matches[LONGEST_LIST];
    bool named = wanted->pors || wanted->matches; /* then the reduction says the engine, as in `check` */
    choose_list("engine", wanted->engines, named ? "auto" : NULL, engines);
    choose_list("por", wanted->pors, NULL, pors);
    choose_list("match", wanted->matches, "auto", matches);
    if (!names_are_known(h, "engine", engines) || !names_are_known(h, "por", pors) ||
        !names_are_known(h, "match", matches))
        return HEDDLE_BAD_INPUT;
    bool clockless = !strcmp(heddle_get(h, "deterministic"), "on");
    if (!*heddle_get(h, "time") && !clockless) heddle_set(h, "time", "10s");
    heddle_set(h, "jobs", "1"); /* what is compared must not share its cores with itself */

    table t = {.h = h, .wanted = wanted, .draws = isatty(STDERR_FILENO)};
    t.choosy =
        wanted->pors && wanted->matches && strcmp(wanted->pors, "all") && strcmp(wanted->matches, "all");
    t.now = mmap(NULL, sizeof *t.now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (t.now == MAP_FAILED) {
        fputs("heddle: internal error: no memory\n", stderr);
        return HEDDLE_INTERNAL_ERROR;
    }
    heddle_verdict end = conclude(&t, run_all(&t, engines, pors, matches));
    vec_free(&t.rows);
    munmap(t.now, sizeof *t.now);
    free(t.complaint);
    return end;
}
