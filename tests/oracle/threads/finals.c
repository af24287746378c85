#include "finals.h"

#include "machine/look.h"

#include <stdio.h>

enum { MOST_STATES = 2000 }; /* more are not worth comparing */

void finals_observe(void *data, const state *from, transition by, const successor *to) {
    (void)from;
    finals *seen = data;
    if (to->end != STEP_FINISHED || seen->states.size > MOST_STATES) return;
    for (uint32_t t = 0; t < state_thread_count(to->to); t++) {
        thread_status status = state_thread_status(to->to, t);
        if (t != by.thread && status != THREAD_ENDED && status != THREAD_UNBORN) return;
    }
    for (size_t k = 0; k < seen->states.size; k++)
        if (state_identical(seen->states.data[k], to->to)) return;
    vec_push(&seen->states, state_share(to->to));
}

static const memory_object *object_named(const machine *m, const state *s, char kind, unsigned number) {
    char name[16];
    snprintf(name, sizeof name, "%c%u", kind, number);
    const program *p = machine_program(m);
    for (uint32_t i = 0; i < static_count_of(s); i++)
        if (!strcmp(p->objects.data[i].name, name)) return state_object(s, i);
    return NULL; /* the program never mentions it */
}

/* "these objects have these values"; objects of the kind up to the first missing number. */
static const term *has_values(const finals *seen, const state *s, const int64_t *values) {
    terms *c = machine_terms(seen->machine);
    const term *all = term_true(c);
    for (uint32_t k = 0; k < seen->expected->cells; k++) {
        const reference_cell *at = &seen->expected->cell[k];
        const memory_object *o = object_named(seen->machine, s, at->kind, at->number);
        if (!o || ragged_of(o) || at->index >= cells_of(o)) continue;
        const term *cell = cell_of(o)[at->index].bits;
        uint64_t wanted = (uint64_t)values[k] & term_mask(cell->width);
        all = term_and(c, all, term_eq(c, cell, term_const(c, cell->width, wanted)));
    }
    return all;
}

static solver_answer is_possible(machine *m, const state *s, const term *fact) {
    if (term_is_const(fact)) return term_is_true(fact) ? SOLVER_SAT : SOLVER_UNSAT;
    return solver_check_extension(machine_solver(m), state_path(s), state_path_count(s), fact);
}

static void report_missing(const finals *seen, size_t row, text *problem) {
    text_add(problem, "final state missing:");
    for (uint32_t k = 0; k < seen->expected->cells; k++)
        text_format(problem, " %lld", (long long)seen->expected->finals.data[row + k]);
}

void finals_compare(finals *seen, text *problem) {
    const reference *e = seen->expected;
    machine *m = seen->machine;
    if (!e->cells || seen->states.size > MOST_STATES) return;
    for (size_t row = 0; row < e->finals.size; row += e->cells) {
        bool found = false;
        for (size_t i = 0; i < seen->states.size && !found; i++) {
            const state *s = seen->states.data[i];
            found = is_possible(m, s, has_values(seen, s, e->finals.data + row)) != SOLVER_UNSAT;
        }
        if (found) continue;
        report_missing(seen, row, problem);
        return;
    }
    for (size_t i = 0; i < seen->states.size; i++) {
        const state *s = seen->states.data[i];
        const term *other = term_true(machine_terms(m));
        for (size_t row = 0; row < e->finals.size; row += e->cells)
            other = term_and(machine_terms(m), other,
                             term_not(machine_terms(m), has_values(seen, s, e->finals.data + row)));
        if (is_possible(m, s, other) != SOLVER_SAT) continue;
        text_add(problem, "a final state that cannot be");
        return;
    }
}

void finals_free(finals *seen) {
    for (size_t i = 0; i < seen->states.size; i++) state_release(seen->machine, seen->states.data[i]);
    vec_free(&seen->states);
}
