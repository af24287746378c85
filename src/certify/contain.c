/* Is a state within a state of the certificate, or within several of them together? There must be values for
 * their symbols with which their numbers are those of the state and the conditions of one of them hold. The
 * values are read off where a number is a symbol; that they fit everywhere is asked of the solver. */
#include "base/invariant.h"
#include "certify/internal.h"
#include "machine/state_check.h"

void container_open(container *x, machine *m, const certificate *c) {
    *x = (container){.machine = m, .certificate = c};
    x->equal = substitution_create(machine_terms(m));
    x->values = substitution_create(machine_terms(m));
    vec_reserve(&x->usual, c->groups.size);
    for (size_t i = 0; i < c->groups.size; i++) vec_push(&x->usual, ((number_list){0}));
}

void container_close(container *x) {
    for (size_t i = 0; i < x->usual.size; i++) vec_free(&x->usual.data[i]);
    vec_free(&x->usual);
    vec_free(&x->numbers);
    vec_free(&x->known);
    vec_free(&x->whole);
    vec_free(&x->query);
    vec_free(&x->parts);
    map_free(&x->valued);
    substitution_destroy(x->equal);
    substitution_destroy(x->values);
}

/* Whether a condition on the values of s holds on every path that s stands for. */
static bool follows(container *x, const state *s, const term *condition) {
    if (term_is_const(condition)) return term_is_true(condition);
    vec_clear(&x->query);
    for (uint32_t i = 0; i < state_path_count(s); i++) {
        if (state_path(s)[i] == condition) return true;
        vec_push(&x->query, state_path(s)[i]);
    }
    vec_push(&x->query, term_not(machine_terms(x->machine), condition));
    return solver_check(machine_solver(x->machine), x->query.data, x->query.size) == SOLVER_UNSAT;
}

/* --- numbers that are known ----------------------------------------------------------------------------- */

/* What the path condition says word by word. */
static void learn_equalities(container *x, const state *s) {
    terms *c = machine_terms(x->machine);
    bool some = false;
    substitution_clear(x->equal);
    for (uint32_t i = 0; i < state_path_count(s); i++) {
        const term *t = state_path(s)[i], *inner = t->op == TERM_NOT ? t->arg[0] : t;
        const term *symbol = inner, *number = term_bool(c, inner == t);
        if (t->op == TERM_EQ) {
            bool first = term_is_const(t->arg[0]);
            number = t->arg[!first], symbol = t->arg[first];
        }
        if (!term_is_symbol(symbol) || !term_is_const(number)) continue;
        substitution_set(x->equal, symbol, number);
        some = true;
    }
    for (size_t i = 0; i < x->known.size && some; i++)
        if (!term_is_const(x->known.data[i]))
            x->known.data[i] = substitution_apply(x->equal, x->known.data[i]);
}

/* The only value that an open number can have, if there is just one. */
static const term *forced_value(container *x, const state *s, const term *number) {
    terms *c = machine_terms(x->machine);
    solver *with = machine_solver(x->machine);
    if (solver_check(with, state_path(s), state_path_count(s)) != SOLVER_SAT) return number;
    const term *guess = term_const(c, number->width, term_evaluate(c, number, solver_model(with)));
    return follows(x, s, term_eq(c, number, guess)) ? guess : number;
}

/* Whether some became constant. */
static bool force_numbers(container *x, const state *s, const entry_patterns *patterns) {
    bool some = false;
    map asked = {0};
    for (size_t i = 0; i < patterns->size && state_path_count(s); i++)
        for (size_t k = 0; k < patterns->data[i].at.size; k++) {
            uint32_t at = patterns->data[i].at.data[k];
            if (at >= x->known.size || term_is_const(x->known.data[at])) continue;
            if (map_get(&asked, at) != MAP_NONE) continue;
            map_put(&asked, at, 1);
            x->known.data[at] = forced_value(x, s, x->known.data[at]);
            some |= term_is_const(x->known.data[at]);
        }
    map_free(&asked);
    return some;
}

/* --- one entry ------------------------------------------------------------------------------------------ */

