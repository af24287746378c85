#include "api/explain.h"
#include "api/run.h"
#include "machine/setup.h"

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
    if (fails) wanted = run_request_trace(s, o, &o->violations.data[0]);
    trace_build(s->machine, &wanted, &t);
    if (fails) o->violations.data[0].confirmed = t.followed;
    report_explanation shown = {retrace_answer_name(told->answer), told->step, text_cstr(&told->said)};
    report about = {
        .command = "explain", .result = o, .one_schedule = true, .trace = &t, .explanation = &shown};
    run_fill_result(h, s, &about, &t, r);
    text all = {0};
    text_add(&all, text_cstr(&told->said));
    const char *body = strchr(r->text, '\n');
    bool in_full = fails ? !h->options.value[OPTION_QUIET].on : h->options.value[OPTION_VERBOSE].on;
    if (in_full && body) text_add(&all, body + 1);
    result_replace(&r->text, text_cstr(&all));
    text_free(&all);
    if (!t.followed) {
        r->verdict = HEDDLE_INTERNAL_ERROR;
        result_replace(&r->reason, "what was executed cannot be executed again");
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
    run_enter_stage(h, HEDDLE_ANALYSING);
    session_open(&s, p, &h->options, q, &h->interrupted, h->begun);
    run_enter_stage(h, HEDDLE_EXPLORING);
    run_list_files(q->sources.data, q->sources.size, true, &files);
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
        program *p = run_prepare(h, &q, NULL, r);
        if (p) explain_prepared(h, &q, p, &from, r);
        inquiry_free(&q);
    }
    if (errors.size) result_replace(&r->diagnostics, text_cstr(&errors));
    text_free(&errors);
    recorded_free(&from);
    atomic_store(&h->interrupted, false);
    return r;
}
