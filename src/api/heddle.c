#include "heddle.h"

#include "api/certification.h"
#include "api/compile.h"
#include "api/engine.h"
#include "api/explain.h"
#include "api/exports.h"
#include "api/in_order.h"
#include "api/output.h"
#include "api/pictures.h"
#include "api/session.h"
#include "api/shrinking.h"
#include "api/simulate.h"
#include "api/verdicts.h"
#include "base/clock.h"
#include "elaboration/elaborate.h"
#include "machine/state.h"
#include "native/native.h"
#include "native/simulator.h"
#include "report/report.h"

#include <inttypes.h>

struct heddle {
    options options;
    VEC(source) sources;
    text message; /* of the last heddle_set that failed */
    atomic_bool interrupted;
    void (*progress)(void *data, const heddle_progress *p);
    void *progress_data;
    double begun; /* the run under way, on the wall clock: its time limit counts from here */
};

struct heddle_result {
    heddle_verdict verdict;
    char *reason, *diagnostics, *svcomp, *text, *json;
    counters counters;
    bool counted;
    bool incomplete; /* some file could not be written */
    heddle_explanation explanation;
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
    r->svcomp = mem_copy_string("");
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
    mem_free(r->svcomp);
    mem_free(r->text);
    mem_free(r->json);
    mem_free(r);
}

