#include "api/compile.h"
#include "api/in_order.h"
#include "api/run.h"
#include "api/shrinking.h"
#include "api/verdicts.h"
#include "machine/setup.h"
#include "native/native.h"
#include "native/simulator.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_trace_classes(const heddle *h, const outcome *o, heddle_result *r) {
    text lines = {0};
    for (size_t i = 0; i < o->trace_classes.size; i++)
        text_format(&lines, "%016" PRIx64 "\n", o->trace_classes.data[i]);
    run_write_file(run_written(h, OPTION_DUMP_TRACES), text_cstr(&lines), r);
    text_free(&lines);
}

static void write_stimulus(const heddle *h, const trace *t, heddle_result *r) {
    text lines = {0};
    simulator_print_stimulus(t, &lines);
    run_write_file(run_written(h, OPTION_STIMULUS), text_cstr(&lines), r);
    text_free(&lines);
}

static trace *build_traces(session *s, const outcome *o, const shrunk *smaller) {
    trace *traces = mem_zero(o->violations.size, sizeof *traces);
    for (size_t i = 0; i < o->violations.size; i++) {
        if (!o->violations.data[i].confirmed) continue;
        trace_request wanted = run_request_trace(s, o, &o->violations.data[i]);
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
    bool wanted = s->options->value[OPTION_REPLAY_BINARY].on && s->inquiry->frontend->binaries;
    for (size_t i = 0; wanted && i < o->violations.size; i++) {
        if (!o->violations.data[i].confirmed) continue;
        c_request with;
        trace_request what = run_request_trace(s, o, &o->violations.data[i]);
        bool ready = !c_request_open(s->options, s->inquiry, &with);
        const char *const *files = (const char *const *)with.files.data;
        if (ready && program_kernel(s->program)->has_simulator)
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
    run_enter_stage(h, HEDDLE_ANALYSING);
    session_open(&s, p, &h->options, q, &h->interrupted, h->begun);
    run_enter_stage(h, HEDDLE_EXPLORING);
    attempts given_up = {0};
    certification proof = {0};
    run_find_answer(h, &s, &o, &given_up, &proof);
    counters spent = run_counters(&s, &o); /* by the search alone */
    run_enter_stage(h, HEDDLE_SHRINKING);
    shrunk *smaller = shrinking_run(&s, &o);
    trace *traces = build_traces(&s, &o, smaller);
    report about = {.command = "check", .result = &o, .trace = first_confirmed(&o, traces)};
    about.counters = spent;
    about.all_assumed_away = outcome_is_vacuous(&o);
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
    run_enter_stage(h, HEDDLE_REPORTING);
    run_fill_result(h, &s, &about, traces, r);
    r->broken_off = h->options.value[OPTION_ALL].on && !o.complete;
    if (*run_written(h, OPTION_CERTIFICATE) && proof.written.size)
        run_write_file(run_written(h, OPTION_CERTIFICATE), text_cstr(&proof.written), r);
    if (*run_written(h, OPTION_DUMP_TRACES)) write_trace_classes(h, &o, r);
    if (*run_written(h, OPTION_STIMULUS) && about.trace) write_stimulus(h, about.trace, r);
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
    result_replace(&r->json, printed);
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
    const char *name = json_string_value(json_object_get(result, "verdict"));
    bool decided = verdict == HEDDLE_SAFE || verdict == HEDDLE_UNSAFE;
    if (!decided || !name || strcmp(name, heddle_verdict_name((heddle_verdict)verdict))) {
        json_decref(result);
        return false;
    }
    r->verdict = (heddle_verdict)verdict;
    result_replace(&r->reason, reason);
    result_replace(&r->svcomp, svcomp);
    result_replace(&r->text, said);
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
    bool decided = r->verdict == HEDDLE_SAFE || (r->verdict == HEDDLE_UNSAFE && !r->broken_off);
    if (!place->path || !decided) return;
    text errors = {0};
    json_t *answer = answer_json(r);
    const char *error = answer ? verdicts_store(place, answer) : NULL;
    if (error) text_format(&errors, "%s: error: %s\n", place->path, error);
    json_decref(answer);
    run_blame_outputs(r, &errors);
}

heddle_result *heddle_check(heddle *h) {
    heddle_result *r = result_create();
    inquiry q;
    text digests = {0};
    program *p = run_prepare(h, &q, &digests, r);
    if (p) {
        verdicts_place place = verdicts_locate(&h->options, &q, text_cstr(&digests));
        if (answer_from_cache(&place, r)) {
            program_destroy(p);
        } else {
            run_check(h, p, &q, r);
            keep_answer(&place, r);
        }
        verdicts_place_free(&place);
    } else if (r->verdict == HEDDLE_UNKNOWN) {
        run_give_up(h, "check", r);
    }
    text_free(&digests);
    inquiry_free(&q);
    atomic_store(&h->interrupted, false);
    return r;
}
