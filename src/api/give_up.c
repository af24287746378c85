/* The answer of a run that nobody waited for. */
#include "api/run.h"
#include "base/clock.h"

/* What is known of a program that nobody has seen. */
static program *unseen_program(const inquiry *q) {
    const source *first = &q->sources.data[0];
    frontend_text t = {first->name, first->text, first->length};
    program *p = program_create(q->frontend->guess_kernel(&t), first->name);
    uint32_t f = program_add_function(p, "main", FUNCTION_MAIN, (position){0, 0});
    function_add_block(p, f);
    function_emit(p, f, 0, INSTR_RETURN, (position){0, 0});
    vec_push(&p->threads, ((thread_info){.name = "main", .function = f}));
    return p;
}

typedef struct ended_run {
    const char *command;
    reason_kind reason;
    heddle_stage stage;
    const heddle_progress *so_far; /* NULL: nobody knows */
} ended_run;

static statistics counted(const heddle_progress *p) {
    return (statistics){.states = p->states,
                        .transitions = p->transitions,
                        .executions = p->executions,
                        .depth = p->depth,
                        .solver_queries = p->solver_queries,
                        .seconds = p->seconds,
                        .peak_memory_bytes = p->memory_bytes};
}

static void tell(heddle *h, const inquiry *q, const ended_run *run, heddle_result *r) {
    session s;
    session_open(&s, unseen_program(q), &h->options, q, &h->interrupted, h->begun);
    outcome o = {0};
    outcome_doubt(&o, run->reason, (position){0, 0});
    outcome_conclude(&o);
    if (run->so_far) o.stats = counted(run->so_far);
    if (run->so_far && *run->so_far->engine) o.engine = run->so_far->engine;
    report about = {.command = run->command, .result = &o, .unseen = true};
    about.one_schedule = strcmp(run->command, "check") != 0;
    about.counters = (counters){.explorer = o.stats};
    report_add_note(&about, "ended", "it was ended while %s", heddle_stage_name(run->stage));
    run_fill_result(h, &s, &about, NULL, r);
    outcome_free(&o);
    session_close(&s);
}

static void give_up(heddle *h, const ended_run *run, heddle_result *r) {
    inquiry q = {0};
    text errors = {0};
    if (inquiry_resolve(&h->options, h->sources.data, h->sources.size, &q, &errors)) {
        tell(h, &q, run, r);
    } else {
        r->verdict = HEDDLE_BAD_INPUT;
        result_replace(&r->diagnostics, text_cstr(&errors));
    }
    text_free(&errors);
    inquiry_free(&q);
}

void run_give_up(heddle *h, const char *command, heddle_result *r) {
    result_replace(&r->diagnostics, "");
    give_up(h, &(ended_run){command, run_why_stopped(h), HEDDLE_COMPILING, NULL}, r);
}

heddle_result *heddle_give_up(heddle *h, bool interrupted, heddle_stage stage,
                              const heddle_progress *so_far) {
    heddle_result *r = result_create();
    h->begun = clock_wall();
    give_up(h, &(ended_run){"check", interrupted ? REASON_INTERRUPTED : REASON_TIME, stage, so_far}, r);
    return r;
}
