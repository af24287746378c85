#include "heddle.h"

#include "api/options.h"
#include "api/output.h"
#include "api/session.h"
#include "api/simulate.h"
#include "api/source.h"
#include "base/clock.h"
#include "frontend/ivl/ivl.h"
#include "report/report.h"
#include "search/search.h"

#include <inttypes.h>

struct heddle {
    options options;
    VEC(source) sources;
    text message; /* of the last heddle_set that failed */
    atomic_bool interrupted;
    void (*progress)(void *data, const heddle_progress *p);
    void *progress_data;
};

struct heddle_result {
    heddle_verdict verdict;
    char *reason, *diagnostics, *text, *json;
    counters counters;
    bool counted;
};

enum { SIMULATED_STEPS = 100 }; /* unless --max-transitions says otherwise */

const char *heddle_version(void) {
    return HEDDLE_VERSION;
}

const char *heddle_verdict_name(heddle_verdict v) {
    switch (v) {
    case HEDDLE_SAFE: return "safe";
    case HEDDLE_UNSAFE: return "unsafe";
    case HEDDLE_BAD_INPUT: return "bad input";
    case HEDDLE_UNKNOWN: return "unknown";
    case HEDDLE_INTERNAL_ERROR: break;
    }
    return "internal error";
}

/* --- the object ----------------------------------------------------------------------------------------- */

heddle *heddle_create(void) {
    heddle *h = mem_zero(1, sizeof *h);
    options_init(&h->options);
    atomic_init(&h->interrupted, false);
    return h;
}

void heddle_destroy(heddle *h) {
    if (!h) return;
    for (size_t i = 0; i < h->sources.size; i++) source_free(&h->sources.data[i]);
    vec_free(&h->sources);
    options_free(&h->options);
    text_free(&h->message);
    mem_free(h);
}

const char *heddle_set(heddle *h, const char *name, const char *value) {
    h->message.size = 0;
    return options_set(&h->options, name, value, &h->message) ? NULL : text_cstr(&h->message);
}

const char *heddle_get(const heddle *h, const char *name) {
    option_id id = option_find(name);
    return id == OPTION_COUNT ? NULL : h->options.value[id].written;
}

void heddle_add_file(heddle *h, const char *path) {
    vec_push(&h->sources, source_read(path));
}

void heddle_add_source(heddle *h, const char *name, const char *source, size_t length) {
    vec_push(&h->sources, source_copy(name, source, length));
}

void heddle_interrupt(heddle *h) {
    atomic_store_explicit(&h->interrupted, true, memory_order_relaxed);
}

void heddle_on_progress(heddle *h, void (*call)(void *data, const heddle_progress *p), void *data) {
    h->progress = call;
    h->progress_data = data;
}

/* --- results -------------------------------------------------------------------------------------------- */

static heddle_result *result_create(void) {
    heddle_result *r = mem_zero(1, sizeof *r);
    r->reason = mem_copy_string("");
    r->diagnostics = mem_copy_string("");
    r->text = mem_copy_string("");
    r->json = mem_copy_string("");
    return r;
}

static void replace_string(char **slot, const char *by) {
    char *copy = mem_copy_string(by);
    mem_free(*slot);
    *slot = copy;
}

void heddle_result_destroy(heddle_result *r) {
    if (!r) return;
    mem_free(r->reason);
    mem_free(r->diagnostics);
    mem_free(r->text);
    mem_free(r->json);
    mem_free(r);
}

heddle_verdict heddle_result_verdict(const heddle_result *r) {
    return r->verdict;
}
const char *heddle_result_reason(const heddle_result *r) {
    return r->reason;
}
const char *heddle_result_diagnostics(const heddle_result *r) {
    return r->diagnostics;
}
const char *heddle_result_text(const heddle_result *r) {
    return r->text;
}
const char *heddle_result_json(const heddle_result *r) {
    return r->json;
}

double heddle_result_statistic(const heddle_result *r, const char *name) {
    const counter_info *which = counter_find(name);
    return r->counted && which ? counter_value(&r->counters, which) : -1;
}

