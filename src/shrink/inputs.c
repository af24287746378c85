/* Small inputs for a path, and what each of them has to be: questions to the solver about the conditions of
 * the path, which stays the same. */
#include "shrink/internal.h"

#include <stdlib.h>

enum { MOST_INPUTS = 100 };   /* more are left as they are */
enum { STEPS_OF_QUERY = 20 }; /* that take as long */

typedef VEC(const term *) conditions;

typedef struct minimiser {
    shrinker *k;
    terms *terms;
    conditions path, open; /* of the path; those that are left when the inputs before have their numbers */
    conditions symbols;
    conditions question;
    bool gave_up; /* some answer since this was last cleared */
} minimiser;

/* --- questions ------------------------------------------------------------------------------------------ */

/* Whether the conditions and `extra` can hold together. No answer counts as no. */
static bool is_possible(minimiser *q, const conditions *given, const term *extra) {
    vec_clear(&q->question);
    for (size_t i = 0; i < given->size; i++) vec_push(&q->question, given->data[i]);
    vec_push(&q->question, extra);
    solver_answer a = SOLVER_UNKNOWN;
    q->k->steps += STEPS_OF_QUERY - 1;
    if (shrinker_may_step(q->k))
        a = solver_check(machine_solver(q->k->m), q->question.data, q->question.size);
    q->gave_up |= a == SOLVER_UNKNOWN;
    return a == SOLVER_SAT;
}

static bool is_impossible(minimiser *q, const term *extra) {
    static const conditions nothing = {0};
    bool before = q->gave_up;
    q->gave_up = false;
    bool answer = !is_possible(q, &nothing, extra) && !q->gave_up;
    q->gave_up |= before;
    return answer;
}

static uint64_t value_in_model(minimiser *q, const term *symbol) {
    uint64_t number;
    valuation_get(solver_model(machine_solver(q->k->m)), symbol, &number);
    return number;
}

static bool is_signed(const minimiser *q, const term *symbol) {
    const program *p = machine_program(q->k->m);
    uint32_t origin = term_symbol_origin(q->terms, symbol);
    return origin < p->inputs.size && p->inputs.data[origin].type.view == VIEW_SIGNED && symbol->width > 1;
}

static const term *number(minimiser *q, const term *like, uint64_t n) {
    return term_const(q->terms, like->width, n);
}

static const term *at_most(minimiser *q, const term *a, const term *b, bool with_sign) {
    return with_sign ? term_sle(q->terms, a, b) : term_ule(q->terms, a, b);
}

static const term *is_between(minimiser *q, const term *x, uint64_t low, uint64_t high, bool with_sign) {
    return term_and(q->terms, at_most(q, number(q, x, low), x, with_sign),
                    at_most(q, x, number(q, x, high), with_sign));
}

/* --- small values --------------------------------------------------------------------------------------- */

static uint64_t magnitude(const term *x, uint64_t n, bool with_sign) {
    int64_t i = with_sign ? term_signed(x->width, n) : 0;
    return i < 0 ? -(uint64_t)i & term_mask(x->width) : n;
}

static bool can_be_within(minimiser *q, const term *x, uint64_t distance, bool with_sign) {
    uint64_t low = with_sign ? -distance & term_mask(x->width) : 0;
    return is_possible(q, &q->open, is_between(q, x, low, distance, with_sign));
}

/* The number nearest to zero that the open conditions allow, a positive one if there are two;
 * `known` is allowed. */
static uint64_t nearest_to_zero(minimiser *q, const term *x, uint64_t known) {
    bool with_sign = is_signed(q, x);
    if (!known || is_possible(q, &q->open, term_eq(q->terms, x, number(q, x, 0)))) return 0;
    uint64_t low = 1, high = magnitude(x, known, with_sign);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (can_be_within(q, x, middle, with_sign)) {
            known = value_in_model(q, x);
            high = magnitude(x, known, with_sign);
            assert(high <= middle); /* the model is one of the question */
        } else {
            low = middle + 1;
        }
    }
    assert(magnitude(x, known, with_sign) == high); /* something allowed is that near */
    bool negative = magnitude(x, known, with_sign) != known;
    if (negative && is_possible(q, &q->open, term_eq(q->terms, x, number(q, x, high)))) return high;
    return known;
}

