#include "shrink/internal.h"

#include "base/clock.h"
#include "machine/setup.h"

bool shrinker_may_step(shrinker *k) {
    enum { LOOKS = 64 }; /* at the clock, in steps */
    if (k->steps >= k->until) return false;
    bool look = k->steps / LOOKS != k->looked_at;
    if (look) k->looked_at = k->steps / LOOKS;
    k->steps++;
    bool late = look && ((k->deadline > 0 && clock_wall() > k->deadline) ||
                         (k->most->interrupted && k->most->interrupted(k->most->interrupted_data)));
    if (late) k->until = k->steps;
    return !late;
}

void shrinker_fix_inputs(shrinker *k, const valuation *inputs) {
    k->how.inputs = inputs;
}

shrink_cost shrink_cost_of(const path *p) {
    shrink_cost c = {0};
    transition last = {MACHINE_KERNEL, 0};
    for (size_t i = 0; i < p->size; i++) {
        c.steps++;
        c.switches += is_switch(last, p->data[i].by);
        last = p->data[i].by;
    }
    return c;
}

static void schedule_of(const path *p, transitions *out) {
    for (size_t i = 0; i < p->size; i++) vec_push(out, p->data[i].by);
}

/* A phase may use this part of what is left. */
static void begin_phase(shrinker *k, unsigned part) {
    double now = clock_wall(), end = k->most->deadline;
    k->until = k->steps + (k->most->steps > k->steps ? (k->most->steps - k->steps) / part : 0);
    k->deadline = end > now ? now + (end - now) / part : end;
}

/* Takes the path if it leads to the same violation at less cost, confirmed as the first one was. */
static bool take_path(shrinker *k, path *found) {
    violation other = *k->v;
    other.path = *found;
    other.inputs = NULL;
    bool better = costs_less(shrink_cost_of(found), shrink_cost_of(&k->v->path)) &&
                  violation_confirm(k->m, &other, &k->how);
    if (better) {
        assert(other.confirmed && other.kind == k->v->kind);
        vec_free(&k->v->path);
        valuation_destroy(k->v->inputs);
        *k->v = other;
    } else {
        valuation_destroy(other.inputs);
        vec_free(found);
    }
    *found = (path){0};
    return better;
}

/* The best violation so far with its inputs fixed. False: it does not fail this way, which a violation that
 * was confirmed does. */
static bool execute(shrinker *k, execution *out) {
    transitions schedule = {0};
    schedule_of(&k->v->path, &schedule);
    shrink_cost most = shrink_cost_of(&k->v->path);
    bool fails = execution_follow(k, NULL, 0, &schedule, most, out);
    vec_free(&schedule);
    return fails;
}

static bool reduce_schedule(shrinker *k) {
    if (k->steps >= k->until) return false;
    execution e;
    path found = {0};
    input_list inputs = {0};
    input_list_read(k, &inputs);
    shrinker_fix_inputs(k, k->v->inputs);
    bool fails = execute(k, &e);
    if (fails) delta_reduce(k, &e, &inputs);
    shrinker_fix_inputs(k, NULL);
    valuation *chosen = input_list_valuation(&inputs);
    bool better = fails && costs_less(e.cost, shrink_cost_of(&k->v->path)) &&
                  schedule_to_path(k, &e.steps, chosen, &found) && take_path(k, &found);
    valuation_destroy(chosen);
    vec_free(&found);
    vec_free(&inputs);
    execution_free(k, &e);
    return better;
}

/* True: what is there now is the least in switches, and with as many the least in steps. */
static bool search_schedule(shrinker *k) {
    path found = {0};
    search_end end = few_switches_search(k, &found);
    return end == SEARCH_FINDS ? take_path(k, &found) : end == SEARCH_FINDS_NOTHING;
}

/* Delta debugging of a schedule takes time in the square of its length, and states are matched by their
 * values alone above: a long one is often replaced sooner. */
static void replace_long_one(shrinker *k) {
    enum { LONG = 100 };
    path found = {0};
    size_t length = shrink_cost_of(&k->v->path).steps;
    if (!k->most->search_again || length <= LONG || k->until <= k->steps) return;
    k->steps +=
        k->most->search_again(k->most->search_again_data, k->v, k->until - k->steps, k->deadline, &found);
    if (found.size) take_path(k, &found);
}

/* The smaller the best one is, the less is left to look at. */
static void shrink_schedule(shrinker *k) {
    begin_phase(k, 4);
    if (search_schedule(k)) return;
    begin_phase(k, 2);
    replace_long_one(k);
    begin_phase(k, 2);
    reduce_schedule(k);
    begin_phase(k, 2);
    search_schedule(k);
}

static void judge_switches(shrinker *k, shrunk *out) {
    execution e;
    shrinker_fix_inputs(k, k->v->inputs);
    if (execute(k, &e) && e.steps.size == k->v->path.size) {
        switches_judge(k, &e, out);
        if (!k->kernel->preempts) orders_judge(k, &e, out);
    }
    shrinker_fix_inputs(k, NULL);
    execution_free(k, &e);
}

void shrink_violation(machine *m, violation *v, const step_options *how, const shrink_budget *most,
                      shrunk *out) {
    assert(v->confirmed && v->inputs);
    step_options plain = {.stops = how->stops, .continue_after_violation = how->continue_after_violation};
    shrinker k = {.m = m, .how = plain, .v = v, .most = most, .until = most->steps};
    k.kernel = program_kernel(machine_program(m));
    *out = (shrunk){.before = shrink_cost_of(&v->path)};
    out->after = out->before;
    if (v->earlier) return; /* which step that is depends on the path */
    shrink_schedule(&k);
    begin_phase(&k, 2);
    inputs_shrink(&k, out);
    if (reduce_schedule(&k)) inputs_shrink(&k, out); /* small inputs may allow more */
    begin_phase(&k, 1);
    judge_switches(&k, out);
    out->after = shrink_cost_of(&v->path);
    /* What is shrunk fails, and costs no more. */
    assert(v->confirmed && costs_at_most(out->after, out->before));
    assert(!out->switches.size || out->switches.size == v->path.size);
}

void shrunk_free(shrunk *s) {
    vec_free(&s->switches);
    vec_free(&s->orders);
    vec_free(&s->needs);
    *s = (shrunk){0};
}