/* --- before a run --------------------------------------------------------------------------------------- */

static const char *written(const heddle *h, option_id id) {
    return h->options.value[id].written;
}

static void check_output(const char *path, text *errors) {
    const char *error = *path ? output_check(path) : NULL;
    if (error) text_format(errors, "%s: error: %s\n", path, error);
}

static void check_combinations(const heddle *h, text *errors) {
    const option_value *v = h->options.value;
    if (v[OPTION_DETERMINISTIC].on && (v[OPTION_TIME].given || v[OPTION_QUERY_TIME].given))
        text_add(errors,
                 "heddle: error: 'deterministic' excludes limits by the clock; use max-transitions or "
                 "max-states\n");
    bool breadth_first = !strcmp(v[OPTION_ORDER].written, "bfs");
    if (breadth_first && (v[OPTION_DUMP_TRACES].given || v[OPTION_VISITED_MEMORY].given))
        text_add(errors,
                 "heddle: error: 'order bfs' excludes dump-traces and visited-memory, which need a stack\n");
    check_output(written(h, OPTION_TRACE), errors);
    check_output(written(h, OPTION_DUMP_TRACES), errors);
}

/* The compiled program, or NULL with the result saying why not. */
static program *prepare(heddle *h, heddle_result *r) {
    text errors = {0};
    program *p = NULL;
    check_combinations(h, &errors);
    if (!errors.size) p = session_compile(&h->options, h->sources.data, h->sources.size, &errors);
    r->verdict = HEDDLE_BAD_INPUT;
    if (p) {
        diagnostics broken = {.file = p->file};
        if (!program_check(p, &broken)) {
            diag_print(&broken, &errors);
            replace_string(&r->reason, "the front end made an invalid program");
            r->verdict = HEDDLE_INTERNAL_ERROR;
            program_destroy(p);
            p = NULL;
        }
        diag_free(&broken);
    }
    replace_string(&r->diagnostics, text_cstr(&errors));
    text_free(&errors);
    return p;
}

/* --- after a run ---------------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *content, heddle_result *r) {
    const char *error = output_write(path, content);
    if (!error) return;
    text all = {0};
    text_format(&all, "%s%s: error: %s\n", r->diagnostics, path, error);
    replace_string(&r->diagnostics, text_cstr(&all));
    text_free(&all);
}

static void write_trace_classes(const heddle *h, const outcome *o, heddle_result *r) {
    text lines = {0};
    for (size_t i = 0; i < o->trace_classes.size; i++)
        text_format(&lines, "%016" PRIx64 "\n", o->trace_classes.data[i]);
    write_file(written(h, OPTION_DUMP_TRACES), text_cstr(&lines), r);
    text_free(&lines);
}

static counters collect_counters(const session *s, const outcome *o) {
    return (counters){o->stats, *machine_stats(s->machine), *solver_stats(s->solver)};
}

/* Completes the report and turns it into the result. `traces` has one for each violation of the outcome. */
static void fill_result(heddle *h, session *s, report *about, const trace *traces, heddle_result *r) {
    VEC(report_file) files = {0};
    for (size_t i = 0; i < h->sources.size; i++) {
        const source *f = &h->sources.data[i];
        vec_push(&files, ((report_file){f->name, f->sha256, f->length}));
    }
    about->version = HEDDLE_VERSION;
    about->file = s->program->file;
    about->internal_error = about->result->reduction_errors > 0;
    about->counters = collect_counters(s, about->result);
    about->files = files.data;
    about->file_count = files.size;
    about->options = options_json(&h->options);
    about->bounds = session_bounds_json(&h->options);
    report_list_properties(about, s->machine, h->options.value[OPTION_PROPERTY].choices, traces);

    static const heddle_verdict public_verdict[] = {
        [VERDICT_SAFE] = HEDDLE_SAFE, [VERDICT_UNSAFE] = HEDDLE_UNSAFE, [VERDICT_UNKNOWN] = HEDDLE_UNKNOWN};
    r->verdict = about->internal_error ? HEDDLE_INTERNAL_ERROR : public_verdict[report_verdict(about)];
    r->counters = about->counters;
    r->counted = true;
    text said = {0};
    report_reason(about, &said);
    replace_string(&r->reason, text_cstr(&said));
    said.size = 0;
    const option_value *v = h->options.value;
    text_style style = {
        .colour = v[OPTION_COLOR].on, .quiet = v[OPTION_QUIET].on, .verbose = v[OPTION_VERBOSE].on};
    report_print_text(about, style, &said);
    replace_string(&r->text, text_cstr(&said));
    text_free(&said);
    mem_free(r->json);
    r->json = report_json(about);
    if (*written(h, OPTION_TRACE) && about->trace) {
        char *json = trace_file_json(about);
        write_file(written(h, OPTION_TRACE), json, r);
        mem_free(json);
    }
    report_free(about);
    vec_free(&files);
}

