/* Binary operators on typed operands: usual conversions, comparisons, shifts, pointer arithmetic. */
#include "frontend/ivl/lexer.h"
#include "frontend/ivl/lower.h"

static expr *wrong_operands(lowering *l, unsigned token, const expr *a, const expr *b, position at) {
    lower_error(l, at, "operator %s cannot take '%s' and '%s'", token_kind_name(token),
                elaborate_shown_type(l, a->type), elaborate_shown_type(l, b->type));
    return NULL;
}

/* The amount keeps its own type; one that is wider than the value is honoured by shifting at its width. */
static expr *shift(lowering *l, bool left, expr *a, expr *b, position at) {
    arena *m = &l->scratch;
    const type *result = type_promoted(a->type);
    a = expr_convert(m, a, result, at);
    b = expr_convert(m, b, type_promoted(b->type), at);
    const type *at_type = result->width >= b->type->width ? result
                          : result->is_signed             ? &type_long
                                                          : &type_ulong;
    a = expr_convert(m, a, at_type, at);
    arith extension = b->type->is_signed ? ARITH_SEXT : ARITH_ZEXT;
    if (b->type->width < at_type->width) b = expr_arith(m, extension, at_type, b, NULL, at);
    arith op = left ? ARITH_SHL : result->is_signed ? ARITH_ASHR : ARITH_LSHR;
    return expr_convert(m, expr_arith(m, op, at_type, a, b, at), result, at);
}

static expr *compare_order(lowering *l, unsigned token, expr *a, expr *b, position at) {
    arena *m = &l->scratch;
    bool is_signed = a->type->is_signed, greater = token == TOKEN_GREATER || token == TOKEN_GREATER_EQUAL;
    bool strict = token == TOKEN_LESS || token == TOKEN_GREATER;
    arith less = is_signed ? ARITH_SLT : ARITH_ULT, less_equal = is_signed ? ARITH_SLE : ARITH_ULE;
    if (!greater) return expr_arith(m, strict ? less : less_equal, &type_bool, a, b, at);
    if (b->careful) /* a, even a plain load, is still to be evaluated before b */
        return expr_not(m, expr_arith(m, strict ? less_equal : less, &type_bool, a, b, at), at);
    return expr_arith(m, strict ? less : less_equal, &type_bool, b, a, at);
}

static expr *compare_pointers(lowering *l, unsigned token, expr *a, expr *b, position at) {
    bool equality = token == TOKEN_EQUAL || token == TOKEN_UNEQUAL;
    if (type_is_pointer(a->type) && expr_is_literal_zero(b)) b = expr_const(&l->scratch, &type_null, 0, at);
    if (type_is_pointer(b->type) && expr_is_literal_zero(a)) a = expr_const(&l->scratch, &type_null, 0, at);
    bool fit = type_is_pointer(a->type) && type_is_pointer(b->type) &&
               (a->type->kind == TYPE_NULL || b->type->kind == TYPE_NULL || type_equal(a->type, b->type) ||
                a->type->element->kind == TYPE_VOID || b->type->element->kind == TYPE_VOID);
    if (!equality || !fit) return wrong_operands(l, token, a, b, at);
    if (expr_is_const(a) && expr_is_const(b))
        return expr_const(&l->scratch, &type_bool, token == TOKEN_EQUAL, at);
    return expr_arith(&l->scratch, token == TOKEN_EQUAL ? ARITH_EQ : ARITH_NE, &type_bool, a, b, at);
}

/* Bitwise operators on two truth values stay at width 1; the result still counts as int. */
static expr *bitwise(lowering *l, arith op, expr *a, expr *b, const type *common, position at) {
    arena *m = &l->scratch;
    expr *narrow_a = expr_narrow(m, a), *narrow_b = expr_narrow(m, b);
    if (narrow_a && narrow_b)
        return expr_convert(m, expr_arith(m, op, &type_bool, narrow_a, narrow_b, at), common, at);
    return expr_arith(m, op, common, expr_convert(m, a, common, at), expr_convert(m, b, common, at), at);
}

expr *elaborate_arithmetic(lowering *l, unsigned token, expr *a, expr *b, position at) {
    bool pointers = type_is_pointer(a->type) || type_is_pointer(b->type);
    if (pointers && a->type->kind == TYPE_POINTER && token == TOKEN_PLUS) return elaborate_step(l, a, b, at);
    if (pointers && b->type->kind == TYPE_POINTER && token == TOKEN_PLUS) {
        expr *step = elaborate_step(l, b, a, at);
        if (step) step->count_first = true;
        return step;
    }
    if (pointers && a->type->kind == TYPE_POINTER && token == TOKEN_MINUS && type_is_number(b->type)) {
        expr *wide = expr_widened(&l->scratch, b, at);
        return elaborate_step(l, a, expr_arith(&l->scratch, ARITH_NEG, &type_long, wide, NULL, at), at);
    }
    if (pointers) return compare_pointers(l, token, a, b, at);
    if (token == TOKEN_SHL || token == TOKEN_SHR) return shift(l, token == TOKEN_SHL, a, b, at);

    const type *common = type_common(a->type, b->type);
    if (token == TOKEN_AMPERSAND) return bitwise(l, ARITH_AND, a, b, common, at);
    if (token == TOKEN_PIPE) return bitwise(l, ARITH_OR, a, b, common, at);
    if (token == TOKEN_CARET) return bitwise(l, ARITH_XOR, a, b, common, at);
    arena *m = &l->scratch;
    a = expr_convert(m, a, common, at);
    b = expr_convert(m, b, common, at);
    bool s = common->is_signed;
    switch (token) {
    case TOKEN_PLUS: return expr_arith(m, ARITH_ADD, common, a, b, at);
    case TOKEN_MINUS: return expr_arith(m, ARITH_SUB, common, a, b, at);
    case TOKEN_STAR: return expr_arith(m, ARITH_MUL, common, a, b, at);
    case TOKEN_SLASH: return expr_arith(m, s ? ARITH_SDIV : ARITH_UDIV, common, a, b, at);
    case TOKEN_PERCENT: return expr_arith(m, s ? ARITH_SREM : ARITH_UREM, common, a, b, at);
    case TOKEN_EQUAL: return expr_compare_equal(m, true, a, b, at);
    case TOKEN_UNEQUAL: return expr_compare_equal(m, false, a, b, at);
    default: return compare_order(l, token, a, b, at);
    }
}