/* All its numbers. False: it is not about states like the present one. */
static bool write_out(container *x, const entry *e, const number_list *usual) {
    assert(usual->size == x->numbers.size); /* of one control */
    vec_clear(&x->whole);
    for (size_t i = 0; i < usual->size; i++)
        vec_push(&x->whole, abstract_is_place(usual->data[i]) ? usual->data[i] : NULL);
    for (size_t i = 0; i < e->constants.size; i++) {
        if (e->constants.data[i].at >= x->whole.size) return false;
        x->whole.data[e->constants.data[i].at] = e->constants.data[i].number;
    }
    for (size_t i = 0; i < e->others.size; i++) {
        if (e->others.data[i].at >= x->whole.size) return false;
        x->whole.data[e->others.data[i].at] = e->others.data[i].number;
    }
    for (size_t i = 0; i < x->whole.size; i++)
        if (!x->whole.data[i] || x->whole.data[i]->width != x->numbers.data[i]->width) return false;
    return true;
}

static void give_value(container *x, const term *symbol, const term *number) {
    assert(abstract_is_place(symbol)); /* inputs are in no entry: nobody could choose them */
    if (map_get(&x->valued, symbol->id) != MAP_NONE) return;
    map_put(&x->valued, symbol->id, 1);
    substitution_set(x->values, symbol, number);
}

/* What is multiplied, if t is a narrower symbol times a power of two, as aligned offsets are. */
static const term *scaled_symbol(const term *t, unsigned *zeros) {
    if (t->op != TERM_MUL || !term_is_const(t->arg[1]) || t->arg[0]->op != TERM_ZEXT) return NULL;
    const term *symbol = t->arg[0]->arg[0];
    uint64_t factor = t->arg[1]->value;
    if (!term_is_symbol(symbol) || !factor || factor & (factor - 1)) return NULL;
    *zeros = (unsigned)__builtin_ctzll(factor);
    return symbol->width + *zeros <= t->width ? symbol : NULL;
}

static void read_off_values(container *x) {
    substitution_clear(x->values);
    map_clear(&x->valued);
    for (size_t i = 0; i < x->whole.size; i++) {
        const term *t = x->whole.data[i], *symbol;
        unsigned zeros;
        if (term_is_symbol(t))
            give_value(x, t, x->numbers.data[i]);
        else if ((symbol = scaled_symbol(t, &zeros)))
            give_value(x, symbol,
                       term_extract(machine_terms(x->machine), x->numbers.data[i], zeros, symbol->width));
    }
}

/* A term of the entry with these values; NULL: some symbol has none. */
static const term *with_values(container *x, const term *t) {
    for (uint32_t i = 0; i < t->support->size; i++)
        if (map_get(&x->valued, t->support->symbol[i]->id) == MAP_NONE) return NULL;
    return substitution_apply(x->values, t);
}

static bool numbers_fit(container *x, const state *s) {
    assert(x->whole.size == x->numbers.size && x->known.size == x->numbers.size);
    for (size_t i = 0; i < x->whole.size; i++) {
        const term *wanted = x->whole.data[i], *number = x->numbers.data[i];
        if (term_is_const(wanted) && x->known.data[i] == wanted) continue;
        const term *given = with_values(x, wanted);
        if (given == number) continue;
        if (!given || !follows(x, s, term_eq(machine_terms(x->machine), given, number))) return false;
    }
    return true;
}

/* Its conditions as one on the values of the present state; NULL: it is about other numbers. */
static const term *condition_of(container *x, const state *s, const entry *e, const number_list *usual) {
    terms *c = machine_terms(x->machine);
    if (!write_out(x, e, usual)) return NULL;
    read_off_values(x);
    if (!numbers_fit(x, s)) return NULL;
    const term *all = term_true(c);
    for (size_t i = 0; i < e->conditions.size; i++) {
        const term *t = with_values(x, e->conditions.data[i]);
        if (!t) return NULL;
        all = term_and(c, all, t);
    }
    return all;
}

