#include "reduction/checker.h"

#include "base/bits.h"
#include "machine/state.h"
#include "matching/pairs.h"

struct checker {
    machine *machine;
    value_pairs pairs;
};

checker *checker_create(machine *m) {
    checker *c = mem_zero(1, sizeof *c);
    c->machine = m;
    return c;
}

void checker_destroy(checker *c) {
    if (!c) return;
    pairs_free(&c->pairs);
    mem_free(c);
}

/* --- equality of meaning
 * ------------------------------------------------------------------------------------------------------ */

static bool implies(checker *c, const state *from, const term *fact) {
    return solver_check_extension(machine_solver(c->machine), state_path(from), from->path_count,
                                  term_not(machine_terms(c->machine), fact)) == SOLVER_UNSAT;
}

static bool implies_path(checker *c, const state *from, const state *to) {
    for (uint32_t i = 0; i < to->path_count; i++)
        if (!implies(c, from, to->path->conjunct[i])) return false;
    return true;
}

/* The two orders may split the inputs along different lines first, so path conditions are compared by
 * meaning. */
static bool same_meaning(checker *c, const state *a, const state *b) {
    if (state_identical(a, b)) return true;
    if (!pairs_collect(machine_terms(c->machine), a, b, &c->pairs)) return false;
    if (!implies_path(c, a, b) || !implies_path(c, b, a)) return false;
    for (size_t i = 0; i < c->pairs.list.size; i++) {
        value_pair p = c->pairs.list.data[i];
        if (p.left != p.right && !implies(c, a, term_eq(machine_terms(c->machine), p.left, p.right)))
            return false;
    }
    return true;
}

/* --- both orders
 * ----------------------------------------------------------------------------------------------------------------
 */

static bool is_enabled(checker *c, const state *s, transition t) {
    transitions enabled = {0};
    machine_enabled(c->machine, s, &enabled);
    bool found = false;
    for (size_t i = 0; i < enabled.size; i++)
        found |= enabled.data[i].thread == t.thread && enabled.data[i].choice == t.choice;
    vec_free(&enabled);
    return found;
}

/* The states after `first` then `second`. False: the first disabled the second. */
static bool run_both(checker *c, const successors *after_first, transition second, successors *out) {
    step_options how = {0};
    for (size_t i = 0; i < after_first->size; i++) {
        if (after_first->data[i].end != STEP_STOPPED) continue;
        if (!is_enabled(c, after_first->data[i].to, second)) return false;
        machine_step(c->machine, after_first->data[i].to, second, &how, out);
    }
    return true;
}

static size_t stopped_count(const successors *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->size; i++) n += list->data[i].end == STEP_STOPPED;
    return n;
}

/* Every state of one list has an equal in the other and the reverse. */
static bool lists_agree(checker *c, const successors *a, const successors *b) {
    if (stopped_count(a) != stopped_count(b)) return false;
    bool *used = mem_zero(b->size, sizeof *used);
    bool agree = true;
    for (size_t i = 0; i < a->size && agree; i++) {
        if (a->data[i].end != STEP_STOPPED) continue;
        bool found = false;
        for (size_t j = 0; j < b->size && !found; j++) {
            if (used[j] || b->data[j].end != STEP_STOPPED) continue;
            found = used[j] = same_meaning(c, a->data[i].to, b->data[j].to);
        }
        agree = found;
    }
    mem_free(used);
    return agree;
}

static bool orders_agree(checker *c, const successors *after_a, transition a, const successors *after_b,
                         transition b) {
    successors ab = {0}, ba = {0};
    bool agree = run_both(c, after_a, b, &ab) && run_both(c, after_b, a, &ba) && lists_agree(c, &ab, &ba);
    successors_free(c->machine, &ab);
    successors_free(c->machine, &ba);
    return agree;
}

static bool touched_apart(const successors *a, const successors *b) {
    for (size_t i = 0; i < a->size; i++)
        for (size_t j = 0; j < b->size; j++)
            if (effect_conflict(&a->data[i].touched, &b->data[j].touched)) return false;
    return true;
}

static bool statically_apart(checker *c, const state *s, transition a, transition b) {
    pending x, y;
    machine_pending(c->machine, s, a.thread, &x);
    machine_pending(c->machine, s, b.thread, &y);
    const segments *g = machine_segments(c->machine);
    return x.segment != NO_INDEX && y.segment != NO_INDEX &&
           !bits_has(segment_row(g, g->dependent, x.segment), y.segment);
}

/* Conjuncts are not collected meanwhile: equal states may reach their values by way of different inputs, and only the whole paths tell that
 * they mean the same. */
uint64_t checker_look(checker *c, const state *s, const transitions *enabled, uint64_t *pairs_checked) {
    uint64_t errors = 0;
    bool collected = machine_set_path_gc(c->machine, false);
    step_options how = {.effects = true};
    successors *after = mem_zero(enabled->size, sizeof *after);
    for (size_t i = 0; i < enabled->size; i++) machine_step(c->machine, s, enabled->data[i], &how, &after[i]);
    for (size_t i = 0; i < enabled->size; i++)
        for (size_t j = i + 1; j < enabled->size; j++) {
            transition a = enabled->data[i], b = enabled->data[j];
            if (!statically_apart(c, s, a, b) && !touched_apart(&after[i], &after[j])) continue;
            ++*pairs_checked;
            errors += !orders_agree(c, &after[i], a, &after[j], b);
        }
    for (size_t i = 0; i < enabled->size; i++) successors_free(c->machine, &after[i]);
    mem_free(after);
    machine_set_path_gc(c->machine, collected);
    return errors;
}
