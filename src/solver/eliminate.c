#include "solver/eliminate.h"

#include "term/modular.h"

void elimination_free(elimination *e) {
    map_free(&e->bound);
    vec_free(&e->conjuncts);
}

void elimination_add(elimination *e, const term *condition) {
    VEC(const term *) open = {0};
    vec_push(&open, condition);
    while (open.size) {
        const term *t = vec_pop(&open);
        if (t->op == TERM_AND) {
            vec_push(&open, t->arg[1]);
            vec_push(&open, t->arg[0]);
            continue;
        }
        bool known = term_is_true(t);
        if (term_is_false(t)) e->contradictory = true;
        for (size_t i = 0; i < e->conjuncts.size && !known; i++) known = e->conjuncts.data[i] == t;
        if (!known) vec_push(&e->conjuncts, t);
    }
    vec_free(&open);
}

static bool contains(const term *t, const term *symbol) {
    for (size_t i = 0; i < t->support->size; i++)
        if (t->support->symbol[i] == symbol) return true;
    return false;
}

/* --- solving one equation for one symbol ---------------------------------------------------------------- */

/* The state of the walk: `left == right` under the side conditions is what is left of the equation; the
 * symbol occurs in `left` only. */
typedef struct unravelling {
    terms *c;
    const term *symbol, *left, *right;
    VEC(const term *) sides;
} unravelling;

static void require(unravelling *u, const term *condition) {
    vec_push(&u->sides, condition);
}

static void go_on_with(unravelling *u, const term *left, const term *right) {
    u->left = left;
    u->right = right;
}

/* The operand of a binary operator that contains the symbol, if the other does not; -1 otherwise. */
static int only_operand_with_symbol(const unravelling *u) {
    bool first = contains(u->left->arg[0], u->symbol), second = contains(u->left->arg[1], u->symbol);
    return first == second ? -1 : second;
}

/* a * (2^k * odd) = r: the low k bits of r are 0, and the low bits of a are known. */
static void unravel_multiple(unravelling *u) {
    terms *c = u->c;
    const term *a = u->left->arg[0], *r = u->right;
    uint64_t factor = u->left->arg[1]->value;
    unsigned zeros = (unsigned)__builtin_ctzll(factor), width = u->left->width - zeros;
    if (zeros) require(u, term_eq(c, term_extract(c, r, 0, zeros), term_const(c, zeros, 0)));
    const term *quotient = term_extract(c, r, zeros, width);
    go_on_with(u, term_extract(c, a, 0, width),
               term_mul(c, quotient, term_const(c, width, odd_inverse(factor >> zeros))));
}

static bool unravel_concat(unravelling *u, int with) {
    terms *c = u->c;
    const term *high = u->left->arg[0], *low = u->left->arg[1];
    const term *right_high = term_extract(c, u->right, low->width, high->width);
    const term *right_low = term_extract(c, u->right, 0, low->width);
    if (with < 0) return false;
    require(u, with ? term_eq(c, high, right_high) : term_eq(c, low, right_low));
    go_on_with(u, with ? low : high, with ? right_low : right_high);
    return true;
}

static void unravel_extension(unravelling *u) {
    terms *c = u->c;
    const term *inner = u->left->arg[0], *low = term_extract(c, u->right, 0, inner->width);
    bool is_signed = u->left->op == TERM_SEXT;
    require(u, term_eq(c, u->right,
                       is_signed ? term_sext(c, low, u->left->width) : term_zext(c, low, u->left->width)));
    go_on_with(u, inner, low);
}

/* One step inwards; false when the operator cannot be inverted. */
static bool unravel_step(unravelling *u) {
    terms *c = u->c;
    const term *a = u->left, *r = u->right;
    int with = a->arity == 2 ? only_operand_with_symbol(u) : 0;
    switch (a->op) {
    case TERM_NOT: go_on_with(u, a->arg[0], term_not(c, r)); return true;
    case TERM_XOR:
        if (with < 0) return false;
        go_on_with(u, a->arg[with], term_xor(c, r, a->arg[1 - with]));
        return true;
    case TERM_ADD:
        if (with < 0) return false;
        go_on_with(u, a->arg[with], term_sub(c, r, a->arg[1 - with]));
        return true;
    case TERM_EQ: /* a condition: either it must hold, or it compares truth values */
        if (with < 0 || (!term_is_true(r) && a->arg[0]->width > 1)) return false;
        go_on_with(u, a->arg[with], term_is_true(r) ? a->arg[1 - with] : term_eq(c, r, a->arg[1 - with]));
        return true;
    case TERM_MUL:
        if (!term_is_const(a->arg[1])) return false;
        unravel_multiple(u);
        return true;
    case TERM_CONCAT: return unravel_concat(u, with);
    case TERM_ZEXT:
    case TERM_SEXT: unravel_extension(u); return true;
    default: return false;
    }
}

