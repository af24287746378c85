/* Confirmation of violations: a symbolic replay for a model of all inputs, then a concrete one that must fail
 * at the same place. */
#include "analysis/future.h"
#include "base/hash.h"
#include "explore/explore.h"
#include "explore/happens.h"
#include "explore/laws.h"
#include "explore/player.h"
#include "machine/hangs.h"
#include "machine/place.h"
#include "machine/setup.h"

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

void state_collect_next(machine *m, const state *s, const step_options *how, uint32_t thread, effect *to) {
    successors list = {0};
    step_options with_effects = *how;
    with_effects.effects = true;
    machine_step_thread(m, s, thread, &with_effects, &list);
    for (size_t i = 0; i < list.size; i++) effect_join(to, &list.data[i].touched);
    successors_free(m, &list);
}

bool state_races(machine *m, const state *s, const step_options *how, const uint32_t threads[2],
                 access racing[2], seen_place places[2]) {
    effect next[2] = {{0}, {0}};
    bool both = true, found = false;
    for (int i = 0; i < 2; i++) {
        pending p = {0};
        machine_pending(m, s, threads[i], &p);
        copy_effect(p.next, &next[i]);
        if (p.section && p.enabled) state_collect_next(m, s, how, threads[i], &next[i]);
        places[i] = (seen_place){.at = p.at};
        both &= p.live && p.enabled;
    }
    for (size_t i = 0; both && i < next[0].size && !found; i++)
        for (size_t k = 0; k < next[1].size && !found; k++) {
            found = access_race(&next[0].data[i], &next[1].data[k]);
            racing[0] = next[0].data[i];
            racing[1] = next[1].data[k];
        }
    for (int i = 0; i < 2 && found; i++) places[i].file = state_file(m, s, threads[i]);
    effect_free(&next[0]);
    effect_free(&next[1]);
    return found;
}

uint64_t state_place(const state *s, uint32_t thread) {
    call_site at = state_innermost(s, thread);
    return place_of_alloc(at.function, at.block, at.index);
}

uint64_t race_places(uint64_t a, uint64_t b) {
    return a < b ? hash_pair(a, b) : hash_pair(b, a);
}

/* Both racing threads, if it is known where. */
static bool stand_there(const violation *v, const state *s) {
    for (int i = 0; i < 2; i++)
        if (!state_thread(s, v->racing[i]).depth) return false;
    return !v->places || race_places(state_place(s, v->racing[0]), state_place(s, v->racing[1])) == v->places;
}

bool violation_is_reached(machine *m, const violation *v, const valuation *inputs, const successor *end) {
    access racing[2];
    seen_place places[2];
    switch (v->kind) {
    case VIOLATION_CHECK:
        return end->end == STEP_VIOLATION && (end->check == v->check || v->check == NO_INDEX);
    case VIOLATION_DEADLOCK:
        return end->end == STEP_STOPPED && machine_blocked_for_ever(m, end->to) == HANG_CERTAIN;
    case VIOLATION_LIVELOCK:
        return end->end == STEP_STOPPED && machine_spins_for_ever(m, end->to) == HANG_CERTAIN;
    case VIOLATION_RACE:
        return !v->earlier && end->end == STEP_STOPPED && stand_there(v, end->to) &&
               state_races(m, end->to, &(step_options){.inputs = inputs}, v->racing, racing, places);
    }
    return false;
}

/* Which step the next one of a thread races with, by what happened on a path. */
typedef struct race_watch {
    happens *before;
    uint64_t place; /* where the thread of the earlier access stood */
} race_watch;

static void watch_step(race_watch *w, const violation *v, const state *from, const successor *to) {
    uint32_t thread = to->step.by.thread;
    if (happens_length(w->before) + 1 == v->earlier) w->place = state_place(from, thread);
    happens_add(w->before, thread, to->touched.data, to->touched.size, NULL);
}

/* The execution was watched up to the end of the path. */
static bool races_with_earlier(machine *m, const violation *v, const valuation *inputs, race_watch *w,
                               const state *end) {
    uint32_t thread = v->racing[1];
    transitions enabled = {0};
    bool found = false, may_go = false;
    machine_enabled(m, end, &enabled);
    for (size_t i = 0; i < enabled.size; i++) may_go |= enabled.data[i].thread == thread;
    vec_free(&enabled);
    if (!may_go || (v->places && race_places(w->place, state_place(end, thread)) != v->places)) return false;
    effect next = {0};
    happens_races races = {0};
    state_collect_next(m, end, &(step_options){.inputs = inputs}, thread, &next);
    happens_add(w->before, thread, next.data, next.size, &races);
    for (size_t i = 0; i < races.size; i++)
        found |= races.data[i].step + 1 == v->earlier && races.data[i].thread == v->racing[0];
    effect_free(&next);
    vec_free(&races);
    return found;
}