static void replace_symbols(substitution *by, const conditions *from, conditions *to) {

    conditions kept = {0};
    for (size_t i = 0; i < from->size; i++) {
        const term *t = substitution_apply(by, from->data[i]);
        if (!term_is_true(t)) vec_push(&kept, t);
    }
    vec_free(to);
    *to = kept;
}

static void fix_symbol(minimiser *q, const term *x, uint64_t n) {
    substitution *by = substitution_create(q->terms);
    substitution_set(by, x, number(q, x, n));
    replace_symbols(by, &q->open, &q->open);
    substitution_destroy(by);
}

/* A number for x with which the rest is still possible. */
static uint64_t choose_number(minimiser *q, const term *x, input_need *need) {
    if (!is_possible(q, &q->open, term_true(q->terms))) return 0;
    uint64_t known = value_in_model(q, x);
    if (need) {
        q->gave_up = false;
        known = nearest_to_zero(q, x, known);
        need->smallest = !q->gave_up;
    }
    fix_symbol(q, x, known);
    return known;
}

/* --- what an input has to be ---------------------------------------------------------------------------- */

/* Numbers in the order of the input, as unsigned ones. */
static uint64_t to_order(const term *x, uint64_t n, bool with_sign) {
    return with_sign ? n ^ (UINT64_C(1) << (x->width - 1)) : n;
}

/* The least (or greatest) number that `allowed` admits; `known` is one. */
static uint64_t outermost(minimiser *q, const term *x, const conditions *allowed, uint64_t known, bool least,
                          bool with_sign) {
    uint64_t inner = to_order(x, known, with_sign), outer = least ? 0 : term_mask(x->width);
    while (inner != outer) {
        uint64_t middle = least ? outer + (inner - outer) / 2 : outer - (outer - inner) / 2;
        uint64_t a = to_order(x, least ? outer : middle, with_sign);
        uint64_t b = to_order(x, least ? middle : outer, with_sign);
        if (is_possible(q, allowed, is_between(q, x, a, b, with_sign)))
            inner = to_order(x, value_in_model(q, x), with_sign);
        else
            outer = least ? middle + 1 : middle - 1;
        assert(least ? outer <= inner : inner <= outer);
    }
    return to_order(x, inner, with_sign);
}

static const term *conjunction(minimiser *q, const conditions *of) {
    const term *all = term_true(q->terms);
    for (size_t i = 0; i < of->size; i++) all = term_and(q->terms, all, of->data[i]);
    return all;
}

static void find_range(minimiser *q, const conditions *allowed, const term *wrong, uint64_t chosen,
                       input_need *need) {
    const term *x = need->symbol;
    need->low = outermost(q, x, allowed, chosen, true, need->is_signed);
    need->high = outermost(q, x, allowed, chosen, false, need->is_signed);
    assert(to_order(x, need->low, need->is_signed) <= to_order(x, chosen, need->is_signed) &&
           to_order(x, chosen, need->is_signed) <= to_order(x, need->high, need->is_signed));
    const term *inside = is_between(q, x, need->low, need->high, need->is_signed);
    if (q->gave_up) return;
    need->kind = is_impossible(q, term_and(q->terms, inside, wrong)) ? NEED_RANGE : NEED_AMONG;
}

/* `allowed`: the conditions of the path with all other inputs fixed. */
static void find_need(minimiser *q, const conditions *allowed, uint64_t chosen, input_need *need) {
    static const conditions nothing = {0};
    const term *x = need->symbol, *wrong = term_not(q->terms, conjunction(q, allowed));
    q->gave_up = false;
    if (!is_possible(q, &nothing, wrong)) {
        need->kind = q->gave_up ? NEED_UNKNOWN : NEED_NOTHING;
        return;
    }
    uint64_t other = value_in_model(q, x), place = to_order(x, other, need->is_signed);
    bool inside = place && place != term_mask(x->width);
    const term *another = term_ne(q->terms, x, number(q, x, other));
    if (inside && is_impossible(q, term_and(q->terms, another, wrong))) {
        need->kind = NEED_NOT;
        need->low = need->high = other;
        return;
    }
    find_range(q, allowed, wrong, chosen, need);
}

