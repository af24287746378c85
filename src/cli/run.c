#include "cli/run.h"

#include "cli/baseline.h"
#include "cli/progress.h"
#include "cli/supervise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_on(const heddle *h, const char *option) {
    return !strcmp(heddle_get(h, option), "on");
}

/* A word of a list that is separated by commas. */
static bool lists(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ',')) return true;
    return false;
}

void run_settle_colour(heddle *h) {
    const char *unwanted = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (strcmp(heddle_get(h, "color"), "auto")) return;
    bool coloured = isatty(STDOUT_FILENO) && !(unwanted && *unwanted) && terminal && strcmp(terminal, "dumb");
    heddle_set(h, "color", coloured ? "always" : "never");
}

/* For whoever waits here, and for whoever has to tell what is known if nobody waits any longer. */
static void note_progress(void *data, const heddle_progress *p) {
    progress_line *line = data;
    supervise_note(p);
    if (line->draws) progress_draw(line, p);
}

static heddle_result *execute(heddle *h, const command *c) {
    run_settle_colour(h);
    progress_line line = {.limit = c->bit == HEDDLE_FOR_CHECK ? heddle_get(h, "time") : NULL};
    line.draws = progress_is_wanted(h);
    heddle_on_progress(h, note_progress, &line);
    heddle_result *r = c->bit == HEDDLE_FOR_CHECK      ? heddle_check(h)
                       : c->bit == HEDDLE_FOR_SIMULATE ? heddle_simulate(h)
                                                       : heddle_dump(h);
    progress_wipe(&line);
    return r;
}

/* --- showing -------------------------------------------------------------------------------------------- */

static void print_name(const run_request *q) {
    bool quiet = is_on(q->h, "quiet");
    if (q->target) printf(quiet ? "%s: " : "=== %s ===\n", q->target);
}

void run_print_refused(const char *target) {
    printf("{\"name\": \"%s\", \"result\": null}\n", target);
}

static void print_result(const run_request *q, const heddle_result *r) {
    heddle_verdict v = heddle_result_verdict(r);
    fputs(heddle_result_diagnostics(r), stderr);
    if (v == HEDDLE_INTERNAL_ERROR) fprintf(stderr, "heddle: internal error: %s\n", heddle_result_reason(r));
    bool json = q->command->bit != HEDDLE_FOR_DUMP && is_on(q->h, "json");
    if (json && v == HEDDLE_BAD_INPUT) {
        if (q->target) run_print_refused(q->target);
    } else if (json) {
        if (q->target) printf("{\"name\": \"%s\", \"result\": ", q->target);
        printf("%s%s\n", heddle_result_json(r), q->target ? "}" : "");
    } else if (v != HEDDLE_BAD_INPUT) {
        print_name(q);
        fputs(heddle_result_text(r), stdout);
    } else if (q->command->bit == HEDDLE_FOR_CHECK && is_on(q->h, "verdict-line")) {
        print_name(q);
        puts("Verdict: ERROR (bad input)");
    }
}

/* --- the exit status ------------------------------------------------------------------------------------ */

/* What remains when accepted violations do not count. */
static int settle_accepted(const run_request *q, const heddle_result *r, int status) {
    const char *path = heddle_get(q->h, "baseline");
    if (!*path || status != HEDDLE_UNSAFE) return status;
    baseline_verdict v = baseline_compare(path, r);
    if (!v.good) return HEDDLE_BAD_INPUT;
    if (!is_on(q->h, "json") && !is_on(q->h, "quiet"))
        printf("%zu accepted by %s, %zu not\n", v.accepted, path, v.others);
    if (v.others) return status;
    if (!v.all_accepted && !is_on(q->h, "json") && !is_on(q->h, "quiet")) {
        printf("unknown: there may be others besides the accepted ones\n");
        if (v.hiding)
            printf("  %zu of the accepted end their executions or stand for several: what comes behind them "
                   "was not seen. \"accept_rest\": true in the entry accepts that, too.\n",
                   v.hiding);
    }
    return v.all_accepted ? HEDDLE_SAFE : HEDDLE_UNKNOWN;
}

static int settle_fail_on(const run_request *q, int status) {
    const char *list = heddle_get(q->h, "fail-on");
    if (status == HEDDLE_UNSAFE && !lists(list, "unsafe")) return HEDDLE_SAFE;
    if (status == HEDDLE_UNKNOWN && !lists(list, "unknown")) return HEDDLE_SAFE;
    return status;
}

/* A verdict that was expected is a success, whatever it is, and every other one a failure. */
static int settle_expected(const run_request *q, int status) {
    if (!q->expect || status == HEDDLE_BAD_INPUT || status == HEDDLE_INTERNAL_ERROR) return status;
    const char *verdict = heddle_verdict_name((heddle_verdict)status);
    if (!strcmp(verdict, q->expect)) return HEDDLE_SAFE;
    fprintf(stderr, "%s: %s, but %s is expected\n", q->target, verdict, q->expect);
    return status == HEDDLE_SAFE ? HEDDLE_UNSAFE : status;
}

static int settle_check(const run_request *q, const heddle_result *r, int status) {
    const char *accepted = heddle_get(q->h, "write-baseline");
    bool decided = status == HEDDLE_SAFE || status == HEDDLE_UNSAFE || status == HEDDLE_UNKNOWN;
    if (*accepted && decided && !baseline_write(accepted, r)) return HEDDLE_INTERNAL_ERROR;
    if (q->expect) return settle_expected(q, status);
    return settle_fail_on(q, settle_accepted(q, r, status));
}

/* All violations are wanted where they are compared with others. Read before hours of work are lost. */
static bool prepare_baseline(const run_request *q) {
    const char *path = heddle_get(q->h, "baseline");
    const char *wrong = *path ? baseline_check(path) : NULL;
    if (wrong) fprintf(stderr, "%s: error: %s\n", path, wrong);
    if (*path || *heddle_get(q->h, "write-baseline")) heddle_set(q->h, "all", "on");
    return !wrong;
}

static int run_here(void *data) {
    const run_request *q = data;
    bool check = q->command->bit == HEDDLE_FOR_CHECK;
    if (check && !prepare_baseline(q)) {
        if (q->target && is_on(q->h, "json")) run_print_refused(q->target);
        return HEDDLE_BAD_INPUT;
    }
    heddle_result *r = execute(q->h, q->command);
    int status = (int)heddle_result_verdict(r);
    supervise_answer();
    print_result(q, r);
    if (check) status = settle_check(q, r, status);
    if (heddle_result_ran_to_end(r)) status = HEDDLE_SAFE;
    if (!heddle_result_is_complete(r))
        status = HEDDLE_INTERNAL_ERROR; /* the result is there, a file is not */
    heddle_result_destroy(r);
    return status;
}

/* The work was ended: limits hold, and whoever sends a signal does not wait. */
static int give_up(void *data, const ended_work *ended) {
    const run_request *q = data;
    if (q->command->bit != HEDDLE_FOR_CHECK) return supervise_say_ended(ended);
    heddle_result *r = heddle_give_up(q->h, ended->interrupted, ended->stage, ended->so_far);
    int status = (int)heddle_result_verdict(r);
    print_result(q, r);
    status = q->expect ? settle_expected(q, status) : settle_fail_on(q, status);
    heddle_result_destroy(r);
    return status;
}

int run_command(const run_request *q) {
    return supervise(&(supervision){.h = q->h, .work = run_here, .give_up = give_up, .data = (void *)q});
}
