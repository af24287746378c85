#include "api/compile.h"
#include "api/pictures.h"
#include "api/run.h"

static void log_query(void *data, const char *smtlib, solver_answer answer) {
    static const char *const names[] = {
        [SOLVER_UNSAT] = "unsat", [SOLVER_SAT] = "sat", [SOLVER_UNKNOWN] = "unknown"};
    text_format(data, "; expected: %s\n%s(reset)\n\n", names[answer], smtlib);
}

static void dump_queries(heddle *h, session *s, text *out, heddle_result *r) {
    outcome o = {0};
    attempts given_up = {0};
    s->stays_in_one_process = true; /* all queries are wanted */
    solver_set_log(s->solver, log_query, out);
    certification none = {0};
    run_explore(h, s, &o, &given_up, &none);
    if (control_should_stop(&s->control)) {
        result_replace(&r->diagnostics, "heddle: the exploration was broken off: there are more queries\n");
        r->verdict = HEDDLE_UNKNOWN;
    }
    certification_close(&none);
    solver_set_log(s->solver, NULL, NULL);
    vec_free(&given_up);
    outcome_free(&o);
}

static void dump_source(const heddle *h, const inquiry *q, text *out, heddle_result *r) {
    text errors = {0};
    if (!compile_print(&h->options, q, out, &errors)) r->verdict = HEDDLE_BAD_INPUT;
    if (errors.size) result_replace(&r->diagnostics, text_cstr(&errors));
    text_free(&errors);
}

static bool has_segments(const kernel_traits *k) {
    return k->steps_are_segments;
}

static void refuse_segments(heddle_result *r) {
    text said = {0};
    text_add(&said, "heddle: error: only programs in ");
    kernels_describe(has_segments, &said);
    text_add(&said, " have segments\n");
    result_replace(&r->diagnostics, text_cstr(&said));
    text_free(&said);
    r->verdict = HEDDLE_BAD_INPUT;
}

static void dump_segments(const session *s, text *out, heddle_result *r) {
    if (has_segments(program_kernel(s->program)))
        segments_print(s->program, machine_segments(s->machine), out);
    else
        refuse_segments(r);
}

/* A file to be filled in: as it stands each returns any value and does nothing else. */
static void dump_stubs(const program *p, text *out) {
    static const char *const drawn[] = {
        "_Bool __VERIFIER_nondet_bool",         "char __VERIFIER_nondet_char",
        "short __VERIFIER_nondet_short",        "int __VERIFIER_nondet_int",
        "long __VERIFIER_nondet_long",          "float __VERIFIER_nondet_float",
        "long long __VERIFIER_nondet_longlong", "double __VERIFIER_nondet_double"};
    if (!p->missing.size) {
        text_add(out, "/* Every function that the program calls has a body. */\n");
        return;
    }
    text_add(out,
             "/* Functions that are called and have no body. As it stands each returns any value and changes "
             "nothing:\n * write what it reads, writes and returns, and give this file, as C or C++, by "
             "--stubs. */\n#ifdef __cplusplus\n#define _Bool bool\nextern \"C\" {\n#endif\n");
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        text_format(out, "extern %s(void);\n", drawn[i]);
    for (size_t i = 0; i < p->missing.size; i++) {
        const missing_function *m = &p->missing.data[i];
        text_char(out, '\n');
        if (m->at.line)
            text_format(out, "/* called at %s:%u:%u */\n", m->file ? m->file : p->file, m->at.line,
                        m->at.column);
        text_add(out, m->stub);
    }
    text_add(out, "\n#ifdef __cplusplus\n}\n#endif\n");
}

static void dump_picture(session *s, picture_kind what, text *out, heddle_result *r) {
    const char *trouble = pictures_dump(s, what, out);
    if (!trouble) return;
    text said = {0};
    text_format(&said, "heddle: error: %s\n", trouble);
    result_replace(&r->diagnostics, text_cstr(&said));
    text_free(&said);
    r->verdict = HEDDLE_BAD_INPUT;
}

heddle_result *heddle_dump(heddle *h) {
    heddle_result *r = result_create();
    inquiry q;
    program *p = run_prepare(h, &q, NULL, r);
    if (p) {
        enum {
            IR,
            SEGMENTS,
            IVL,
            SMTLIB,
            SOURCE,
            PICTURES,
            STUBS = PICTURES + PICTURE_ABSTRACT_STATES + 1
        } what = h->options.value[OPTION_WHAT].choice;
        if (h->options.value[OPTION_SMTLIB].on) what = SMTLIB;
        session s;
        text out = {0};
        run_enter_stage(h, HEDDLE_ANALYSING);
        session_open(&s, p, &h->options, &q, &h->interrupted, h->begun);
        run_enter_stage(h, HEDDLE_EXPLORING);
        r->verdict = HEDDLE_SAFE;
        switch (what) {
        case IR: program_print(p, &out); break;
        case SEGMENTS: dump_segments(&s, &out, r); break;
        case IVL:
        case SOURCE: dump_source(h, &q, &out, r); break;
        case SMTLIB: dump_queries(h, &s, &out, r); break;
        case STUBS: dump_stubs(p, &out); break;
        default: dump_picture(&s, (picture_kind)(what - PICTURES), &out, r); break;
        }
        result_replace(&r->text, text_cstr(&out));
        text_free(&out);
        session_close(&s);
    }
    inquiry_free(&q);
    atomic_store(&h->interrupted, false);
    return r;
}