/* Whether each part of a conjunction follows: smaller queries than the whole. */
static bool every_part_follows(container *x, const state *s, const entry *e) {
    for (size_t i = 0; i < e->conditions.size; i++)
        if (!follows(x, s, with_values(x, e->conditions.data[i]))) return false;
    return true;
}

/* --- finding -------------------------------------------------------------------------------------------- */

/* Notes the entry if it stands for some of what s stands for; whether it stands for all of it. */
static bool try_entry(container *x, const state *s, uint32_t index, const number_list *usual) {
    const entry *e = &x->certificate->entries.data[index];
    const term *condition = condition_of(x, s, e, usual);
    if (!condition) return false;
    bool all = every_part_follows(x, s, e);
    if (all) vec_clear(&x->parts);
    if (!term_is_false(condition)) vec_push(&x->parts, ((container_part){index, condition}));
    return all;
}

static bool find_one(container *x, const state *s, const entry_patterns *patterns, const number_list *usual) {
    vec_clear(&x->parts);
    for (size_t i = 0; i < patterns->size; i++) {
        uint64_t hash, first;
        const entry_pattern *p = &patterns->data[i];
        if (!control_constants_at(&x->known, p->at.data, p->at.size, &hash)) continue;
        first = map_get(&patterns->data[i].entries, hash);
        for (uint32_t k = first == MAP_NONE ? NO_INDEX : (uint32_t)first; k != NO_INDEX;) {
            if (try_entry(x, s, k, usual)) return true;
            k = x->certificate->entries.data[k].next_alike;
        }
    }
    return false;
}

/* Whether one of the noted conditions holds on each path that s stands for. */
static bool parts_are_enough(container *x, const state *s) {
    terms *c = machine_terms(x->machine);
    const term *some = term_false(c);
    for (size_t i = 0; i < x->parts.size; i++) some = term_or(c, some, x->parts.data[i].condition);
    return x->parts.size > 1 && follows(x, s, some);
}

static bool find_among(container *x, const state *s, const entry_patterns *patterns,
                       const number_list *usual) {
    return find_one(x, s, patterns, usual) || parts_are_enough(x, s);
}

/* They hardly ever change from state to state of one control. */
static bool refresh_usual(container *x, const state *s, number_list *usual) {
    bool same = usual->size == x->numbers.size;
    for (size_t i = 0; i < usual->size && same; i++)
        same = usual->data[i]->width == x->numbers.data[i]->width;
    return same || !control_usual_numbers(x->machine, s, usual);
}

static void list_numbers(container *x, const state *s) {
    control_numbers(machine_program(x->machine), s, &x->numbers);
    vec_clear(&x->known);
    for (size_t i = 0; i < x->numbers.size; i++) vec_push(&x->known, x->numbers.data[i]);
    learn_equalities(x, s);
}

static state *state_of(container *x, const state *s, const entry *e, const number_list *usual) {
    FOR_ASSERTIONS bool fits = write_out(x, e, usual);
    assert(fits); /* as it did when it was tried */
    state *whole = control_fill(machine_program(x->machine), s, &x->whole, e->conditions.data,
                                (uint32_t)e->conditions.size);
    slow_assert(control_fingerprint(whole) == control_fingerprint(s));
    slow_assert(state_is_sound(x->machine, whole));
    return whole;
}

bool container_find(container *x, const state *s, contained *out) {
    uint64_t group = map_get(&x->certificate->by_control, control_fingerprint(s));
    if (group == MAP_NONE) return false;
    const entry_patterns *patterns = &x->certificate->groups.data[group];
    number_list *usual = &x->usual.data[group];
    list_numbers(x, s);
    if (!refresh_usual(x, s, usual)) return false;
    bool found = find_among(x, s, patterns, usual) ||
                 (force_numbers(x, s, patterns) && find_among(x, s, patterns, usual));
    for (size_t i = 0; i < x->parts.size && found; i++) {
        uint32_t index = x->parts.data[i].entry;
        state *whole = state_of(x, s, &x->certificate->entries.data[index], usual);
        vec_push(out, ((contained_in){index, whole}));
    }
    return found;
}
