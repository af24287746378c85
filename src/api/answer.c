#include "api/choice.h"
#include "api/run.h"
#include "base/clock.h"
#include "base/invariant.h"
#include "strategy/blame.h"
#include "strategy/engine.h"

static void forward_progress(void *data, const statistics *so_far) {
    heddle *h = data;
    size_t here = memory_in_use(), elsewhere = so_far->peak_memory_bytes; /* in processes that work for it */
    heddle_progress p = {.engine = so_far->engines,
                         .states = so_far->states,
                         .transitions = so_far->transitions,
                         .executions = so_far->executions,
                         .depth = so_far->depth,
                         .solver_queries = so_far->solver_queries,
                         .seconds = so_far->seconds,
                         .whole_seconds = clock_wall() - h->begun,
                         .waiting = so_far->waiting,
                         .done = so_far->done,
                         .memory_bytes = here > elsewhere ? here : elsewhere};
    h->progress(h->progress_data, &p);
}

/* Explorers take what a specification does not name for no answer. */
FOR_ASSERTIONS static bool all_are_asked_for(const session *s, const outcome *o) {
    for (size_t i = 0; i < o->violations.size; i++) {
        const violation *v = &o->violations.data[i];
        check_kind k = v->kind == VIOLATION_CHECK ? machine_check(s->machine, v->check)->kind : CHECK_RACE;
        if (!specification_violated(&s->inquiry->spec, v->kind, k)) return false;
    }
    return true;
}

static void conclude(const session *s, outcome *o) {
    blame_limits(&s->control, s->program, o);
    assert(all_are_asked_for(s, o));
}

void run_explore(heddle *h, session *s, outcome *o, attempts *given_up, certification *proof) {
    explore_options how = session_explore_options(s);
    if (h->progress) {
        how.progress = forward_progress;
        how.progress_data = h;
    }
    certification_open(proof, s, &how);
    strategy with = session_strategy(s);
    text why = {0}; /* stays empty: the options were looked at before */
    const explorer *chosen = choice_engine(s->options, s->program, &why);
    assert(chosen && !why.size);
    engine_run(&with, chosen, &how, o, given_up);
    text_free(&why);
    conclude(s, o);
    certification_write(proof, o);
}

/* Explores, or looks at the certificate that was given. */
void run_find_answer(heddle *h, session *s, outcome *o, attempts *given_up, certification *proof) {
    if (s->inquiry->has_certificate) {
        const source *given = &s->inquiry->others.data[s->inquiry->certificate];
        certification_check(proof, s, given->text, given->length, o);
        conclude(s, o);
        proof->confirmed = outcome_verdict(o) == VERDICT_SAFE;
    } else {
        run_explore(h, s, o, given_up, proof);
        certification_confirm(proof, s, conclude, o);
    }
}

trace_request run_request_trace(const session *s, const outcome *o, const violation *v) {
    static const trace_end ends[] = {[VIOLATION_CHECK] = ENDS_IN_CHECK,
                                     [VIOLATION_DEADLOCK] = ENDS_IN_DEADLOCK,
                                     [VIOLATION_LIVELOCK] = ENDS_IN_LIVELOCK,
                                     [VIOLATION_RACE] = ENDS_IN_RACE};
    assert(v->confirmed);
    trace_request wanted = {.path = &v->path, .stops = o->stops, .inputs = v->inputs, .end = ends[v->kind]};
    if (v->kind == VIOLATION_CHECK) wanted.violated = *machine_check(s->machine, v->check);
    memcpy(wanted.racing, v->racing, sizeof wanted.racing);
    wanted.earlier = v->earlier;
    return wanted;
}
