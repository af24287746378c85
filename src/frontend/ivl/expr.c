#include "frontend/ivl/expr.h"

#include "term/term.h"

expr *expr_make(arena *m, expr_kind kind, const type *t, position at) {
    expr *e = arena_zero(m, sizeof *e);
    e->kind = (uint8_t)kind;
    e->type = t;
    e->at = at;
    return e;
}

expr *expr_const(arena *m, const type *t, uint64_t value, position at) {
    expr *e = expr_make(m, EXPR_CONST, t, at);
    e->value = value & term_mask(t->width);
    return e;
}

int64_t expr_signed_value(const expr *e) {
    return e->type->kind == TYPE_INT && e->type->is_signed ? term_signed(e->type->width, e->value)
                                                           : (int64_t)e->value;
}

bool expr_is_negative(const expr *e) {
    return e->type->is_signed && expr_signed_value(e) < 0;
}

bool expr_is_literal_zero(const expr *e) {
    return expr_is_const(e) && e->extra && e->value == 0 && e->type->kind == TYPE_INT;
}

static bool is_truth_const(const expr *e, bool value) {
    return expr_is_const(e) && e->value == value;
}

/* --- folding -------------------------------------------------------------------------------------------- */

static bool divides(unsigned op) {
    return op == ARITH_UDIV || op == ARITH_SDIV || op == ARITH_UREM || op == ARITH_SREM;
}

/* The meaning of the operators is the term layer's; here only the ones that it does not have are reduced to
 * those it has. */
static uint64_t apply(arith op, unsigned width, unsigned arg_width, uint64_t a, uint64_t b) {
    static const uint8_t same[ARITH_COUNT] = {
        [ARITH_ADD] = TERM_ADD,       [ARITH_MUL] = TERM_MUL,   [ARITH_UDIV] = TERM_UDIV,
        [ARITH_SDIV] = TERM_SDIV,     [ARITH_UREM] = TERM_UREM, [ARITH_SREM] = TERM_SREM,
        [ARITH_AND] = TERM_AND,       [ARITH_OR] = TERM_OR,     [ARITH_XOR] = TERM_XOR,
        [ARITH_SHL] = TERM_SHL,       [ARITH_LSHR] = TERM_LSHR, [ARITH_ASHR] = TERM_ASHR,
        [ARITH_EQ] = TERM_EQ,         [ARITH_ULT] = TERM_ULT,   [ARITH_SLT] = TERM_SLT,
        [ARITH_NOT] = TERM_NOT,       [ARITH_ZEXT] = TERM_ZEXT, [ARITH_SEXT] = TERM_SEXT,
        [ARITH_TRUNC] = TERM_EXTRACT,
    };
    uint64_t forward[] = {a, b}, backward[] = {b, a}, negated[] = {a, -b & term_mask(width)},
             from_zero[] = {0, -a & term_mask(width)};
    switch (op) {
    case ARITH_SUB: return term_apply(TERM_ADD, width, arg_width, 0, negated);
    case ARITH_NEG: return term_apply(TERM_ADD, width, arg_width, 0, from_zero);
    case ARITH_NE: return !term_apply(TERM_EQ, 1, arg_width, 0, forward);
    case ARITH_ULE: return !term_apply(TERM_ULT, 1, arg_width, 0, backward);
    case ARITH_SLE: return !term_apply(TERM_SLT, 1, arg_width, 0, backward);
    default: return term_apply(same[op], width, arg_width, 0, forward);
    }
}

bool expr_may_divide_by_zero(const expr *e) {
    return e->kind == EXPR_ARITH && divides(e->arith) && !(expr_is_const(e->b) && e->b->value);
}

expr *expr_arith(arena *m, arith op, const type *t, expr *a, expr *b, position at) {
    bool constant = expr_is_const(a) && (!b || expr_is_const(b)) && type_is_number(a->type);
    if (constant && !(divides(op) && !b->value))
        return expr_const(m, t, apply(op, t->width, a->type->width, a->value, b ? b->value : 0), at);
    expr *e = expr_make(m, EXPR_ARITH, t, at);
    e->arith = (uint8_t)op;
    e->a = a;
    e->b = b;
    e->careful = a->careful || (b && b->careful) || expr_may_divide_by_zero(e);
    return e;
}

/* --- truth values --------------------------------------------------------------------------------------- */

expr *expr_not(arena *m, expr *a, position at) {
    if (a->kind == EXPR_ARITH && a->arith == ARITH_NOT) return a->a;
    return expr_arith(m, ARITH_NOT, &type_bool, a, NULL, at);
}

static expr *lazy_pair(arena *m, expr_kind kind, expr *a, expr *b, position at) {
    expr *e = expr_make(m, kind, &type_bool, at);
    e->a = a;
    e->b = b;
    e->careful = true;
    return e;
}

