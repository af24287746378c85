/* Schedules with fixed inputs: each step has one successor, and no solver is asked. */
#include "explore/player.h"
#include "shrink/internal.h"

void execution_free(shrinker *k, execution *e) {
    for (size_t i = 0; i < e->states.size; i++) state_release(k->m, e->states.data[i]);
    vec_free(&e->states);
    vec_free(&e->steps);
    *e = (execution){0};
}

static void append(execution *e, state *before, transition by) {
    if (e->steps.size) e->cost.switches += is_switch(vec_last(&e->steps), by);
    assert(before && e->states.size == e->steps.size);
    e->cost.steps++;
    vec_push(&e->states, before);
    vec_push(&e->steps, by);
}

/* --- whose turn it is ----------------------------------------------------------------------------------- */

typedef struct plan_reader {
    const transitions *plan;
    size_t at;
    VEC(bool) used; /* systemc: taken before its turn */
} plan_reader;

/* Steps that cannot be made are left out. */
static bool next_preemptive(plan_reader *r, const transitions *enabled, transition *out) {
    while (r->at < r->plan->size) {
        *out = r->plan->data[r->at++];
        if (transitions_have(enabled, *out)) return true;
    }
    return false;
}

static void use(plan_reader *r, size_t index) {
    assert(index < r->plan->size);
    while (r->used.size <= index) vec_push(&r->used, false);
    r->used.data[index] = true;
}

static bool is_used(const plan_reader *r, size_t index) {
    return index < r->used.size && r->used.data[index];
}

/* Every process that is ready has its turn before the scheduler has: what the plan leaves out comes all the
 * same, and what it has too early comes as soon as it can. */
static bool next_cooperative(plan_reader *r, const transitions *enabled, transition *out) {
    assert(enabled->size);
    bool scheduler = enabled->data[0].thread == MACHINE_KERNEL, planned = false;
    *out = enabled->data[0];
    for (size_t i = r->at; i < r->plan->size; i++) {
        transition t = r->plan->data[i];
        if (is_used(r, i)) continue;
        planned = true;
        if (t.thread == MACHINE_KERNEL && !scheduler) break;
        if (!transitions_have(enabled, t)) continue;
        *out = t;
        if (scheduler)
            r->at = i + 1;
        else
            use(r, i);
        break;
    }
    return planned;
}

/* --- going ---------------------------------------------------------------------------------------------- */

/* Whether the step that was looked at ends in the violation. */
static bool step_fails(const shrinker *k, const player *p) {
    for (size_t i = 0; i < p->next.size; i++)
        if (violation_is_reached(k->m, k->v, k->how.inputs, &p->next.data[i])) return true;
    return false;
}

static bool is_within(const execution *e, transition next, shrink_cost most) {
    bool switches = e->steps.size && is_switch(vec_last(&e->steps), next);
    return e->cost.steps < most.steps && e->cost.switches + switches <= most.switches;
}

/* Before step `keep` of `from`, with what leads there in `out`. */
static player share_prefix(shrinker *k, const execution *from, size_t keep, execution *out) {
    assert(!keep || (from && keep <= from->steps.size));
    for (size_t i = 0; i < keep; i++) append(out, state_share(from->states.data[i]), from->steps.data[i]);
    if (!from || keep >= from->states.size) return player_begin(k->m, &k->how);
    return player_begin_at(k->m, from->states.data[keep], &k->how);
}

bool execution_follow(shrinker *k, const execution *from, size_t keep, const transitions *plan,
                      shrink_cost most, execution *out) {
    *out = (execution){0};
    plan_reader r = {.plan = plan};
    transitions enabled = {0};
    player p = share_prefix(k, from, keep, out);
    const successor *next = NULL;
    do {
        transition by;
        if (next) player_take(&p, next);
        if (!shrinker_may_step(k)) break;
        machine_enabled(k->m, p.now, &enabled);
        bool goes_on = enabled.size && (k->kernel->preempts ? next_preemptive(&r, &enabled, &by)
                                                            : next_cooperative(&r, &enabled, &by));
        if (!goes_on || !is_within(out, by, most)) break;
        player_look(&p, by);
        append(out, state_share(p.now), by);
        out->fails = step_fails(k, &p);
        next = out->fails ? NULL : player_going_on(&p);
    } while (next);
    player_end(&p);
    vec_free(&enabled);
    vec_free(&r.used);
    assert(out->cost.steps == out->steps.size && costs_at_most(out->cost, most));
    return out->fails;
}

/* --- back to open inputs -------------------------------------------------------------------------------- */

static bool conditions_hold(shrinker *k, const state *s, const valuation *inputs) {
    for (uint32_t i = 0; i < state_path_count(s); i++)
        if (!term_evaluate(machine_terms(k->m), state_path(s)[i], inputs)) return false;
    return true;
}

static const successor *successor_of_inputs(shrinker *k, const player *p, const valuation *inputs,
                                            bool last) {
    for (size_t i = 0; i < p->next.size; i++) {
        const successor *s = &p->next.data[i];
        bool fits = last ? violation_is_reached(k->m, k->v, NULL, s) : s->end == STEP_STOPPED;
        if (fits && (p->next.size == 1 || conditions_hold(k, s->to, inputs))) return s;
    }
    return NULL;
}

bool schedule_to_path(shrinker *k, const transitions *schedule, const valuation *inputs, path *out) {
    step_options how = k->how;
    how.inputs = NULL;
    how.keep_path = true;
    player p = player_begin(k->m, &how);
    bool found = true;
    for (size_t i = 0; i < schedule->size && found; i++) {
        player_look(&p, schedule->data[i]);
        const successor *next = successor_of_inputs(k, &p, inputs, i + 1 == schedule->size);
        found = next != NULL;
        if (found) player_take(&p, next);
    }
    path_append(out, &p.done);
    player_end(&p);
    return found;
}
