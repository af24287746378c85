#include "solver/choices.h"

#include "term/evaluate.h"

void choices_open(choices *k, terms *c) {
    *k = (choices){.context = c};
}

void choices_close(choices *k) {
    vec_free(&k->group);
    vec_free(&k->free);
    vec_free(&k->bound);
    vec_free(&k->parts);
    vec_free(&k->served);
    map_free(&k->known_symbols);
    map_free(&k->known_parts);
    map_free(&k->known_served);
}

static void add_once(term_list *list, map *known, const term *t) {
    if (map_get(known, t->id) != MAP_NONE) return;
    map_put(known, t->id, 1);
    vec_push(list, t);
}

static bool is_over_free_symbols(const elimination *e, const term *t) {
    for (size_t i = 0; i < t->support->size; i++)
        if (elimination_is_bound(e, t->support->symbol[i])) return false;
    return true;
}

/* The largest subterms over x alone. */
static void collect_parts(choices *k, const elimination *e, const term *conjunct) {
    term_list open = {0};
    map seen = {0};
    vec_push(&open, conjunct);
    while (open.size) {
        const term *t = vec_pop(&open);
        if (term_is_const(t) || map_get(&seen, t->id) != MAP_NONE) continue;
        map_put(&seen, t->id, 1);
        if (is_over_free_symbols(e, t))
            add_once(&k->parts, &k->known_parts, t);
        else
            for (unsigned i = 0; i < t->arity; i++) vec_push(&open, t->arg[i]);
    }
    map_free(&seen);
    vec_free(&open);
}

void choices_add(choices *k, const elimination *e, const term *conjunct) {
    vec_push(&k->group, conjunct);
    collect_parts(k, e, conjunct);
    for (size_t i = 0; i < conjunct->support->size; i++) {
        const term *symbol = conjunct->support->symbol[i];
        add_once(elimination_is_bound(e, symbol) ? &k->bound : &k->free, &k->known_symbols, symbol);
    }
}

/* --- trying a choice ------------------------------------------------------------------------------------ */

/* A choice under construction: what is put for each y, in the order of `bound`. */
typedef VEC(const term *) assignment;

static void start_assignment(const choices *k, assignment *a) {
    vec_clear(a);
    for (size_t i = 0; i < k->bound.size; i++) vec_push(a, NULL);
}

static const term *group_under(choices *k, const term *const *by, const term *except) {
    substitution *s = substitution_create(k->context);
    const term *all = term_true(k->context);
    for (size_t i = 0; i < k->bound.size; i++)
        if (k->bound.data[i] != except) substitution_set(s, k->bound.data[i], by[i]);
    for (size_t i = 0; i < k->group.size; i++)
        all = term_and(k->context, all, substitution_apply(s, k->group.data[i]));
    substitution_destroy(s);
    return all;
}

static void serve(choices *k, const term *condition) {
    if (!term_is_false(condition)) add_once(&k->served, &k->known_served, condition);
}

/* --- guesses -------------------------------------------------------------------------------------------- */

static const term *twin_among_free(const choices *k, const term *symbol) {
    for (size_t i = 0; i < k->free.size; i++) {
        const term *x = k->free.data[i];
        if (x->width == symbol->width && (x->value ^ symbol->value) == UINT64_C(1) << 63) return x;
    }
    return NULL;
}

static void fill_gaps_with_twins(choices *k, assignment *a) {
    for (size_t i = 0; i < a->size; i++) {
        if (!a->data[i]) a->data[i] = twin_among_free(k, k->bound.data[i]);
        if (!a->data[i]) a->data[i] = term_const(k->context, k->bound.data[i]->width, 0);
    }
}

static bool has_same_head(const term *a, const term *b) {
    return a->op == b->op && a->width == b->width && a->arity == b->arity && a->value == b->value;
}

static void bind_symbol(const choices *k, assignment *a, const term *symbol, const term *by) {
    for (size_t i = 0; i < k->bound.size; i++)
        if (k->bound.data[i] == symbol && !a->data[i] && by->width == symbol->width) a->data[i] = by;
}

/* Walks down two terms as far as their operators agree; a symbol on the right takes what stands
 * on the left. */
static void bind_by_structure(const choices *k, assignment *a, const term *left, const term *right) {
    term_list open = {0};
    map seen = {0};
    vec_push(&open, left);
    vec_push(&open, right);
    while (open.size) {
        const term *r = vec_pop(&open), *l = vec_pop(&open);
        uint64_t pair = (uint64_t)l->id << 32 | r->id;
        if (map_get(&seen, pair) != MAP_NONE) continue;
        map_put(&seen, pair, 1);
        if (term_is_symbol(r))
            bind_symbol(k, a, r, l);
        else if (has_same_head(l, r))
            for (unsigned i = 0; i < r->arity; i++) {
                vec_push(&open, l->arg[i]);
                vec_push(&open, r->arg[i]);
            }
    }
    map_free(&seen);
    vec_free(&open);
}