/* --- check ---------------------------------------------------------------------------------------------- */

static void forward_progress(void *data, const statistics *so_far) {
    heddle *h = data;
    heddle_progress p = {.states = so_far->states,
                         .transitions = so_far->transitions,
                         .depth = so_far->depth,
                         .solver_queries = so_far->solver_queries,
                         .seconds = so_far->seconds,
                         .memory_bytes = memory_in_use()};
    h->progress(h->progress_data, &p);
}

/* Whatever was broken off at a limit left its own reason; the limit is what the user can change. */
static void blame_limit(outcome *o, const char *limit) {
    if (o->complete && !o->doubts.size) return;
    outcome again = {0};
    outcome_doubt(&again, limit, (position){0, 0});
    for (size_t i = 0; i < o->doubts.size; i++)
        if (strcmp(o->doubts.data[i].reason, "interrupted"))
            outcome_doubt(&again, o->doubts.data[i].reason, o->doubts.data[i].at);
    vec_clear(&o->doubts);
    for (size_t i = 0; i < again.doubts.size; i++) vec_push(&o->doubts, again.doubts.data[i]);
    outcome_free(&again);
}

static void blame_limits(const session *s, outcome *o) {
    if (session_time_is_up(s))
        blame_limit(o, "time limit");
    else if (session_memory_is_up(s))
        blame_limit(o, "memory limit");
}

typedef struct endings { /* how executions ended */
    bool assumed_away, otherwise;
} endings;

static void note_ending(void *data, const state *from, transition by, const successor *to) {
    (void)from;
    (void)by;
    endings *seen = data;
    if (to->end == STEP_ASSUMED_AWAY)
        seen->assumed_away = true;
    else if (to->end != STEP_STOPPED)
        seen->otherwise = true;
}

/* A matched state may close a cycle, which is an execution without end: then it cannot be said. */
static bool are_all_assumed_away(const endings *seen, const outcome *o) {
    return seen->assumed_away && !seen->otherwise && !o->stats.matched && o->complete;
}

static void explore(heddle *h, session *s, outcome *o, endings *seen) {
    explore_options how = session_explore_options(s);
    how.observe = note_ending;
    how.observe_data = seen;
    if (h->progress) {
        how.progress = forward_progress;
        how.progress_data = h;
    }
    search_run(s->machine, &how, o);
    blame_limits(s, o);
}

static trace *build_traces(session *s, const outcome *o) {
    trace *traces = mem_zero(o->violations.size, sizeof *traces);
    machine *m = o->violations.size ? session_replay_machine(s) : NULL;
    for (size_t i = 0; i < o->violations.size; i++) {
        const violation *v = &o->violations.data[i];
        const check *violated = v->kind == VIOLATION_CHECK ? machine_check(s->machine, v->check) : NULL;
        if (v->confirmed) trace_build(m, &v->path, o->stops, v->inputs, violated, &traces[i]);
    }
    machine_destroy(m);
    return traces;
}

static const trace *first_confirmed(const outcome *o, const trace *traces) {
    for (size_t i = 0; i < o->violations.size; i++)
        if (o->violations.data[i].confirmed) return &traces[i];
    return NULL;
}