static void find_needs(minimiser *q, const valuation *chosen, shrunk *out) {
    substitution *by = substitution_create(q->terms);
    for (size_t i = 0; i < out->needs.size && i < MOST_INPUTS; i++) {
        input_need *need = &out->needs.data[i];
        conditions allowed = {0};
        uint64_t n;
        substitution_clear(by);
        for (size_t k = 0; k < q->symbols.size; k++) {
            const term *s = q->symbols.data[k];
            valuation_get(chosen, s, &n);
            if (s != need->symbol) substitution_set(by, s, number(q, s, n));
        }
        replace_symbols(by, &q->path, &allowed);
        valuation_get(chosen, need->symbol, &n);
        find_need(q, &allowed, n, need);
        vec_free(&allowed);
    }
    substitution_destroy(by);
}

/* --- all of them ---------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b) {
    const term *x = *(const term *const *)a, *y = *(const term *const *)b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (int)x->width - (int)y->width;
}

/* Two that have the same name and width are one. */
FOR_ASSERTIONS static bool are_ascending(const conditions *symbols) {
    for (size_t i = 1; i < symbols->size; i++)
        if (compare_names(&symbols->data[i - 1], &symbols->data[i]) >= 0) return false;
    return true;
}

/* In the order of their names: by thread, then as they were drawn. */
static void collect_symbols(minimiser *q) {
    for (size_t i = 0; i < q->path.size; i++) {
        const term_support *s = q->path.data[i]->support;
        for (uint32_t k = 0; s && k < s->size; k++) vec_push(&q->symbols, s->symbol[k]);
    }
    if (q->symbols.size) qsort(q->symbols.data, q->symbols.size, sizeof *q->symbols.data, compare_names);
    size_t kept = 0;
    for (size_t i = 0; i < q->symbols.size; i++)
        if (!kept || q->symbols.data[kept - 1] != q->symbols.data[i])
            q->symbols.data[kept++] = q->symbols.data[i];
    q->symbols.size = kept;
    slow_assert(are_ascending(&q->symbols));
}

static void copy_conditions(const state *s, conditions *out) {
    for (uint32_t i = 0; i < state_path_count(s); i++) vec_push(out, state_path(s)[i]);
}

static bool all_hold(minimiser *q, const valuation *v) {
    for (size_t i = 0; i < q->path.size; i++)
        if (!term_evaluate(q->terms, q->path.data[i], v)) return false;
    return true;
}

static void choose_numbers(minimiser *q, valuation *chosen, shrunk *out) {
    for (size_t i = 0; i < q->symbols.size; i++) {
        input_need need = {.symbol = q->symbols.data[i], .is_signed = is_signed(q, q->symbols.data[i])};
        bool small = i < MOST_INPUTS;
        valuation_set(chosen, need.symbol, choose_number(q, need.symbol, small ? &need : NULL));
        vec_push(&out->needs, need);
    }
}

void inputs_shrink(shrinker *k, shrunk *out) {
    vec_clear(&out->needs);
    out->needs_known = false;
    state *end = violation_replay(k->m, k->v, &k->how);
    if (!end) return;
    minimiser q = {.k = k, .terms = machine_terms(k->m)};
    copy_conditions(end, &q.path);
    copy_conditions(end, &q.open);
    state_release(k->m, end);
    collect_symbols(&q);
    bool quick = solver_set_quick(machine_solver(k->m), true);
    valuation *chosen = valuation_create();
    choose_numbers(&q, chosen, out);
    assert(out->needs.size == q.symbols.size);
    bool good = all_hold(&q, chosen) && violation_replays_with(k->m, k->v, &k->how, chosen);
    if (good) {
        out->needs_known = true;
        find_needs(&q, chosen, out);
        valuation_destroy(k->v->inputs);
        k->v->inputs = chosen;
    } else {
        vec_clear(&out->needs);
        valuation_destroy(chosen);
    }
    solver_set_quick(machine_solver(k->m), quick);
    vec_free(&q.path);
    vec_free(&q.open);
    vec_free(&q.symbols);
    vec_free(&q.question);
}
