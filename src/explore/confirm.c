/* Confirmation of violations: a symbolic replay for a model of all inputs, then a concrete one that must fail
 * at the same place. */
#include "explore/explore.h"
#include "machine/state.h"

static bool is_the_violation(const violation *v, const successor *end) {
    if (v->kind == VIOLATION_DEADLOCK) return end->end == STEP_STOPPED && machine_deadlocked(end->to);
    return end->end == STEP_VIOLATION && end->check == v->check;
}

/* The successor that the path took: recorded for the symbolic replay, the only one that goes on (or fails) in
 * the concrete one. */
static const successor *taken(const violation *v, const successors *list, const path_step *step, bool last,
                              bool concrete) {
    if (!concrete) return step->successor < list->size ? &list->data[step->successor] : NULL;
    for (size_t i = 0; i < list->size; i++)
        if (last ? is_the_violation(v, &list->data[i]) : list->data[i].end == STEP_STOPPED)
            return &list->data[i];
    return NULL;
}

/* The state in which the path ends (a reference), or NULL if it cannot be followed to the violation. */
static state *replay(machine *m, const violation *v, const step_options *how, bool concrete) {
    state *at = machine_initial(m);
    successors list = {0};
    step_options plain = {.stops = how->stops, .continue_after_violation = how->continue_after_violation};
    for (size_t i = 0; i < v->path.size && at; i++) {
        const path_step *step = &v->path.data[i];
        bool last = i + 1 == v->path.size;
        successors_clear(m, &list);
        if (step->by.thread == MACHINE_SETTLE)
            machine_settle(m, at, &list);
        else
            machine_step(m, at, step->by, &plain, &list);
        const successor *next = taken(v, &list, step, last, concrete);
        bool ok = next && (!last || is_the_violation(v, next));
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

bool violation_confirm(machine *m, violation *v, const step_options *how) {
    bool collected = machine_set_path_gc(m, false);
    state *end = replay(m, v, how, false);
    machine_set_path_gc(m, collected);
    if (!end) return v->confirmed = false;
    v->inputs = model_of_path(m, end);
    state_release(m, end);
    if (!v->inputs) return v->confirmed = false;
    machine_fix_inputs(m, v->inputs);
    end = replay(m, v, how, true);
    machine_fix_inputs(m, NULL);
    v->confirmed = end != NULL;
    state_release(m, end);
    return v->confirmed;
}