heddle_result *heddle_check(heddle *h) {
    heddle_result *r = result_create();
    program *p = prepare(h, r);
    if (p) {
        session s;
        outcome o = {0};
        session_open(&s, p, &h->options, &h->interrupted);
        endings seen = {0};
        explore(h, &s, &o, &seen);
        trace *traces = build_traces(&s, &o);
        report about = {.command = "check", .result = &o, .trace = first_confirmed(&o, traces)};
        about.all_assumed_away = are_all_assumed_away(&seen, &o);
        fill_result(h, &s, &about, traces, r);
        if (*written(h, OPTION_DUMP_TRACES)) write_trace_classes(h, &o, r);
        for (size_t i = 0; i < o.violations.size; i++) trace_free(&traces[i]);
        mem_free(traces);
        outcome_free(&o);
        session_close(&s);
    }
    atomic_store(&h->interrupted, false);
    return r;
}

/* --- simulate and dump ---------------------------------------------------------------------------------- */

heddle_result *heddle_simulate(heddle *h) {
    heddle_result *r = result_create();
    program *p = prepare(h, r);
    if (p) {
        session s;
        outcome o = {0};
        simulation run;
        trace t = {0};
        const option_value *v = h->options.value;
        session_open(&s, p, &h->options, &h->interrupted);
        uint64_t steps = v[OPTION_MAX_TRANSITIONS].given ? v[OPTION_MAX_TRANSITIONS].number : SIMULATED_STEPS;
        simulate_options how = {.seed = v[OPTION_SEED].number,
                                .steps = steps,
                                .properties = v[OPTION_PROPERTY].choices,
                                .interrupted = session_should_stop,
                                .interrupted_data = &s};
        simulate_run(s.machine, &how, &o, &run);
        blame_limits(&s, &o);
        machine *replaying = session_replay_machine(&s);
        if (run.inputs) trace_build(replaying, &run.path, STOP_VISIBLE, run.inputs, run.violated, &t);
        machine_destroy(replaying);
        report about = {.command = "simulate", .result = &o, .one_schedule = true};
        about.trace = run.inputs ? &t : NULL;
        fill_result(h, &s, &about, &t, r);
        trace_free(&t);
        simulation_free(&run);
        outcome_free(&o);
        session_close(&s);
    }
    atomic_store(&h->interrupted, false);
    return r;
}

static void log_query(void *data, const char *smtlib, solver_answer answer) {
    static const char *const names[] = {
        [SOLVER_UNSAT] = "unsat", [SOLVER_SAT] = "sat", [SOLVER_UNKNOWN] = "unknown"};
    text_format(data, "; expected: %s\n%s(reset)\n\n", names[answer], smtlib);
}

static void dump_queries(heddle *h, session *s, text *out) {
    outcome o = {0};
    endings seen = {0};
    solver_set_log(s->solver, log_query, out);
    explore(h, s, &o, &seen);
    solver_set_log(s->solver, NULL, NULL);
    outcome_free(&o);
}

/* The source is printed as it is parsed: names and parameters play no part. */
static bool dump_source(const heddle *h, text *out) {
    const source *f = &h->sources.data[0];
    diagnostics d = {.file = f->name, .source = f->text};
    bool good = ivl_print(f->name, f->text, f->length, &d, out);
    diag_free(&d);
    return good;
}

heddle_result *heddle_dump(heddle *h) {
    heddle_result *r = result_create();
    program *p = prepare(h, r);
    if (p) {
        enum { IR, SEGMENTS, IVL, SMTLIB } what = h->options.value[OPTION_WHAT].choice;
        if (h->options.value[OPTION_SMTLIB].on) what = SMTLIB;
        session s;
        text out = {0};
        session_open(&s, p, &h->options, &h->interrupted);
        r->verdict = HEDDLE_SAFE;
        switch (what) {
        case IR: program_print(p, &out); break;
        case SEGMENTS: segments_print(p, machine_segments(s.machine), &out); break;
        case IVL: dump_source(h, &out); break;
        case SMTLIB: dump_queries(h, &s, &out); break;
        }
        replace_string(&r->text, text_cstr(&out));
        text_free(&out);
        session_close(&s);
    }
    atomic_store(&h->interrupted, false);
    return r;
}