expr *expr_and(arena *m, expr *a, expr *b, position at) {
    if (is_truth_const(a, false) || is_truth_const(b, true)) return a;
    if (is_truth_const(a, true)) return b;
    if (is_truth_const(b, false) && !a->careful) return b;
    return b->careful ? lazy_pair(m, EXPR_AND, a, b, at) : expr_arith(m, ARITH_AND, &type_bool, a, b, at);
}

expr *expr_or(arena *m, expr *a, expr *b, position at) {
    if (is_truth_const(a, true) || is_truth_const(b, false)) return a;
    if (is_truth_const(a, false)) return b;
    if (is_truth_const(b, true) && !a->careful) return b;
    return b->careful ? lazy_pair(m, EXPR_OR, a, b, at) : expr_arith(m, ARITH_OR, &type_bool, a, b, at);
}

expr *expr_choose(arena *m, expr *condition, expr *a, expr *b, position at) {
    if (expr_is_const(condition)) return condition->value ? a : b;
    bool lazy = a->careful || b->careful || !type_is_number(a->type);
    expr *e = expr_make(m, lazy ? EXPR_CHOICE : EXPR_ARITH, a->type, at);
    e->arith = ARITH_SELECT;
    e->a = condition;
    e->b = a;
    e->c = b;
    e->careful = condition->careful || a->careful || b->careful;
    return e;
}

expr *expr_narrow(arena *m, expr *e) {
    if (e->type->kind == TYPE_BOOL) return e;
    if (expr_is_const(e) && type_is_number(e->type) && e->value <= 1)
        return expr_const(m, &type_bool, e->value, e->at);
    bool widened = e->kind == EXPR_ARITH && e->arith == ARITH_ZEXT && e->a->type->kind == TYPE_BOOL;
    return widened ? e->a : NULL;
}

expr *expr_truth(arena *m, expr *e, position at) {
    expr *narrow = expr_narrow(m, e);
    if (narrow) return narrow;
    expr *zero = expr_const(m, e->type, 0, at);
    if (expr_is_const(e) && type_is_pointer(e->type)) return expr_const(m, &type_bool, e->value != 0, at);
    return expr_arith(m, ARITH_NE, &type_bool, e, zero, at);
}

/* A truth value compared with true or false is itself or its negation. */
expr *expr_compare_equal(arena *m, bool equal, expr *a, expr *b, position at) {
    expr *narrow_a = expr_narrow(m, a), *narrow_b = expr_narrow(m, b);
    if (narrow_a && narrow_b && (!expr_is_const(a) || !expr_is_const(b))) {
        a = narrow_a;
        b = narrow_b;
        if (expr_is_const(b)) return (bool)b->value == equal ? a : expr_not(m, a, at);
        if (expr_is_const(a)) return (bool)a->value == equal ? b : expr_not(m, b, at);
    }
    return expr_arith(m, equal ? ARITH_EQ : ARITH_NE, &type_bool, a, b, at);
}

/* --- numbers -------------------------------------------------------------------------------------------- */

expr *expr_convert(arena *m, expr *e, const type *to, position at) {
    if (to->kind == TYPE_BOOL) return expr_truth(m, e, at);
    if (expr_is_const(e)) return expr_const(m, to, (uint64_t)expr_signed_value(e), at);
    if (e->type->width == to->width) {
        if (type_equal(e->type, to)) return e;
        expr *same = arena_copy(m, e, sizeof *e); /* the bits stay; only their reading changes */
        same->type = to;
        same->next = NULL;
        return same;
    }
    arith op = e->type->width > to->width ? ARITH_TRUNC : e->type->is_signed ? ARITH_SEXT : ARITH_ZEXT;
    expr *narrow = op == ARITH_TRUNC ? expr_narrow(m, e) : NULL;
    if (narrow) return expr_arith(m, ARITH_ZEXT, to, narrow, NULL, at);
    return expr_arith(m, op, to, e, NULL, at);
}

expr *expr_widened(arena *m, expr *e, position at) {
    return expr_convert(m, e, e->type->is_signed ? &type_long : &type_ulong, at);
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

uint64_t expr_most(const expr *e) {
    uint64_t all = term_mask(e->type->width);
    if (expr_is_const(e)) return e->value;
    if (e->kind != EXPR_ARITH) return all;
    switch (e->arith) {
    case ARITH_ZEXT: return expr_most(e->a);
    case ARITH_SEXT: {
        uint64_t most = expr_most(e->a);
        return most <= term_mask(e->a->type->width) / 2 ? most : all;
    }
    case ARITH_TRUNC: return least(expr_most(e->a), all);
    case ARITH_AND: return least(expr_most(e->a), expr_most(e->b));
    case ARITH_UREM:
        return expr_is_const(e->b) && e->b->value ? least(e->b->value - 1, expr_most(e->a)) : all;
    case ARITH_SELECT: {
        uint64_t b = expr_most(e->b), c = expr_most(e->c);
        return b > c ? b : c;
    }
    default: return all;
    }
}

bool expr_needs_bounds_check(const expr *element) {
    return expr_most(element->b) >= element->a->type->count;
}
