#include "reduction/checker.h"

#include "base/bits.h"
#include "machine/pairs.h"
#include "machine/positions.h"

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

/* --- equality for every input --------------------------------------------------------------------------- */

static const term *path_of(checker *c, const state *s) {
    const term *all = term_true(machine_terms(c->machine));
    for (uint32_t i = 0; i < state_path_count(s); i++)
        all = term_and(machine_terms(c->machine), all, state_path(s)[i]);
    return all;
}

static bool is_possible(checker *c, const term *condition) {
    return solver_check(machine_solver(c->machine), &condition, 1) == SOLVER_SAT;
}

/* Whether some input leads to both states although they differ. */
static bool differ_somewhere(checker *c, const state *a, const state *b) {
    terms *t = machine_terms(c->machine);
    const term *both = term_and(t, path_of(c, a), path_of(c, b)), *differs = term_false(t);
    c->pairs.positions = machine_compares_positions(c->machine);
    if (pairs_collect(t, a, b, &c->pairs))
        for (size_t i = 0; i < c->pairs.list.size; i++)
            differs =
                term_or(t, differs, term_ne(t, c->pairs.list.data[i].left, c->pairs.list.data[i].right));
    else
        differs = term_true(t);
    return is_possible(c, term_and(t, both, differs));
}

/* Whether some input leads to s but to no state of the list. */
static bool missing_somewhere(checker *c, const state *s, const successors *list) {
    terms *t = machine_terms(c->machine);
    const term *alone = path_of(c, s);
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i].end == STEP_STOPPED)
            alone = term_and(t, alone, term_not(t, path_of(c, list->data[i].to)));
    return is_possible(c, alone);
}

/* --- both orders ---------------------------------------------------------------------------------------- */

static bool is_enabled(checker *c, const state *s, transition t) {
    transitions enabled = {0};
    machine_enabled(c->machine, s, &enabled);
    bool found = transitions_have(&enabled, t);
    vec_free(&enabled);
    return found;
}

/* The states after `first` then `second`. False: the first disabled the second. */
static bool run_both(checker *c, const successors *after_first, transition second, successors *out) {
    step_options how = {.keep_path = true};
    for (size_t i = 0; i < after_first->size; i++) {
        if (after_first->data[i].end != STEP_STOPPED) continue;
        if (!is_enabled(c, after_first->data[i].to, second)) return false;
        machine_step(c->machine, after_first->data[i].to, second, &how, out);
    }
    return true;
}

/* The two orders may split the inputs along different lines, so states are compared wherever their paths
 * overlap. Where the solver cannot tell, nothing is claimed. */
static bool lists_agree(checker *c, const successors *a, const successors *b) {
    for (size_t i = 0; i < a->size; i++) {
        if (a->data[i].end != STEP_STOPPED) continue;
        bool identical = false;
        for (size_t j = 0; j < b->size && !identical; j++)
            identical = b->data[j].end == STEP_STOPPED && state_identical(a->data[i].to, b->data[j].to);
        if (identical) continue;
        if (missing_somewhere(c, a->data[i].to, b)) return false;
        for (size_t j = 0; j < b->size; j++)
            if (b->data[j].end == STEP_STOPPED && differ_somewhere(c, a->data[i].to, b->data[j].to))
                return false;
    }
    return true;
}

/* A step that ended at a limit (or was interrupted) says nothing about what it would have led to. */
static bool is_cut_short(const successors *list) {
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i].end == STEP_LIMIT) return true;
    return false;
}

static bool orders_agree(checker *c, const successors *after_a, transition a, const successors *after_b,
                         transition b) {
    if (is_cut_short(after_a) || is_cut_short(after_b)) return true;
    successors ab = {0}, ba = {0};
    bool both_ways = run_both(c, after_a, b, &ab) && run_both(c, after_b, a, &ba);
    bool agree = both_ways && (is_cut_short(&ab) || is_cut_short(&ba) ||
                               (lists_agree(c, &ab, &ba) && lists_agree(c, &ba, &ab)));
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

/* A thread that slept in a loop goes on because something changed; whoever changes it back stops it. */
static void add_what_woke_it(const state *s, transition by, successors *after) {
    for (size_t i = 0; i < after->size; i++) state_add_watched(s, by.thread, &after->data[i].touched);
}

/* Conjuncts are not collected meanwhile: equal states may reach their values by way of different inputs, and
 * only the whole paths tell that they mean the same. */
uint64_t checker_look(checker *c, const state *s, const transitions *enabled, uint64_t *pairs_checked) {
    uint64_t errors = 0;
    step_options how = {.effects = true, .keep_path = true};
    successors *after = mem_zero(enabled->size, sizeof *after);
    for (size_t i = 0; i < enabled->size; i++) {
        machine_step(c->machine, s, enabled->data[i], &how, &after[i]);
        add_what_woke_it(s, enabled->data[i], &after[i]);
    }
    for (size_t i = 0; i < enabled->size; i++)
        for (size_t j = i + 1; j < enabled->size; j++) {
            transition a = enabled->data[i], b = enabled->data[j];
            if (!statically_apart(c, s, a, b) && !touched_apart(&after[i], &after[j])) continue;
            ++*pairs_checked;
            errors += !orders_agree(c, &after[i], a, &after[j], b);
        }
    for (size_t i = 0; i < enabled->size; i++) successors_free(c->machine, &after[i]);
    mem_free(after);
    return errors;
}