heddle_explanation heddle_result_explanation(const heddle_result *r) {
    return r->explanation;
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
bool heddle_result_is_complete(const heddle_result *r) {
    return !r->incomplete;
}
const char *heddle_result_svcomp(const heddle_result *r) {
    return r->svcomp;
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
    const char *order = v[OPTION_ORDER].written;
    bool queued = !strcmp(order, "bfs") || !strcmp(order, "astar");
    if (queued && (v[OPTION_DUMP_TRACES].given || v[OPTION_VISITED_MEMORY].given))
        text_format(errors,
                    "heddle: error: 'order %s' excludes dump-traces and visited-memory, which need a stack\n",
                    order);
    bool compact = strcmp(v[OPTION_VISITED].written, "full");
    if (compact && v[OPTION_VISITED_MEMORY].given)
        text_add(errors, "heddle: error: a compact visited set forgets nothing: 'visited' excludes "
                         "visited-memory\n");
    static const char *const by_solver[] = {"sbc-eq", "sbc-cv", "ess"};
    for (size_t i = 0; i < sizeof by_solver / sizeof *by_solver; i++)
        if (!strcmp(v[OPTION_VISITED].written, "compact-unconfirmed") &&
            !strcmp(v[OPTION_MATCH].written, by_solver[i]))
            text_format(errors,
                        "heddle: error: 'match %s' asks the solver, not signatures: 'visited "
                        "compact-unconfirmed' excludes it\n",
                        by_solver[i]);
    if (v[OPTION_CROSS_CHECK].on && !v[OPTION_CERTIFY].on)
        text_add(errors, "heddle: error: 'cross-check' belongs to certify\n");
    exports_check(&h->options, errors);
    check_output(written(h, OPTION_CERTIFICATE), errors);
    check_output(written(h, OPTION_STIMULUS), errors);
    check_output(written(h, OPTION_DUMP_TRACES), errors);
}

/* A front end that makes an invalid program, or options that do not fit it. */
static bool is_usable(const heddle *h, const program *p, heddle_result *r, text *errors) {
    diagnostics broken = {.file = p->file};
    const char *misfit = engine_misfit(&h->options, p);
    bool valid = program_check(p, &broken);
    if (!valid) {
        diag_print(&broken, errors);
        replace_string(&r->reason, "the front end made an invalid program");
        r->verdict = HEDDLE_INTERNAL_ERROR;
    } else if (misfit) {
        text_format(errors, "heddle: error: %s\n", misfit);
    }
    diag_free(&broken);
    return valid && !misfit;
}

typedef struct elaboration_control {
    const heddle *h;
    double deadline; /* 0: none */
} elaboration_control;

static bool elaboration_should_stop(void *data) {
    const elaboration_control *c = data;
    return atomic_load_explicit(&c->h->interrupted, memory_order_relaxed) ||
           (c->deadline > 0 && clock_wall() > c->deadline);
}

/* A design becomes the program that its elaboration leaves; that is work of its own, under the same limits.
 */
static bool elaborate_design(const heddle *h, program *p, heddle_result *r, text *errors) {
    double limit = h->options.value[OPTION_TIME].seconds;
    elaboration_control c = {h, limit > 0 ? h->begun + limit : 0};
    if (!p->elaboration.pending) return true;
    elaborate(p, elaboration_should_stop, &c);
    return is_usable(h, p, r, errors);
}

/* The compiled program, or NULL with the result saying why not. `q` is to be freed in any case. */
static program *prepare(heddle *h, inquiry *q, text *digests, heddle_result *r) {
    h->begun = clock_wall();
    text errors = {0};
    program *p = NULL;
    *q = (inquiry){0};
    r->verdict = HEDDLE_BAD_INPUT;
    check_combinations(h, &errors);
    bool resolved =
        !errors.size && inquiry_resolve(&h->options, h->sources.data, h->sources.size, q, &errors);
    if (resolved && q->has_certificate && !h->options.value[OPTION_CERTIFY].on)
        text_format(&errors, "%s: error: a certificate is checked with --certify\n",
                    q->others.data[q->certificate].name);
    else if (resolved)
        p = compile_program(&h->options, q, digests, &errors);
    if (p && !(is_usable(h, p, r, &errors) && elaborate_design(h, p, r, &errors))) {
        program_destroy(p);
        p = NULL;
    }
    replace_string(&r->diagnostics, text_cstr(&errors));
    text_free(&errors);
    return p;
}

/* --- after a run ---------------------------------------------------------------------------------------- */

/* The result stands, but not all of it could be written where it was wanted. */
static void blame_outputs(heddle_result *r, text *errors) {
    if (errors->size) {
        text all = {0};
        text_format(&all, "%s%s", r->diagnostics, text_cstr(errors));
        replace_string(&r->diagnostics, text_cstr(&all));
        text_free(&all);
        r->incomplete = true;
    }
    text_free(errors);
}

static void write_file(const char *path, const char *content, heddle_result *r) {
    text errors = {0};
    const char *error = output_write(path, content);
    if (error) text_format(&errors, "%s: error: %s\n", path, error);
    blame_outputs(r, &errors);
}

static void write_trace_classes(const heddle *h, const outcome *o, heddle_result *r) {
    text lines = {0};
    for (size_t i = 0; i < o->trace_classes.size; i++)
        text_format(&lines, "%016" PRIx64 "\n", o->trace_classes.data[i]);
    write_file(written(h, OPTION_DUMP_TRACES), text_cstr(&lines), r);
    text_free(&lines);
}

static void write_stimulus(const heddle *h, const trace *t, heddle_result *r) {
    text lines = {0};
    simulator_print_stimulus(t, &lines);
    write_file(written(h, OPTION_STIMULUS), text_cstr(&lines), r);
    text_free(&lines);
}

static counters collect_counters(const session *s, const outcome *o) {
    return (counters){o->stats, *machine_stats(s->machine), *solver_stats(s->solver)};
}

typedef VEC(report_file) report_files;

static void list_files(const source *files, size_t count, bool programs, report_files *out) {
    for (size_t i = 0; i < count; i++)
        vec_push(out, ((report_file){files[i].name, files[i].sha256, files[i].length,
                                     programs ? files[i].text : NULL}));
}

/* What BenchExec calls the verdict: the first confirmed violation counts. */
static char *spell_for_benchexec(const session *s, const report *about) {
    const outcome *o = about->result;
    text said = {0};
    switch (report_verdict(about)) {
    case VERDICT_SAFE: text_add(&said, "true"); break;
    case VERDICT_UNKNOWN:
        text_add(&said, about->internal_error ? "ERROR (internal error)" : "unknown");
        break;
    case VERDICT_UNSAFE:
        for (size_t i = 0; i < o->violations.size && !said.size; i++) {
            const violation *v = &o->violations.data[i];
            check_kind k =
                v->kind == VIOLATION_CHECK ? machine_check(s->machine, v->check)->kind : CHECK_RACE;
            if (v->confirmed)
                text_format(&said, "false(%s)", specification_violated(&s->inquiry->spec, v->kind, k));
        }
    }
    char *result = mem_copy_string(text_cstr(&said));
    text_free(&said);
    return result;
}

static bool is_c_text(const char *name) {
    size_t length = strlen(name);
    return length > 2 && (!strcmp(name + length - 2, ".c") || !strcmp(name + length - 2, ".i"));
}

/* NULL: a program that has no witnesses. A violation violates one property, a proof is of all. */
static char *spell_specification(const session *s, const report *about) {
    bool is_c = s->program->kernel == KERNEL_PREEMPTIVE;
    for (size_t i = 0; i < s->inquiry->sources.size; i++) is_c &= is_c_text(s->inquiry->sources.data[i].name);
    text formulas = {0};
    if (is_c) specification_formulas(&s->inquiry->spec, about->svcomp, &formulas);
    char *result = formulas.size ? mem_copy_string(text_cstr(&formulas)) : NULL;
    text_free(&formulas);
    return result;
}

static const char *spell_expected(expected_verdict e) {
    return e == EXPECTED_TRUE ? "true" : e == EXPECTED_FALSE ? "false" : NULL;
}

/* Completes the report, whose counters are set, and turns it into the result. `traces` has one for each
 * violation of the outcome. */
static void fill_result(heddle *h, session *s, report *about, const trace *traces, heddle_result *r) {
    report_files files = {0};
    list_files(s->inquiry->sources.data, s->inquiry->sources.size, true, &files);
    list_files(s->inquiry->others.data, s->inquiry->others.size, false, &files);
    about->version = HEDDLE_VERSION;
    about->file = s->program->file;
    about->internal_error = about->result->reduction_errors > 0;
    about->files = files.data;
    about->file_count = files.size;
    about->options = options_json(&h->options);
    about->bounds = session_bounds_json(&h->options);
    about->expected = spell_expected(s->inquiry->expected);
    mem_free(r->svcomp);
    about->svcomp = r->svcomp = spell_for_benchexec(s, about);
    char *specification = spell_specification(s, about);
    report_task task = {specification, s->inquiry->data_model_32 ? "ILP32" : "LP64"};
    about->task = &task;
    report_list_properties(about, s->machine, s->inquiry->spec.properties, traces);

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
    text_style style = {.colour = !strcmp(v[OPTION_COLOR].written, "always"),
                        .quiet = v[OPTION_QUIET].on,
                        .verbose = v[OPTION_VERBOSE].on,
                        .verdict_line = v[OPTION_VERDICT_LINE].on};
    report_print_text(about, style, &said);
    replace_string(&r->text, text_cstr(&said));
    text_free(&said);
    mem_free(r->json);
    r->json = report_json(about);
    text errors = {0};
    exports_write(&h->options, about, &errors);
    blame_outputs(r, &errors);
    about->task = NULL;
    mem_free(specification);
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
                         .waiting = so_far->waiting,
                         .done = so_far->done,
                         .memory_bytes = memory_in_use()};
    h->progress(h->progress_data, &p);
}