/* What the symbol must be, where the walk has come down to it or to some bits of it; NULL otherwise. Bits
 * that are not determined stay those of the symbol. */
static const term *determined_symbol(unravelling *u) {
    terms *c = u->c;
    const term *a = u->left, *r = u->right, *y = u->symbol;
    if (a == y) return r;
    if (!a->arity || a->arg[0] != y) return NULL;
    if (a->op == TERM_EXTRACT) {
        unsigned low = (unsigned)a->value, above = low + a->width;
        const term *bits = low ? term_concat(c, r, term_extract(c, y, 0, low)) : r;
        return above < y->width ? term_concat(c, term_extract(c, y, above, y->width - above), bits) : bits;
    }
    if ((a->op != TERM_AND && a->op != TERM_OR) || !term_is_const(a->arg[1])) return NULL;
    const term *mask = a->op == TERM_AND ? a->arg[1] : term_not(c, a->arg[1]); /* the bits of y that show */
    const term *hidden = term_and(c, r, term_not(c, mask));
    require(u, term_eq(c, hidden, a->op == TERM_AND ? term_const(c, y->width, 0) : a->arg[1]));
    return term_or(c, term_and(c, y, term_not(c, mask)), term_and(c, r, mask));
}

static const term *solve_for(unravelling *u, const term *condition) {
    vec_clear(&u->sides);
    go_on_with(u, condition, term_true(u->c));
    do {
        const term *solved = determined_symbol(u);
        if (solved) return solved;
    } while (unravel_step(u));
    return NULL;
}

/* --- elimination ---------------------------------------------------------------------------------------- */

static void apply_everywhere(elimination *e, substitution *s) {
    VEC(const term *) before = {0};
    for (size_t i = 0; i < e->conjuncts.size; i++) vec_push(&before, e->conjuncts.data[i]);
    vec_clear(&e->conjuncts);
    for (size_t i = 0; i < before.size; i++) elimination_add(e, substitution_apply(s, before.data[i]));
    vec_free(&before);
}

static bool is_free_of_bound(const elimination *e, const term *t) {
    for (size_t i = 0; i < t->support->size; i++)
        if (elimination_is_bound(e, t->support->symbol[i])) return false;
    return true;
}

/* Solves one conjunct for a bound symbol that is not in `taken`; NULL if that is not possible. With
 * `only_free` the solution may not contain bound symbols. */
static const term *solve_conjunct(elimination *e, unravelling *u, const term *condition, const map *taken,
                                  bool only_free) {
    for (size_t i = 0; i < condition->support->size; i++) {
        u->symbol = condition->support->symbol[i];
        if (!elimination_is_bound(e, u->symbol) || map_get(taken, u->symbol->id) != MAP_NONE) continue;
        const term *by = solve_for(u, condition);
        if (by && (!only_free || is_free_of_bound(e, by))) return by;
    }
    return NULL;
}

/* Replaces all symbols at once that are determined by free symbols alone; if there are none, one symbol that
 * is determined by others. False when nothing can be solved any more. */
static bool eliminate_some(elimination *e, unravelling *u, bool only_free) {
    substitution *s = substitution_create(e->context);
    map taken = {0};
    VEC(const term *) sides = {0};
    size_t kept = 0;
    for (size_t i = 0; i < e->conjuncts.size; i++) {
        const term *condition = e->conjuncts.data[i];
        bool may_solve = only_free || !taken.size;
        const term *by = may_solve ? solve_conjunct(e, u, condition, &taken, only_free) : NULL;
        if (!by) {
            e->conjuncts.data[kept++] = condition;
            continue;
        }
        map_put(&taken, u->symbol->id, 1);
        substitution_set(s, u->symbol, by);
        for (size_t k = 0; k < u->sides.size; k++) vec_push(&sides, u->sides.data[k]);
    }
    e->conjuncts.size = kept;
    bool progress = taken.size;
    for (size_t i = 0; i < sides.size; i++) elimination_add(e, sides.data[i]);
    if (progress) apply_everywhere(e, s);
    vec_free(&sides);
    map_free(&taken);
    substitution_destroy(s);
    return progress;
}

/* Steps that determine scattered bits of a symbol leave it in place, so their number is bounded here. */
enum { STEP_LIMIT = 1000 };

void elimination_run(elimination *e) {
    unravelling u = {.c = e->context};
    for (int step = 0; step < STEP_LIMIT && !e->contradictory; step++)
        if (!eliminate_some(e, &u, true) && !eliminate_some(e, &u, false)) break;
    vec_free(&u.sides);
}
