#include "explore/player.h"

#include "base/invariant.h"

/* --- beginning and ending ------------------------------------------------------------------------------- */

player player_begin(machine *m, const step_options *how) {
    return (player){.m = m, .how = *how, .now = machine_initial(m, how->stops)};
}

static state *share(const state *s) {
    return state_share((state *)(uintptr_t)s); /* counting references changes nothing that anybody sees */
}

player player_begin_at(machine *m, const state *s, const step_options *how) {
    return (player){.m = m, .how = *how, .now = share(s)};
}

state *player_leave(player *p) {
    state *here = p->now;
    successors_free(p->m, &p->next);
    vec_free(&p->done);
    p->now = NULL;
    return here;
}

void player_end(player *p) {
    if (p->now) state_release(p->m, p->now);
    player_leave(p);
}

static void stand_at(player *p, state *s) {
    if (p->now) state_release(p->m, p->now);
    p->now = s;
}

void player_move_to(player *p, const state *s) {
    stand_at(p, share(s));
    vec_clear(&p->done);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

void player_look(player *p, transition by) {
    successors_clear(p->m, &p->next);
    machine_step(p->m, p->now, by, &p->how, &p->next);
}

void player_look_at_thread(player *p, uint32_t thread) {
    successors_clear(p->m, &p->next);
    machine_step_thread(p->m, p->now, thread, &p->how, &p->next);
}

const successor *player_recorded(const player *p, path_step step) {
    return step.successor < p->next.size ? &p->next.data[step.successor] : NULL;
}

const successor *player_going_on(const player *p) {
    for (size_t i = 0; i < p->next.size; i++)
        if (p->next.data[i].end == STEP_STOPPED) return &p->next.data[i];
    return NULL;
}

const successor *player_with_inputs(const player *p, size_t *others) {
    const successor *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < p->next.size; i++) {
        if (p->next.data[i].end == STEP_VIOLATION) continue;
        if (!found) found = &p->next.data[i];
        count++;
    }
    if (others) *others = found ? count - 1 : 0;
    return found;
}

const successor *player_repeated(const player *p, const state *after) {
    for (size_t i = 0; i < p->next.size; i++) {
        const successor *s = &p->next.data[i];
        if (s->end == STEP_STOPPED && state_same_thread(s->to, after, s->step.by.thread)) return s;
    }
    return NULL;
}

const successor *player_only_way(const player *p) {
    return p->next.size == 1 ? player_going_on(p) : NULL;
}

void player_take(player *p, const successor *chosen) {
    assert(chosen >= p->next.data && chosen < p->next.data + p->next.size);
    vec_push(&p->done, chosen->step);
    stand_at(p, state_share(chosen->to));
}

static bool take_if_it_leads_on(player *p, const successor *chosen) {
    if (!chosen || chosen->end != STEP_STOPPED) return false;
    player_take(p, chosen);
    return true;
}

bool player_follow(player *p, path_step step) {
    player_look(p, step.by);
    return take_if_it_leads_on(p, player_recorded(p, step));
}

bool player_follow_path(player *p, const path *steps) {
    for (size_t i = 0; i < steps->size; i++)
        if (!player_follow(p, steps->data[i])) return false;
    return true;
}

bool player_go_on(player *p, transition by) {
    player_look(p, by);
    return take_if_it_leads_on(p, player_going_on(p));
}

static bool may_run(const player *p, uint32_t thread) {
    pending next;
    machine_pending(p->m, p->now, thread, &next);
    return next.live && next.enabled;
}

bool player_lead_to_sleep(player *p, uint32_t thread, uint64_t most, uint64_t *made) {
    state *before = state_share(p->now);
    size_t steps = p->done.size;
    bool plain = true;
    for (uint64_t k = 0; k < most && plain && may_run(p, thread); k++) {
        player_look_at_thread(p, thread);
        ++*made;
        plain = take_if_it_leads_on(p, player_only_way(p));
    }
    bool sleeps = plain && !may_run(p, thread);
    if (!sleeps) {
        stand_at(p, state_share(before));
        p->done.size = steps;
    }
    state_release(p->m, before);
    return sleeps;
}
