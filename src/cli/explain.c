#include "cli/explain.h"

#include "cli/run.h"
#include "cli/stepper.h"
#include "cli/supervise.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int status_of(const heddle_result *r) {
    switch (heddle_result_explanation(r)) {
    case HEDDLE_STILL_FAILS:
    case HEDDLE_FAILS_OTHERWISE: return HEDDLE_UNSAFE;
    case HEDDLE_FIXED_ALONG_SCHEDULE: return 0;
    case HEDDLE_DIVERGES: return HEDDLE_UNKNOWN;
    case HEDDLE_NOT_EXPLAINED: break;
    }
    return heddle_result_verdict(r);
}

typedef struct replay_request {
    heddle *h;
    const trace_view *view;
} replay_request;

static int replay_here(void *data) {
    heddle *h = ((replay_request *)data)->h;
    const trace_view *view = ((replay_request *)data)->view;
    heddle_result *r = heddle_explain(h, view->json, view->length);
    supervise_answer();
    heddle_verdict v = heddle_result_verdict(r);
    int status = status_of(r);
    fputs(heddle_result_diagnostics(r), stderr);
    if (v == HEDDLE_INTERNAL_ERROR) {
        fprintf(stderr, "heddle: internal error: %s\n", heddle_result_reason(r));
        status = HEDDLE_INTERNAL_ERROR;
    }
    if (v != HEDDLE_BAD_INPUT) {
        bool json = !strcmp(heddle_get(h, "json"), "on");
        fputs(json ? heddle_result_json(r) : heddle_result_text(r), stdout);
        if (json) putchar('\n');
    }
    if (!heddle_result_is_complete(r))
        status = HEDDLE_INTERNAL_ERROR; /* the result is there, a file is not */
    heddle_result_destroy(r);
    return status;
}

static int give_up(void *data, const ended_work *ended) {
    (void)data;
    return supervise_say_ended(ended);
}

static int replay(heddle *h, const trace_view *view) {
    replay_request q = {h, view};
    run_settle_colour(h);
    return supervise(&(supervision){.h = h, .work = replay_here, .give_up = give_up, .data = &q});
}

static int step_through(trace_view *view, const arguments *a) {
    bool quit = false, good = true;
    stepper s = {.view = view, .out = stdout};
    s.interactive = !a->script_count && isatty(STDIN_FILENO);
    if (s.interactive) stepper_greet(&s);
    for (size_t i = 0; i < a->script_count && good && !quit; i++) good = stepper_do(&s, a->script[i], &quit);
    if (!a->script_count) good = stepper_read_commands(&s);
    return good ? 0 : HEDDLE_BAD_INPUT;
}

/* Where to the new trace goes was said from here. */
static bool keep_output_here(heddle *h) {
    const char *name = heddle_get(h, "trace");
    if (!name || !*name || *name == '/') return true;
    char here[PATH_MAX], whole[2 * PATH_MAX];
    if (!getcwd(here, sizeof here)) return false;
    snprintf(whole, sizeof whole, "%s/%s", here, name);
    return heddle_set(h, "trace", whole) == NULL;
}

/* Names that are only read would mean other files elsewhere. */
static bool names_files(const heddle *h) {
    static const char *const options[] = {"spec", "include", "stubs", "compile-commands"};
    bool any = false;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const char *value = heddle_get(h, options[k]);
        any |= value && *value;
    }
    return any;
}

int explain_command(heddle *h, const arguments *a) {
    trace_view view;
    const char *error = trace_view_open(a->trace, &view);
    int status = HEDDLE_BAD_INPUT;
    if (!error && !a->files && !names_files(h) && keep_output_here(h))
        trace_view_enter_folder(&view, a->trace);
    if (error)
        fprintf(stderr, "%s: error: %s\n", a->trace, error);
    else if (!a->script_count && (a->files || a->options || trace_view_sources_changed(&view)))
        status = replay(h, &view);
    else
        status = step_through(&view, a);
    trace_view_close(&view);
    return status;
}