/* The successor that the path took: recorded for the symbolic replay, the only one that goes on (or fails) in
 * the concrete one. */
static const successor *taken(const player *p, const violation *v, path_step step, bool last) {
    if (!p->how.inputs) {
        const successor *recorded = player_recorded(p, step);
        return recorded && (last || recorded->end == STEP_STOPPED) ? recorded : NULL;
    }
    if (!last || v->earlier) return player_going_on(p);
    for (size_t i = 0; i < p->next.size; i++)
        if (violation_is_reached(p->m, v, p->how.inputs, &p->next.data[i])) return &p->next.data[i];
    return NULL;
}

static bool is_the_end(const player *p, const violation *v, race_watch *w, const successor *last) {
    if (!v->earlier) return violation_is_reached(p->m, v, p->how.inputs, last);
    return last->end == STEP_STOPPED && races_with_earlier(p->m, v, p->how.inputs, w, last->to);
}

/* False: the path does not go on so. */
static bool replay_step(player *p, violation *v, size_t index, race_watch *w, laws *obeyed) {
    path_step step = v->path.data[index];
    bool last = index + 1 == v->path.size;
    if (!machine_can_step(p->m, p->now, step.by)) return false;
    player_look(p, step.by);
    const successor *next = taken(p, v, step, last);
    if (!next) return false;
    if (v->earlier) watch_step(w, v, p->now, next);
    if ((last && !is_the_end(p, v, w, next)) || !laws_follow(obeyed, next->to)) return false;
    if (last && v->kind == VIOLATION_CHECK) v->check = next->check;
    player_take(p, next);
    return true;
}

/* The state in which the path ends (a reference), or NULL if it cannot be followed to the violation: with
 * inputs for which a condition was only thought to hold it may not go where it should. */
static state *replay(machine *m, violation *v, const step_options *how) {
    race_watch w = {.before = v->earlier ? happens_create() : NULL};
    laws *obeyed = laws_create(m);
    step_options plain = {.stops = how->stops,
                          .continue_after_violation = how->continue_after_violation,
                          .keep_path = how->keep_path,
                          .stay_awake = how->stay_awake,
                          .addresses = how->addresses,
                          .inputs = how->inputs,
                          .effects = v->earlier,
                          .early = v->earlier,
                          .watch = laws_watch(obeyed)};
    player p = player_begin(m, &plain);
    bool there = v->path.size > 0; /* it is the last step that ends in the violation */
    for (size_t i = 0; i < v->path.size && there; i++) there = replay_step(&p, v, i, &w, obeyed);
    state *end = player_leave(&p);
    if (!there) {
        state_release(m, end);
        end = NULL;
    }
    happens_destroy(w.before);
    end = laws_conclude(obeyed, end);
    laws_destroy(obeyed);
    return end;
}

valuation *path_model(machine *m, const state *s) {
    if (solver_check(machine_solver(m), state_path(s), state_path_count(s)) != SOLVER_SAT) return NULL;
    const valuation *model = solver_model(machine_solver(m));
    valuation *copy = valuation_create();
    for (uint32_t i = 0; i < state_path_count(s); i++) {
        const term_support *symbols = state_path(s)[i]->support;
        for (uint32_t k = 0; symbols && k < symbols->size; k++) {
            uint64_t number;
            valuation_get(model, symbols->symbol[k], &number);
            valuation_set(copy, symbols->symbol[k], number);
        }
    }
    return copy;
}

state *violation_replay(machine *m, violation *v, const step_options *how) {
    step_options whole = *how;
    whole.keep_path = true;
    return replay(m, v, &whole);
}

bool violation_replays_with(machine *m, violation *v, const step_options *how, const valuation *inputs) {
    step_options with = *how;
    with.inputs = inputs;
    state *end = replay(m, v, &with);
    state_release(m, end);
    return end != NULL;
}

bool violation_confirm(machine *m, violation *v, const step_options *how) {
    bool hurried = !solver_set_unhurried(machine_solver(m), true);
    state *end = violation_replay(m, v, how);
    if (end) v->inputs = path_model(m, end);
    solver_set_unhurried(machine_solver(m), !hurried);
    state_release(m, end);
    return v->confirmed = v->inputs && violation_replays_with(m, v, how, v->inputs);
}
