/* Which context switches matter: each is taken back, the rest of the schedule stays, and somebody looks
 * whether that still fails. */
#include "shrink/internal.h"

enum { MOST_STEPS_FURTHER = 200 }; /* of a thread that goes on */

/* Costs do not matter here, but a schedule that never ends does. */
static shrink_cost patience(const execution *e) {
    return (shrink_cost){SIZE_MAX, 2 * e->cost.steps + MOST_STEPS_FURTHER};
}

bool schedule_still_fails(shrinker *k, const execution *e, size_t keep, const transitions *plan) {
    execution other;
    bool fails = execution_follow(k, e, keep, plan, patience(e), &other);
    execution_free(k, &other);
    return fails;
}

static void plan_rest(const execution *e, size_t from, size_t to, transitions *plan) {
    for (size_t i = from; i < to; i++) vec_push(plan, e->steps.data[i]);
}

/* The thread goes on at once as far as it does later. */
static bool fails_with_next_block_first(shrinker *k, const execution *e, size_t at, uint32_t thread) {
    size_t again = at, end;
    while (again < e->steps.size && e->steps.data[again].thread != thread) again++;
    for (end = again; end < e->steps.size && e->steps.data[end].thread == thread;) end++;
    if (again == e->steps.size) return false;
    transitions plan = {0};
    plan_rest(e, again, end, &plan);
    plan_rest(e, at, again, &plan);
    plan_rest(e, end, e->steps.size, &plan);
    bool fails = schedule_still_fails(k, e, at, &plan);
    vec_free(&plan);
    return fails;
}

/* It goes on as long as it can. */
static bool fails_if_it_goes_on(shrinker *k, const execution *e, size_t at, transition by) {
    transitions plan = {0};
    for (size_t i = 0; i < MOST_STEPS_FURTHER; i++) vec_push(&plan, by);
    plan_rest(e, at, e->steps.size, &plan);
    bool fails = schedule_still_fails(k, e, at, &plan);
    vec_free(&plan);
    return fails;
}

/* The two processes change places. */
static bool fails_the_other_way_round(shrinker *k, const execution *e, size_t at) {
    transitions plan = {0};
    vec_push(&plan, e->steps.data[at]);
    vec_push(&plan, e->steps.data[at - 1]);
    plan_rest(e, at + 1, e->steps.size, &plan);
    bool fails = schedule_still_fails(k, e, at - 1, &plan);
    vec_free(&plan);
    return fails;
}

static switch_kind judge_switch(shrinker *k, const execution *e, size_t at) {
    transition before = e->steps.data[at - 1], now = e->steps.data[at], on = before;
    transitions enabled = {0};
    bool preempts = k->kernel->preempts;
    machine_enabled(k->m, e->states.data[preempts ? at : at - 1], &enabled);
    bool possible =
        preempts ? transitions_find(&enabled, before.thread, &on) : transitions_have(&enabled, now);
    vec_free(&enabled);
    if (!possible) return SWITCH_FORCED;
    bool fails =
        preempts ? fails_with_next_block_first(k, e, at, before.thread) || fails_if_it_goes_on(k, e, at, on)
                 : fails_the_other_way_round(k, e, at);
    if (fails) return SWITCH_FREE;
    return k->steps < k->until ? SWITCH_NECESSARY : SWITCH_UNKNOWN;
}

void switches_judge(shrinker *k, const execution *e, shrunk *out) {
    assert(e->fails && !out->switches.size);
    for (size_t i = 0; i < e->steps.size; i++) {
        bool switches = i && is_switch(e->steps.data[i - 1], e->steps.data[i]);
        switch_kind kind = switches ? SWITCH_UNKNOWN : SWITCH_NONE;
        if (switches && k->steps < k->until) kind = judge_switch(k, e, i);
        vec_push(&out->switches, (uint8_t)kind);
    }
}