/* Whatever was broken off at a limit left its own reason; the limit is what the user can change. */
static void blame_limit(outcome *o, const char *limit) {
    if (o->complete && !o->doubts.size) return;
    outcome again = {0};
    outcome_doubt(&again, limit, (position){0, 0});
    for (size_t i = 0; i < o->doubts.size; i++)
        if (strcmp(o->doubts.data[i].reason, "interrupted")) outcome_add_doubt(&again, o->doubts.data[i]);
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

enum { MOST_LOOKS = 10000 }; /* without an end: then nothing is said about all executions */

/* Threads that were stopped by assumptions, or stand still for another reason. */
static void note_standstill(machine *m, session_endings *seen, const state *s) {
    if (seen->otherwise) return;
    if (seen->looks++ > MOST_LOOKS) {
        seen->otherwise = true;
        return;
    }
    transitions enabled = {0};
    machine_enabled(m, s, &enabled);
    bool stuck = false;
    for (uint32_t t = 0; t < s->thread_count; t++) stuck |= s->threads[t]->status == THREAD_STUCK;
    if (!enabled.size && !stuck) seen->otherwise = true;
    if (!enabled.size && stuck) seen->assumed_away = true;
    vec_free(&enabled);
}

static void note_ending(void *data, const state *from, transition by, const successor *to) {
    (void)from;
    (void)by;
    session *run = data;
    session_endings *seen = &run->endings;
    if (to->end == STEP_ASSUMED_AWAY)
        seen->assumed_away = true;
    else if (to->end != STEP_STOPPED)
        seen->otherwise = true;
    else if (run->program->kernel == KERNEL_PREEMPTIVE)
        note_standstill(run->machine, seen, to->to);
}

/* A matched state may close a cycle, which is an execution without end: then it cannot be said. */
static bool are_all_assumed_away(const session_endings *seen, const outcome *o) {
    return seen->assumed_away && !seen->otherwise && !o->stats.matched && o->complete;
}

/* A specification may name less than the properties that the explorers know: what it does not name is no
 * verdict, but the exploration ended there. */
static void drop_unasked_violations(const session *s, outcome *o) {
    size_t kept = 0;
    for (size_t i = 0; i < o->violations.size; i++) {
        violation *v = &o->violations.data[i];
        const check *c = v->kind == VIOLATION_CHECK ? machine_check(s->machine, v->check) : NULL;
        if (specification_violated(&s->inquiry->spec, v->kind, c ? c->kind : CHECK_RACE)) {
            o->violations.data[kept++] = *v;
            continue;
        }
        outcome_doubt(o, "path ended at a violation of a property that is not checked",
                      c ? c->at : (position){0, 0});
        vec_free(&v->path);
        valuation_destroy(v->inputs);
    }
    o->violations.size = kept;
}

static void doubt_context_bound(const session *s, outcome *o) {
    if (machine_stats(s->machine)->context_bound_hit) outcome_doubt(o, "context bound", (position){0, 0});
}

/* The machine makes its leak check where a program ends: if there is none, nobody looked. */
static void doubt_leaks(const session *s, outcome *o) {
    if (!(s->inquiry->spec.properties & PROPERTY_LEAK)) return;
    for (uint32_t i = 0; i < machine_check_count(s->machine); i++)
        if (machine_check(s->machine, i)->kind == CHECK_LEAK && machine_check_reached(s->machine, i)) return;
    outcome_doubt(o, "no end of the program was seen, where leaks are looked for", (position){0, 0});
}

static void doubt_coarse_copies(const session *s, outcome *o) {
    if (machine_stats(s->machine)->coarse_copy)
        outcome_doubt(o, "a large, overlapping or unknown range was copied in one step", (position){0, 0});
}

static void doubt_memory_model(const session *s, outcome *o) {
    enum { MODEL_DECLARED, MODEL_SC } model = s->options->value[OPTION_MEMORY_MODEL].choice;
    const machine_statistics *seen = machine_stats(s->machine);
    if (seen->weak_access && model == MODEL_DECLARED) outcome_doubt(o, "memory model", seen->weak_at);
}

static void add_doubts(const session *s, outcome *o) {
    blame_limits(s, o);
    drop_unasked_violations(s, o);
    doubt_context_bound(s, o);
    doubt_leaks(s, o);
    doubt_coarse_copies(s, o);
    doubt_memory_model(s, o);
}

static void explore(heddle *h, session *s, outcome *o, attempts *given_up, certification *proof) {
    explore_options how = session_explore_options(s);
    how.observe = note_ending;
    how.observe_data = s;
    if (h->progress) {
        how.progress = forward_progress;
        how.progress_data = h;
    }
    certification_open(proof, s, &how);
    engine_run(s, &how, o, given_up);
    add_doubts(s, o);
    certification_write(proof, o);
}

/* Explores, or looks at the certificate that was given. */
static void find_answer(heddle *h, session *s, outcome *o, attempts *given_up, certification *proof) {
    if (s->inquiry->has_certificate) {
        const source *given = &s->inquiry->others.data[s->inquiry->certificate];
        certification_check(proof, s, given->text, given->length, o);
        add_doubts(s, o);
        proof->confirmed = outcome_verdict(o) == VERDICT_SAFE;
    } else {
        explore(h, s, o, given_up, proof);
        certification_confirm(proof, s, add_doubts, o);
    }
}

static trace_request request_trace(const session *s, const outcome *o, const violation *v) {
    static const trace_end ends[] = {[VIOLATION_CHECK] = ENDS_IN_CHECK,
                                     [VIOLATION_DEADLOCK] = ENDS_IN_DEADLOCK,
                                     [VIOLATION_RACE] = ENDS_IN_RACE};
    trace_request wanted = {.path = &v->path, .stops = o->stops, .inputs = v->inputs, .end = ends[v->kind]};
    if (v->kind == VIOLATION_CHECK) wanted.violated = *machine_check(s->machine, v->check);
    memcpy(wanted.racing, v->racing, sizeof wanted.racing);
    return wanted;
}

static trace *build_traces(session *s, const outcome *o, const shrunk *smaller) {
    trace *traces = mem_zero(o->violations.size, sizeof *traces);
    machine_prepare_replay(s->machine);
    for (size_t i = 0; i < o->violations.size; i++) {
        if (!o->violations.data[i].confirmed) continue;
        trace_request wanted = request_trace(s, o, &o->violations.data[i]);
        if (smaller) wanted.shrunk = &smaller[i];
        trace_build(s->machine, &wanted, &traces[i]);
    }
    return traces;
}

static const trace *first_confirmed(const outcome *o, const trace *traces) {
    for (size_t i = 0; i < o->violations.size; i++)
        if (o->violations.data[i].confirmed) return &traces[i];
    return NULL;
}

/* Of the first confirmed violation; false: there is none, or nobody asked. */
static bool replay_natively(session *s, const outcome *o, const trace *traces, native_result *out) {
    bool wanted = s->options->value[OPTION_REPLAY_BINARY].on && s->inquiry->language == LANGUAGE_LLVM;
    for (size_t i = 0; wanted && i < o->violations.size; i++) {
        if (!o->violations.data[i].confirmed) continue;
        c_request with;
        trace_request what = request_trace(s, o, &o->violations.data[i]);
        bool ready = !c_request_open(s->options, s->inquiry, &with);
        const char *const *files = (const char *const *)with.files.data;
        if (ready && s->program->kernel == KERNEL_SYSTEMC)
            *out = simulator_replay(&traces[i], files, with.files.size, &with.how);
        else if (ready)
            *out = native_replay(s->machine, &what, files, with.files.size, &with.how);
        c_request_close(&with);
        return ready;
    }
    return false;
}

static in_order judge_in_order(session *s, outcome *o, const trace *traces) {
    for (size_t i = 0; i < o->violations.size; i++)
        if (o->violations.data[i].confirmed) return in_order_judge(s, &o->violations.data[i], &traces[i]);
    return (in_order){0};
}

/* Explores the program, which it takes, and tells what came out. */
static void run_check(heddle *h, program *p, const inquiry *q, heddle_result *r) {
    session s;
    outcome o = {0};
    session_open(&s, p, &h->options, q, &h->interrupted, h->begun);
    attempts given_up = {0};
    certification proof = {0};
    find_answer(h, &s, &o, &given_up, &proof);
    counters spent = collect_counters(&s, &o); /* by the search alone */
    shrunk *smaller = shrinking_run(&s, &o);
    trace *traces = build_traces(&s, &o, smaller);
    report about = {.command = "check", .result = &o, .trace = first_confirmed(&o, traces)};
    about.counters = spent;
    about.all_assumed_away = are_all_assumed_away(&s.endings, &o);
    native_result native = {0};
    bool replayed = replay_natively(&s, &o, traces, &native);
    report_native shown = {native.failed, native.summary, native.printed, native.followed, native.operations};
    about.native = replayed ? &shown : NULL;
    in_order ordered = judge_in_order(&s, &o, traces);
    about.simulator = ordered.summary ? &ordered.shown : NULL;
    about.given_up = given_up.data;
    about.given_up_count = given_up.size;
    report_certificate certified = {proof.confirmed, proof.states, &proof.effort};
    about.certificate = proof.looked_at ? &certified : NULL;
    about.invariants = &proof.loops;
    about.proof = proof.written.size ? text_cstr(&proof.written) : NULL;
    fill_result(h, &s, &about, traces, r);
    if (*written(h, OPTION_CERTIFICATE) && proof.written.size)
        write_file(written(h, OPTION_CERTIFICATE), text_cstr(&proof.written), r);
    if (*written(h, OPTION_DUMP_TRACES)) write_trace_classes(h, &o, r);
    if (*written(h, OPTION_STIMULUS) && about.trace) write_stimulus(h, about.trace, r);
    for (size_t i = 0; i < o.violations.size; i++) trace_free(&traces[i]);
    mem_free(traces);
    shrinking_free(smaller, &o);
    native_result_free(&native);
    in_order_free(&ordered);
    certification_close(&proof);
    vec_free(&given_up);
    outcome_free(&o);
    session_close(&s);
}

/* --- verdicts that are kept ----------------------------------------------------------------------------- */

static json_t *answer_json(const heddle_result *r) {
    return json_pack("{s:i, s:s, s:s, s:s, s:s}", "verdict", (int)r->verdict, "reason", r->reason, "svcomp",
                     r->svcomp, "text", r->text, "json", r->json);
}

static void note_cached(json_t *result, heddle_result *r) {
    json_object_set_new(result, "cached", json_true());
    counters_from_json(&r->counters, json_object_get(result, "statistics"));
    r->counted = true;
    char *printed = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    replace_string(&r->json, printed);
    free(printed);
}

/* False: what is there is of no use. */
static bool take_answer(const json_t *answer, heddle_result *r) {
    int verdict;
    const char *reason, *svcomp, *said, *json;
    json_error_t error;
    if (json_unpack((json_t *)answer, "{s:i, s:s, s:s, s:s, s:s}", "verdict", &verdict, "reason", &reason,
                    "svcomp", &svcomp, "text", &said, "json", &json))
        return false;
    json_t *result = json_loads(json, 0, &error);
    if (!json_is_object(result) || (verdict != HEDDLE_SAFE && verdict != HEDDLE_UNSAFE)) {
        json_decref(result);
        return false;
    }
    r->verdict = (heddle_verdict)verdict;
    replace_string(&r->reason, reason);
    replace_string(&r->svcomp, svcomp);
    replace_string(&r->text, said);
    note_cached(result, r);
    json_decref(result);
    return true;
}

static bool answer_from_cache(const verdicts_place *place, heddle_result *r) {
    json_t *answer = verdicts_find(place);
    bool taken = answer && take_answer(answer, r);
    json_decref(answer);
    return taken;
}

static void keep_answer(const verdicts_place *place, heddle_result *r) {
    if (!place->path || (r->verdict != HEDDLE_SAFE && r->verdict != HEDDLE_UNSAFE)) return;
    text errors = {0};
    json_t *answer = answer_json(r);
    const char *error = answer ? verdicts_store(place, answer) : NULL;
    if (error) text_format(&errors, "%s: error: %s\n", place->path, error);
    json_decref(answer);
    blame_outputs(r, &errors);
}

heddle_result *heddle_check(heddle *h) {
    heddle_result *r = result_create();
    inquiry q;
    text digests = {0};
    program *p = prepare(h, &q, &digests, r);
    if (p) {
        verdicts_place place = verdicts_locate(&h->options, &q, text_cstr(&digests));
        if (answer_from_cache(&place, r)) {
            program_destroy(p);
        } else {
            run_check(h, p, &q, r);
            keep_answer(&place, r);
        }
        verdicts_place_free(&place);
    }
    text_free(&digests);
    inquiry_free(&q);
    atomic_store(&h->interrupted, false);
    return r;
}

/* --- simulate ------------------------------------------------------------------------------------------- */

static void collect_printed(const program *p, const trace *t, text *out) {
    if (p->elaboration.printed) text_add(out, p->elaboration.printed);
    for (size_t k = 0; k < t->steps.size; k++)
        if (t->steps.data[k].printed) text_add(out, t->steps.data[k].printed);
}

/* Why the options do not fit the program; NULL: they do. */
static const char *simulation_misfit(const heddle *h, const session *s, const source *inputs) {
    if (inputs->error) return inputs->error;
    if (h->options.value[OPTION_SCHEDULE].choice && !in_order_is_possible(s))
        return "the order of the simulator is that of SystemC designs in C++";
    return NULL;
}

static uint64_t simulated_steps(const heddle *h) {
    const option_value *v = h->options.value;
    if (v[OPTION_MAX_TRANSITIONS].given) return v[OPTION_MAX_TRANSITIONS].number;
    return v[OPTION_PRINTED].on && v[OPTION_SCHEDULE].choice ? UINT64_MAX : SIMULATED_STEPS;
}

static void tell_simulation(heddle *h, session *s, outcome *o, const simulation *run, heddle_result *r) {
    bool prints = h->options.value[OPTION_PRINTED].on, in_order = h->options.value[OPTION_SCHEDULE].choice;
    trace t = {0};
    machine_prepare_replay(s->machine);
    if (run->inputs && !(prints && in_order)) {
        trace_request wanted = {.path = &run->path, .inputs = run->inputs};
        if (o->violations.size) wanted = request_trace(s, o, &o->violations.data[0]);
        wanted.path = &run->path;
        wanted.inputs = run->inputs;
        trace_build(s->machine, &wanted, &t);
    }
    report about = {.command = "simulate", .result = o, .one_schedule = true};
    about.counters = collect_counters(s, o);
    about.trace = run->inputs ? &t : NULL;
    fill_result(h, s, &about, &t, r);
    if (prints) {
        text printed = {0};
        if (!in_order) collect_printed(s->program, &t, &printed);
        replace_string(&r->text, text_cstr(in_order ? &run->printed : &printed));
        text_free(&printed);
    }
    trace_free(&t);
}

heddle_result *heddle_simulate(heddle *h) {
    heddle_result *r = result_create();
    inquiry q;
    program *p = prepare(h, &q, NULL, r);
    if (p) {
        session s;
        outcome o = {0};
        simulation run = {0};
        const option_value *v = h->options.value;
        session_open(&s, p, &h->options, &q, &h->interrupted, h->begun);
        simulate_options how = {.seed = v[OPTION_SEED].number,
                                .steps = simulated_steps(h),
                                .properties = q.spec.properties,
                                .interrupted = session_should_stop,
                                .interrupted_data = &s};
        source inputs = *written(h, OPTION_INPUTS) ? source_read(written(h, OPTION_INPUTS)) : (source){0};
        const char *misfit = simulation_misfit(h, &s, &inputs);
        if (misfit) {
            text said = {0};
            text_format(&said, "heddle: error: %s\n", misfit);
            replace_string(&r->diagnostics, text_cstr(&said));
            text_free(&said);
            r->verdict = HEDDLE_BAD_INPUT;
        } else {
            if (v[OPTION_SCHEDULE].choice)
                in_order_simulate(&s, &how, inputs.text, &o, &run);
            else
                simulate_run(s.machine, &how, &o, &run);
            blame_limits(&s, &o);
            tell_simulation(h, &s, &o, &run, r);
        }
        source_free(&inputs);
        simulation_free(&run);
        outcome_free(&o);
        session_close(&s);
    }
    inquiry_free(&q);
    atomic_store(&h->interrupted, false);
    return r;
}

/* --- explain -------------------------------------------------------------------------------------------- */

bool heddle_file_sha256(const char *path, char hex[65]) {
    source s = source_read(path);
    bool good = !s.error;
    memcpy(hex, good ? s.sha256 : "", good ? SHA256_HEX : 1);
    source_free(&s);
    return good;
}

static void add_recorded_files(heddle *h, const recorded_trace *from) {
    size_t i;
    json_t *one;
    json_array_foreach(from->inputs, i, one) {
        const char *name = json_string_value(json_object_get(one, "file"));
        if (name && explain_is_given_file(from, name)) heddle_add_file(h, name);
    }
}

/* The trace of what was executed, told like any other, below what became of the recorded one. */
static void tell_explanation(heddle *h, session *s, outcome *o, const retrace *told, heddle_result *r) {
    trace t = {0};
    bool fails = o->violations.size > 0;
    trace_request wanted = {.path = &told->path, .stops = o->stops, .inputs = told->inputs};
    if (fails) wanted = request_trace(s, o, &o->violations.data[0]);
    machine_prepare_replay(s->machine);
    trace_build(s->machine, &wanted, &t);
    if (fails) o->violations.data[0].confirmed = t.followed;
    report_explanation shown = {retrace_answer_name(told->answer), told->step, text_cstr(&told->said)};
    report about = {
        .command = "explain", .result = o, .one_schedule = true, .trace = &t, .explanation = &shown};
    fill_result(h, s, &about, &t, r);
    text all = {0};
    text_add(&all, text_cstr(&told->said));
    const char *body = strchr(r->text, '\n');
    bool in_full = fails ? !h->options.value[OPTION_QUIET].on : h->options.value[OPTION_VERBOSE].on;
    if (in_full && body) text_add(&all, body + 1);
    replace_string(&r->text, text_cstr(&all));
    text_free(&all);
    if (!t.followed) {
        r->verdict = HEDDLE_INTERNAL_ERROR;
        replace_string(&r->reason, "what was executed cannot be executed again");
    }
    trace_free(&t);
}

static void explain_prepared(heddle *h, const inquiry *q, program *p, const recorded_trace *from,
                             heddle_result *r) {
    static const heddle_explanation public_answer[] = {[RETRACE_STILL_FAILS] = HEDDLE_STILL_FAILS,
                                                       [RETRACE_FAILS_OTHERWISE] = HEDDLE_FAILS_OTHERWISE,
                                                       [RETRACE_FIXED] = HEDDLE_FIXED_ALONG_SCHEDULE,
                                                       [RETRACE_DIVERGES] = HEDDLE_DIVERGES};
    session s;
    outcome o = {0};
    retrace told;
    report_files files = {0};
    session_open(&s, p, &h->options, q, &h->interrupted, h->begun);
    list_files(q->sources.data, q->sources.size, true, &files);
    explain_run(&s, from, files.data, files.size, &o, &told);
    tell_explanation(h, &s, &o, &told, r);
    r->explanation = public_answer[told.answer];
    retrace_free(&told);
    vec_free(&files);
    outcome_free(&o);
    session_close(&s);
}

heddle_result *heddle_explain(heddle *h, const char *trace, size_t length) {
    heddle_result *r = result_create();
    recorded_trace from;
    text errors = {0};
    const char *broken = recorded_read(trace, length, &from);
    r->verdict = HEDDLE_BAD_INPUT;
    if (broken) text_format(&errors, "heddle: error: the trace cannot be followed: %s\n", broken);
    if (!broken && explain_take_options(&h->options, &from, &errors)) {
        inquiry q;
        if (!h->sources.size) add_recorded_files(h, &from);
        program *p = prepare(h, &q, NULL, r);
        if (p) explain_prepared(h, &q, p, &from, r);
        inquiry_free(&q);
    }
    if (errors.size) replace_string(&r->diagnostics, text_cstr(&errors));
    text_free(&errors);
    recorded_free(&from);
    atomic_store(&h->interrupted, false);
    return r;
}

/* --- dump ----------------------------------------------------------------------------------------------- */

static void log_query(void *data, const char *smtlib, solver_answer answer) {
    static const char *const names[] = {
        [SOLVER_UNSAT] = "unsat", [SOLVER_SAT] = "sat", [SOLVER_UNKNOWN] = "unknown"};
    text_format(data, "; expected: %s\n%s(reset)\n\n", names[answer], smtlib);
}

static void dump_queries(heddle *h, session *s, text *out) {
    outcome o = {0};
    attempts given_up = {0};
    s->stays_in_one_process = true; /* all queries are wanted */
    solver_set_log(s->solver, log_query, out);
    certification none = {0};
    explore(h, s, &o, &given_up, &none);
    certification_close(&none);
    solver_set_log(s->solver, NULL, NULL);
    vec_free(&given_up);
    outcome_free(&o);
}

static void dump_source(const heddle *h, const inquiry *q, text *out, heddle_result *r) {
    text errors = {0};
    if (!compile_print(&h->options, q, out, &errors)) r->verdict = HEDDLE_BAD_INPUT;
    if (errors.size) replace_string(&r->diagnostics, text_cstr(&errors));
    text_free(&errors);
}

static void dump_segments(const session *s, text *out, heddle_result *r) {
    if (s->program->kernel == KERNEL_SYSTEMC) {
        segments_print(s->program, machine_segments(s->machine), out);
    } else {
        replace_string(&r->diagnostics, "heddle: error: only IVL programs have segments\n");
        r->verdict = HEDDLE_BAD_INPUT;
    }
}

static void dump_picture(session *s, picture_kind what, text *out, heddle_result *r) {
    const char *trouble = pictures_dump(s, what, out);
    if (!trouble) return;
    text said = {0};
    text_format(&said, "heddle: error: %s\n", trouble);
    replace_string(&r->diagnostics, text_cstr(&said));
    text_free(&said);
    r->verdict = HEDDLE_BAD_INPUT;
}

heddle_result *heddle_dump(heddle *h) {
    heddle_result *r = result_create();
    inquiry q;
    program *p = prepare(h, &q, NULL, r);
    if (p) {
        enum { IR, SEGMENTS, IVL, SMTLIB, SOURCE, PICTURES } what = h->options.value[OPTION_WHAT].choice;
        if (h->options.value[OPTION_SMTLIB].on) what = SMTLIB;
        session s;
        text out = {0};
        session_open(&s, p, &h->options, &q, &h->interrupted, h->begun);
        r->verdict = HEDDLE_SAFE;
        switch (what) {
        case IR: program_print(p, &out); break;
        case SEGMENTS: dump_segments(&s, &out, r); break;
        case IVL:
        case SOURCE: dump_source(h, &q, &out, r); break;
        case SMTLIB: dump_queries(h, &s, &out); break;
        default: dump_picture(&s, (picture_kind)(what - PICTURES), &out, r); break;
        }
        replace_string(&r->text, text_cstr(&out));
        text_free(&out);
        session_close(&s);
    }
    inquiry_free(&q);
    atomic_store(&h->interrupted, false);
    return r;
}
