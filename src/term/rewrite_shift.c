/* Shifts and divisions. Shifts by numbers become multiples and extracts, so that one form exists for each. */
#include "term/internal.h"

static bool is_power_of_two(uint64_t number) {
    return number && !(number & (number - 1));
}

/* --- shifts --------------------------------------------------------------------------------------------- */

const term *term_shl(terms *c, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, TERM_SHL, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_SHL, width, a, b);
    if (width == 1) return term_and(c, a, term_not(c, b));
    if (term_is_zero(a)) return a;
    if (!term_is_const(b)) return term_binary(c, TERM_SHL, width, a, b);
    if (b->value >= width) return term_const(c, width, 0);
    return term_mul(c, a, term_const(c, width, UINT64_C(1) << b->value));
}

const term *term_lshr(terms *c, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, TERM_LSHR, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_LSHR, width, a, b);
    if (width == 1) return term_and(c, a, term_not(c, b));
    if (term_is_zero(a)) return a;
    if (!term_is_const(b)) return term_binary(c, TERM_LSHR, width, a, b);
    if (b->value >= width) return term_const(c, width, 0);
    return term_zext(c, term_extract(c, a, (unsigned)b->value, width - (unsigned)b->value), width);
}

const term *term_ashr(terms *c, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, TERM_ASHR, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_ASHR, width, a, b);
    if (width == 1) return a;
    if (term_is_nonnegative(a)) return term_lshr(c, a, b);
    if (!term_is_const(b)) return term_binary(c, TERM_ASHR, width, a, b);
    unsigned by = b->value < width ? (unsigned)b->value : width - 1;
    return term_sext(c, term_extract(c, a, by, width - by), width);
}

/* --- unsigned division ---------------------------------------------------------------------------------- */

/* Both operands at the width of the extended one, if the divisor is a number and fits. */
static const term *narrow_division(terms *c, term_op op, const term *a, const term *b) {
    if (a->op != TERM_ZEXT || !term_is_const(b)) return NULL;
    const term *inner = a->arg[0];
    if (b->value > term_mask(inner->width)) return op == TERM_UDIV ? term_const(c, a->width, 0) : a;
    const term *divisor = term_const(c, inner->width, b->value);
    const term *result = op == TERM_UDIV ? term_udiv(c, inner, divisor) : term_urem(c, inner, divisor);
    return term_zext(c, result, a->width);
}

const term *term_udiv(terms *c, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, TERM_UDIV, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_UDIV, width, a, b);
    if (width == 1) return term_or(c, a, term_not(c, b));
    if (!term_is_const(b)) return term_binary(c, TERM_UDIV, width, a, b);
    if (!b->value) return term_const(c, width, UINT64_MAX);
    if (term_upper_bound(a) < b->value) return term_const(c, width, 0);
    if (is_power_of_two(b->value))
        return term_lshr(c, a, term_const(c, width, (uint64_t)__builtin_ctzll(b->value)));
    const term *narrow = narrow_division(c, TERM_UDIV, a, b);
    return narrow ? narrow : term_binary(c, TERM_UDIV, width, a, b);
}

const term *term_urem(terms *c, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, TERM_UREM, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_UREM, width, a, b);
    if (width == 1) return term_and(c, a, term_not(c, b));
    if (a == b) return term_const(c, width, 0);
    if (!term_is_const(b)) return term_binary(c, TERM_UREM, width, a, b);
    if (!b->value || term_upper_bound(a) < b->value) return a;
    if (is_power_of_two(b->value)) return term_and(c, a, term_const(c, width, b->value - 1));
    const term *narrow = narrow_division(c, TERM_UREM, a, b);
    return narrow ? narrow : term_binary(c, TERM_UREM, width, a, b);
}

/* --- signed division ------------------------------------------------------------------------------------ */

const term *term_sdiv(terms *c, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, TERM_SDIV, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_SDIV, width, a, b);
    if (width == 1) return term_or(c, a, term_not(c, b));
    if (term_is_nonnegative(a) && term_is_nonnegative(b)) return term_udiv(c, a, b);
    if (term_is_const(b) && b->value == 1) return a;
    if (term_is_ones(b)) return term_neg(c, a);
    return term_binary(c, TERM_SDIV, width, a, b);
}

const term *term_srem(terms *c, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, TERM_SREM, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_SREM, width, a, b);
    if (width == 1) return term_and(c, a, term_not(c, b));
    if (term_is_zero(b)) return a;
    if (a == b || term_is_ones(b) || (term_is_const(b) && b->value == 1)) return term_const(c, width, 0);
    if (term_is_nonnegative(a) && term_is_nonnegative(b)) return term_urem(c, a, b);
    return term_binary(c, TERM_SREM, width, a, b);
}
