/* Confirmation of violations: a symbolic replay for a model of all inputs, then a concrete one that must fail
 * at the same place. */
#include "base/hash.h"
#include "explore/explore.h"
#include "machine/state.h"

static bool is_data(const access *a) {
    return a->kind == ACCESS_READ || a->kind == ACCESS_WRITE || a->kind == ACCESS_UPDATE;
}

/* Two accesses to one byte, one of them a write, not both of them ordering memory. Two commuting updates do
 * not conflict for a reduction, but plain ones race. */
bool access_race(const access *a, const access *b) {
    if (!is_data(a) || !is_data(b) || (!a->plain && !b->plain) || (a->section && b->section)) return false;
    if (a->kind == ACCESS_READ && b->kind == ACCESS_READ) return false;
    return a->name == b->name && a->low < b->high && b->low < a->high;
}

static void copy_effect(const effect *from, effect *to) {
    for (size_t i = 0; from && i < from->size; i++) vec_push(to, from->data[i]);
}

/* An atomic section is executed to see what it touches. */
static void collect_section(machine *m, const state *s, uint32_t thread, effect *to) {
    successors list = {0};
    step_options how = {.effects = true};
    machine_step(m, s, (transition){thread, 0}, &how, &list);
    for (size_t i = 0; i < list.size; i++) effect_join(to, &list.data[i].touched);
    successors_free(m, &list);
}

bool state_races(machine *m, const state *s, const uint32_t threads[2], access racing[2],
                 position places[2]) {
    effect next[2] = {{0}, {0}};
    bool both = true, found = false;
    for (int i = 0; i < 2; i++) {
        pending p = {0};
        machine_pending(m, s, threads[i], &p);
        copy_effect(p.next, &next[i]);
        if (p.section && p.enabled) collect_section(m, s, threads[i], &next[i]);
        places[i] = p.at;
        both &= p.live && p.enabled;
    }
    for (size_t i = 0; both && i < next[0].size && !found; i++)
        for (size_t k = 0; k < next[1].size && !found; k++) {
            found = access_race(&next[0].data[i], &next[1].data[k]);
            racing[0] = next[0].data[i];
            racing[1] = next[1].data[k];
        }
    effect_free(&next[0]);
    effect_free(&next[1]);
    return found;
}

uint64_t state_place(const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    const frame *f = &t->frames[t->frame_count - 1];
    return (uint64_t)f->function << 44 | (uint64_t)f->block << 22 | f->index;
}

uint64_t race_places(uint64_t a, uint64_t b) {
    return a < b ? hash_pair(a, b) : hash_pair(b, a);
}

/* Both racing threads, if it is known where. */
static bool stand_there(const violation *v, const state *s) {
    for (int i = 0; i < 2; i++)
        if (v->racing[i] >= s->thread_count || !s->threads[v->racing[i]]->frame_count) return false;
    return !v->places || race_places(state_place(s, v->racing[0]), state_place(s, v->racing[1])) == v->places;
}

bool violation_is_reached(machine *m, const violation *v, const successor *end) {
    access racing[2];
    position places[2];
    switch (v->kind) {
    case VIOLATION_CHECK:
        return end->end == STEP_VIOLATION && (end->check == v->check || v->check == NO_INDEX);
    case VIOLATION_DEADLOCK: return end->end == STEP_STOPPED && machine_deadlocked(m, end->to);
    case VIOLATION_RACE:
        return end->end == STEP_STOPPED && stand_there(v, end->to) &&
               state_races(m, end->to, v->racing, racing, places);
    }
    return false;
}

/* The successor that the path took: recorded for the symbolic replay, the only one that goes on (or fails) in
 * the concrete one. */
static const successor *taken(machine *m, const violation *v, const successors *list, const path_step *step,
                              bool last, bool concrete) {
    if (!concrete) return step->successor < list->size ? &list->data[step->successor] : NULL;
    for (size_t i = 0; i < list->size; i++)
        if (last ? violation_is_reached(m, v, &list->data[i]) : list->data[i].end == STEP_STOPPED)
            return &list->data[i];
    return NULL;
}

/* With inputs for which a condition was only thought to hold, the path may not go where it should. */
static bool can_step(machine *m, const state *s, transition by) {
    if (machine_program(m)->kernel == KERNEL_PREEMPTIVE)
        return by.thread < s->thread_count && s->threads[by.thread]->status == THREAD_RUNNABLE;
    transitions enabled = {0};
    bool found = false;
    machine_enabled(m, s, &enabled);
    for (size_t k = 0; k < enabled.size && !found; k++)
        found = enabled.data[k].thread == by.thread && enabled.data[k].choice == by.choice;
    vec_free(&enabled);
    return found;
}

/* The state in which the path ends (a reference), or NULL if it cannot be followed to the violation. */
static state *replay(machine *m, violation *v, const step_options *how, bool concrete) {
    state *at = machine_initial(m);
    successors list = {0};
    step_options plain = {.stops = how->stops, .continue_after_violation = how->continue_after_violation};
    for (size_t i = 0; i < v->path.size && at; i++) {
        const path_step *step = &v->path.data[i];
        bool last = i + 1 == v->path.size;
        successors_clear(m, &list);
        if (step->by.thread == MACHINE_SETTLE)
            machine_settle(m, at, &list);
        else if (can_step(m, at, step->by))
            machine_step(m, at, step->by, &plain, &list);
        const successor *next = taken(m, v, &list, step, last, concrete);
        bool ok = next && (!last || violation_is_reached(m, v, next));
        if (ok && last && v->kind == VIOLATION_CHECK) v->check = next->check;
        state_release(m, at);
        at = ok ? state_share(next->to) : NULL;
    }
    successors_free(m, &list);
    return at;
}

static valuation *model_of_path(machine *m, const state *s) {
    if (solver_check(machine_solver(m), state_path(s), s->path_count) != SOLVER_SAT) return NULL;
    const valuation *model = solver_model(machine_solver(m));
    valuation *copy = valuation_create();
    for (uint32_t i = 0; i < s->path_count; i++) {
        const term_support *symbols = s->path->conjunct[i]->support;
        for (uint32_t k = 0; symbols && k < symbols->size; k++) {
            uint64_t number;
            valuation_get(model, symbols->symbol[k], &number);
            valuation_set(copy, symbols->symbol[k], number);
        }
    }
    return copy;
}

state *violation_replay(machine *m, violation *v, const step_options *how) {
    bool collected = machine_set_path_gc(m, false);
    state *end = replay(m, v, how, false);
    machine_set_path_gc(m, collected);
    return end;
}

bool violation_replays_with(machine *m, violation *v, const step_options *how, const valuation *inputs) {
    machine_fix_inputs(m, inputs);
    state *end = replay(m, v, how, true);
    machine_fix_inputs(m, NULL);
    state_release(m, end);
    return end != NULL;
}

bool violation_confirm(machine *m, violation *v, const step_options *how) {
    bool hurried = !solver_set_unhurried(machine_solver(m), true);
    state *end = violation_replay(m, v, how);
    if (end) v->inputs = model_of_path(m, end);
    solver_set_unhurried(machine_solver(m), !hurried);
    state_release(m, end);
    return v->confirmed = v->inputs && violation_replays_with(m, v, how, v->inputs);
}
