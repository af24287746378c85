#include "api/choice.h"
#include "api/run.h"
#include "base/clock.h"
#include "machine/seen.h"
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

/* Turns end by the clock, and steps and queries wherever they are: none of that says more than the limit. */
static bool was_broken_off(const doubt *d) {
    return d->why.kind == REASON_INTERRUPTED || d->why.kind == REASON_TIME;
}

/* Whatever was broken off at a limit left its own reason; the limit is what the user can change. */
static void blame_limit(const session *s, outcome *o, reason_kind limit) {
    if (o->complete && !o->doubts.size) return;
    outcome again = {0};
    doubt first = {.why.kind = limit};
    for (size_t i = 0; i < o->doubts.size && !first.about; i++) {
        if (!was_broken_off(&o->doubts.data[i])) continue;
        first.about = o->doubts.data[i].about;
        first.busy = o->doubts.data[i].busy;
    }
    if (s->program->elaboration.busy) {
        first.about = s->program->elaboration.busy;
        first.busy = BUSY_ELABORATING;
    }
    outcome_add_doubt(&again, first);
    for (size_t i = 0; i < o->doubts.size; i++)
        if (!was_broken_off(&o->doubts.data[i])) outcome_add_doubt(&again, o->doubts.data[i]);
    vec_clear(&o->doubts);
    for (size_t i = 0; i < again.doubts.size; i++) vec_push(&o->doubts, again.doubts.data[i]);
    outcome_free(&again);
    assert(outcome_verdict(o) != VERDICT_SAFE); /* a limit that was hit leaves a doubt */
}

static bool was_told_to_stop(const outcome *o) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (was_broken_off(&o->doubts.data[i])) return true;
    return false;
}

void run_blame_limits(const session *s, outcome *o) {
    bool told = was_told_to_stop(o);
    control_stop by = control_stopped_by(&s->control);
    if (control_time_is_up(&s->control) || (told && by == STOPPED_BY_TIME))
        blame_limit(s, o, REASON_TIME);
    else if (control_memory_is_up(&s->control) || (told && by == STOPPED_BY_MEMORY))
        blame_limit(s, o, REASON_MEMORY);
    else if (told)
        blame_limit(s, o, REASON_INTERRUPTED);
}

/* A matched state may close a cycle, which is an execution without end: then it cannot be said. */
bool run_assumed_all_away(const outcome *o) {
    return seen_all_assumed_away(&o->seen) && !o->stats.matched && o->complete;
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
        outcome_doubt(o, REASON_UNCHECKED_VIOLATION, c ? c->at : (position){0, 0});
        vec_free(&v->path);
        valuation_destroy(v->inputs);
    }
    o->violations.size = kept;
}

static void add_doubts(const session *s, outcome *o) {
    run_blame_limits(s, o);
    drop_unasked_violations(s, o);
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
    add_doubts(s, o);
    certification_write(proof, o);
}

/* Explores, or looks at the certificate that was given. */
void run_find_answer(heddle *h, session *s, outcome *o, attempts *given_up, certification *proof) {
    if (s->inquiry->has_certificate) {
        const source *given = &s->inquiry->others.data[s->inquiry->certificate];
        certification_check(proof, s, given->text, given->length, o);
        add_doubts(s, o);
        proof->confirmed = outcome_verdict(o) == VERDICT_SAFE;
    } else {
        run_explore(h, s, o, given_up, proof);
        certification_confirm(proof, s, add_doubts, o);
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
