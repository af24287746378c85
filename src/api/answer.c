#include "api/engine.h"
#include "api/run.h"
#include "base/clock.h"
#include "machine/state.h"

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
    return !strcmp(d->reason, "interrupted") || !strcmp(d->reason, "time limit");
}

/* Whatever was broken off at a limit left its own reason; the limit is what the user can change. */
static void blame_limit(const session *s, outcome *o, const char *limit) {
    if (o->complete && !o->doubts.size) return;
    outcome again = {0};
    doubt first = {.reason = limit};
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
}

static bool was_told_to_stop(const outcome *o) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (was_broken_off(&o->doubts.data[i])) return true;
    return false;
}

void run_blame_limits(const session *s, outcome *o) {
    bool told = was_told_to_stop(o);
    session_stop by = session_stopped_by(s);
    if (session_time_is_up(s) || (told && by == STOPPED_BY_TIME))
        blame_limit(s, o, "time limit");
    else if (session_memory_is_up(s) || (told && by == STOPPED_BY_MEMORY))
        blame_limit(s, o, "memory limit");
    else if (told)
        blame_limit(s, o, "interrupted");
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
bool run_assumed_all_away(const session_endings *seen, const outcome *o) {
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

static void doubt_livelocks(const session *s, outcome *o) {
    unsigned asked = s->inquiry->spec.properties;
    if (!(asked & PROPERTY_LIVELOCK)) return;
    bool preemptive = s->program->kernel == KERNEL_PREEMPTIVE;
    if (!preemptive && !(asked & PROPERTY_DEADLOCK))
        outcome_doubt(o, "livelocks are not looked for in SystemC and IVL", (position){0, 0});
    if (preemptive && !s->options->value[OPTION_SLEEP_SPINS].on)
        outcome_doubt(o, "livelocks are not looked for with --no-sleep-spins", (position){0, 0});
}

static void add_doubts(const session *s, outcome *o) {
    run_blame_limits(s, o);
    drop_unasked_violations(s, o);
    doubt_livelocks(s, o);
}

void run_explore(heddle *h, session *s, outcome *o, attempts *given_up, certification *proof) {
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
    trace_request wanted = {.path = &v->path, .stops = o->stops, .inputs = v->inputs, .end = ends[v->kind]};
    if (v->kind == VIOLATION_CHECK) wanted.violated = *machine_check(s->machine, v->check);
    memcpy(wanted.racing, v->racing, sizeof wanted.racing);
    wanted.earlier = v->earlier;
    return wanted;
}
