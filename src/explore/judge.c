#include "explore/judge.h"

#include "base/invariant.h"
#include "machine/hangs.h"
#include "machine/place.h"
#include "machine/record.h"
#include "machine/seen.h"

#include <stdlib.h>

judge judge_create(machine *m, const explore_options *options, outcome *out) {
    judge j = {.machine = m, .options = options, .out = out};
    j.how = (step_options){.effects = true, .stops = options->stops, .threads = options->threads};
    /* An assertion that is not asked about is absent: if it cut its path it would hide
     * violations that are. */
    j.how.continue_after_violation = options->all || !(options->properties & PROPERTY_ASSERT);
    return j;
}

static bool is_known(const judge *j, const violation *wanted) {
    for (size_t i = 0; i < j->out->violations.size; i++) {
        const violation *v = &j->out->violations.data[i];
        bool same = v->kind == VIOLATION_RACE ? v->places == wanted->places : v->check == wanted->check;
        if (v->kind == wanted->kind && same && v->confirmed) return true;
    }
    return false;
}

reason_kind judge_why_unconfirmed(const explore_options *o) {
    bool interrupted = o->interrupted && o->interrupted(o->interrupted_data);
    return interrupted ? REASON_INTERRUPTED : REASON_UNCONFIRMED;
}

/* The check that may fail or could not be looked at, and the calls that led there. */
static const char *tell_about(const judge *j, const successor *s) {
    const state *at = s->to;
    text said = {0};
    if (s->end == STEP_VIOLATION) {
        const check *c = machine_check(j->machine, s->check);
        text_format(&said, "%s: %s", c->kind == CHECK_ASSERTION ? "assertion" : "check", c->text);
    }
    if (at && s->thread < state_thread_count(at)) state_print_callers(j->machine, at, s->thread, &said);
    const char *words = text_cstr(&said);
    if (!strncmp(words, ", ", 2)) words += 2;
    const char *kept = *words ? machine_keep_text(j->machine, words) : NULL;
    text_free(&said);
    return kept;
}

void judge_doubt_end(judge *j, reason why, const successor *s) {
    assert(why.kind != REASON_NONE && !j->out->concluded);
    for (size_t i = 0; i < j->out->doubts.size; i++) { /* often the same, and texts cost */
        const doubt *d = &j->out->doubts.data[i];
        if (d->at.line == s->place.line && d->at.column == s->place.column && d->file == s->file &&
            reason_is_same(d->why, why))
            return;
    }
    outcome_add_doubt(j->out,
                      (doubt){.why = why, .at = s->place, .file = s->file, .about = tell_about(j, s)});
}

void judge_doubt_next(judge *j, reason_kind why, const state *s, uint32_t thread) {
    pending p;
    machine_pending(j->machine, s, thread, &p);
    const char *file = state_file(j->machine, s, thread);
    outcome_add_doubt(j->out, (doubt){.why.kind = why, .at = p.at, .file = file});
}

void judge_doubt_violation(judge *j, const successor *s) {
    assert(s->end == STEP_VIOLATION);
    if (is_known(j, &(violation){.kind = VIOLATION_CHECK, .check = s->check})) return;
    judge_doubt_end(j, (reason){.kind = judge_why_unconfirmed(j->options)}, s);
}

void judge_violation(judge *j, violation v, const successor *end, path_recorder record, void *data) {
    assert(!j->out->concluded);
    if (is_known(j, &v)) return;
    record(data, &v.path);
    if (violation_confirm(j->machine, &v, &j->how)) {
        assert(v.confirmed);
        outcome_add_violation(j->out, v);
        if (!j->options->all) j->stop = true;
        return;
    }
    judge_doubt_end(j, (reason){.kind = judge_why_unconfirmed(j->options)}, end);
    vec_free(&v.path);
    valuation_destroy(v.inputs);
}

bool judge_wants_race_note(const judge *j) {
    return j->options->note_races && !machine_seen_so_far(j->machine)->race.known;
}

void judge_note_race(judge *j, violation v, path_recorder record, void *data) {
    record(data, &v.path);
    state *end = violation_replay(j->machine, &v, &j->how);
    const state *both[] = {end, end};
    if (end && violation_confirm(j->machine, &v, &j->how)) machine_note_race(j->machine, both, v.racing);
    state_release(j->machine, end);
    vec_free(&v.path);
    valuation_destroy(v.inputs);
}