void choices_guess(choices *k, const term *const *left, const term *const *right, size_t pairs) {
    assignment a = {0};
    start_assignment(k, &a);
    fill_gaps_with_twins(k, &a);
    serve(k, group_under(k, a.data, NULL));
    start_assignment(k, &a);
    for (size_t i = 0; i < pairs; i++) bind_by_structure(k, &a, left[i], right[i]);
    fill_gaps_with_twins(k, &a);
    serve(k, group_under(k, a.data, NULL));
    vec_free(&a);
}

/* --- learning from one pair of x and y ------------------------------------------------------------------ */

enum { PARTS_TRIED = 24, SOLVED_SYMBOLS = 4, OFFSET_CHOICES = 3 };

static bool group_holds(choices *k, const valuation *v) {
    evaluation_start(k->context);
    for (size_t i = 0; i < k->group.size; i++)
        if (!evaluation_value(k->context, k->group.data[i], v)) return false;
    return true;
}

static const term *fitted(choices *k, const term *t, unsigned width) {
    return t->width > width ? term_extract(k->context, t, 0, width) : term_zext(k->context, t, width);
}

/* Replaces the numbers of an assignment by terms over x, one y after the other, as long as this
 * x stays served. */
static void generalise(choices *k, assignment *a, valuation *v) {
    for (size_t i = 0; i < k->bound.size; i++) {
        const term *y = k->bound.data[i];
        uint64_t original;
        bool found = false;
        valuation_get(v, y, &original);
        for (size_t p = 0; p < k->parts.size && p < PARTS_TRIED && !found; p++)
            for (int offset = 0; offset < 3 && !found; offset++) {
                const term *step =
                    term_const(k->context, y->width, offset == 2 ? UINT64_MAX : (uint64_t)offset);
                const term *candidate = term_add(k->context, fitted(k, k->parts.data[p], y->width), step);
                valuation_set(v, y, term_evaluate(k->context, candidate, v));
                found = group_holds(k, v);
                if (found) a->data[i] = candidate;
            }
        if (!found) valuation_set(v, y, original);
    }
}

/* With all other y fixed, one y may be determined by an equation for every x. */
static void solve_for_one(choices *k, const assignment *a, size_t which) {
    elimination e = {.context = k->context};
    const term *y = k->bound.data[which];
    map_put(&e.bound, y->id, 1);
    elimination_add(&e, group_under(k, a->data, y));
    elimination_run(&e);
    substitution *s = substitution_create(k->context);
    const term *condition = term_bool(k->context, !e.contradictory);
    substitution_set(s, y, a->data[which]);
    for (size_t i = 0; i < e.conjuncts.size; i++)
        condition = term_and(k->context, condition, substitution_apply(s, e.conjuncts.data[i]));
    serve(k, condition);
    substitution_destroy(s);
    elimination_free(&e);
}

/* y := part + (the difference between them at this x). */
static void keep_distance(choices *k, const valuation *v, const assignment *numbers, size_t which_part) {
    assignment a = {0};
    bool moved = false;
    for (size_t i = 0; i < k->bound.size; i++) {
        const term *y = k->bound.data[i], *by = numbers->data[i];
        size_t left = which_part;
        for (size_t p = 0; p < k->parts.size; p++) {
            const term *part = k->parts.data[p];
            if (part->width != y->width || left--) continue;
            const term *distance =
                term_const(k->context, y->width, by->value - term_evaluate(k->context, part, v));
            by = term_add(k->context, part, distance);
            moved = true;
            break;
        }
        vec_push(&a, by);
    }
    if (moved) serve(k, group_under(k, a.data, NULL));
    vec_free(&a);
}

void choices_learn(choices *k, const valuation *x, const valuation *y) {
    valuation *v = valuation_create();
    assignment numbers = {0}, terms_over_x = {0};
    uint64_t value;
    for (size_t i = 0; i < k->free.size; i++) {
        valuation_get(x, k->free.data[i], &value);
        valuation_set(v, k->free.data[i], value);
    }
    for (size_t i = 0; i < k->bound.size; i++) {
        valuation_get(y, k->bound.data[i], &value);
        valuation_set(v, k->bound.data[i], value);
        vec_push(&numbers, term_const(k->context, k->bound.data[i]->width, value));
        vec_push(&terms_over_x, numbers.data[i]);
    }
    serve(k, group_under(k, numbers.data, NULL));
    for (size_t i = 0; i < k->bound.size && i < SOLVED_SYMBOLS; i++) solve_for_one(k, &numbers, i);
    for (size_t i = 0; i < OFFSET_CHOICES; i++) keep_distance(k, v, &numbers, i);
    generalise(k, &terms_over_x, v);
    serve(k, group_under(k, terms_over_x.data, NULL));
    vec_free(&numbers);
    vec_free(&terms_over_x);
    valuation_destroy(v);
}