void judge_note_late_race(judge *j, violation v, const state *const at[2], path_recorder record, void *data) {
    record(data, &v.path);
    if (violation_confirm(j->machine, &v, &j->how)) machine_note_race(j->machine, at, v.racing);
    vec_free(&v.path);
    valuation_destroy(v.inputs);
}

static void judge_check(judge *j, const successor *s, path_recorder record, void *data) {
    assert(s->end == STEP_VIOLATION && s->check < machine_check_count(j->machine));
    check_kind kind = machine_check(j->machine, s->check)->kind;
    bool absent = check_is_stated(kind) && !(j->options->properties & property_of_check(kind));
    if (check_is_asked_for(j->options->properties, j->options->unasked, kind))
        judge_violation(j, (violation){.kind = VIOLATION_CHECK, .check = s->check}, s, record, data);
    else if (!absent)
        judge_doubt_end(j, (reason){.kind = REASON_UNCHECKED_VIOLATION}, s);
}

static bool others_live(const state *s, uint32_t thread) {
    for (uint32_t t = 0; t < state_thread_count(s); t++)
        if (t != thread && state_thread_status(s, t) == THREAD_RUNNABLE) return true;
    return false;
}

bool judge_cuts_off_others(const judge *j, const state *from, uint32_t thread, const successor *s) {
    bool finished = s->end == STEP_FINISHED;
    if (!finished && s->end != STEP_VIOLATION) return false;
    if (finished && machine_exits_anywhere(j->machine))
        return true; /* also what others have done could come after */
    if (!others_live(from, thread)) return false;
    if (finished) return !machine_is_at_program_end(j->machine, from, thread);
    return !j->how.continue_after_violation || !check_is_stated(machine_check(j->machine, s->check)->kind);
}

void judge_step_end(judge *j, const successor *s, path_recorder record, void *data) {
    if (s->end == STEP_VIOLATION) judge_check(j, s, record, data);
    if (s->end == STEP_LIMIT) judge_doubt_end(j, s->why, s);
}

/* What one look at the state tells, or many at what comes after it. */
static hang_answer is_hang(judge *j, const state *s, violation_kind kind, bool further) {
    if (kind == VIOLATION_LIVELOCK)
        return further ? machine_spins_for_ever(j->machine, s) : machine_livelocked(j->machine, s);
    if (further) return machine_blocked_for_ever(j->machine, s);
    return machine_deadlocked(j->machine, s) ? HANG_CERTAIN : HANG_NOT;
}

static bool judge_hang(judge *j, const state *s, violation_kind kind, bool further, path_recorder record,
                       void *data) {
    switch (is_hang(j, s, kind, further)) {
    case HANG_NOT: return false;
    case HANG_PERHAPS:
        outcome_doubt(j->out, kind == VIOLATION_LIVELOCK ? REASON_OPEN_LOOP : REASON_OPEN_WAIT,
                      (position){0, 0});
        return false;
    case HANG_CERTAIN: break;
    }
    judge_violation(j, (violation){.kind = kind}, &(successor){0}, record, data);
    return true;
}

void judge_hangs(judge *j, const state *s, bool further, path_recorder record, void *data) {
    bool dead = j->options->properties & PROPERTY_DEADLOCK &&
                judge_hang(j, s, VIOLATION_DEADLOCK, further, record, data);
    bool loops_can_wait = program_kernel(machine_program(j->machine))->loops_can_wait;
    if (!dead && loops_can_wait && j->options->properties & PROPERTY_LIVELOCK)
        judge_hang(j, s, VIOLATION_LIVELOCK, further, record, data);
}

void judge_standstill(judge *j, const state *s, path_recorder record, void *data) {
    judge_hangs(j, s, true, record, data);
}

static int compare_numbers(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void judge_sort_traces(outcome *o) {
    uint64_t *list = o->trace_classes.data;
    size_t kept = 0, count = o->trace_classes.size;
    if (count) qsort(list, count, sizeof *list, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (!kept || list[kept - 1] != list[i]) list[kept++] = list[i];
    o->trace_classes.size = kept;
}
