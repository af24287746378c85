/* Equality and order. Equations are brought to the form (sum of positive multiples) = (the rest), solved
 * where a single unknown is left; orders against numbers to x < number and its negation. */
#include "term/internal.h"
#include "term/modular.h"

/* --- upper bounds --------------------------------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t upper_bound(const term *t, int looks) {
    uint64_t mask = term_mask(t->width);
    if (term_is_const(t)) return t->value;
    if (!looks) return t->op == TERM_ZEXT ? term_mask(t->arg[0]->width) : mask;
    switch (t->op) {
    case TERM_ZEXT: return upper_bound(t->arg[0], looks - 1);
    case TERM_AND: return smaller(upper_bound(t->arg[0], looks - 1), upper_bound(t->arg[1], looks - 1));
    case TERM_UDIV:
        return term_is_const(t->arg[1]) && t->arg[1]->value
                   ? upper_bound(t->arg[0], looks - 1) / t->arg[1]->value
                   : mask;
    case TERM_UREM:
        if (term_is_const(t->arg[1]) && t->arg[1]->value)
            return smaller(t->arg[1]->value - 1, upper_bound(t->arg[0], looks - 1));
        return upper_bound(t->arg[0], looks - 1);
    case TERM_LSHR: return upper_bound(t->arg[0], looks - 1);
    case TERM_ADD: {
        uint64_t a = upper_bound(t->arg[0], looks - 1), b = upper_bound(t->arg[1], looks - 1);
        return a <= mask - b ? a + b : mask;
    }
    case TERM_ITE: {
        uint64_t a = upper_bound(t->arg[1], looks - 1), b = upper_bound(t->arg[2], looks - 1);
        return a > b ? a : b;
    }
    default: return mask;
    }
}

uint64_t term_upper_bound(const term *t) {
    return upper_bound(t, 4);
}

/* --- equality ------------------------------------------------------------------------------------------- */

static const term *eq_node(terms *c, const term *a, const term *b) {
    return term_commutative(c, TERM_EQ, 1, a, b);
}

static const term *truth_values_equal(terms *c, const term *a, const term *b) {
    if (term_is_const(a)) return a->value ? b : term_not(c, b);
    if (term_is_const(b)) return b->value ? a : term_not(c, a);
    if (a->op == TERM_NOT && b->op == TERM_NOT) return term_eq(c, a->arg[0], b->arg[0]);
    if (a->op == TERM_NOT) return term_not(c, term_eq(c, a->arg[0], b));
    if (b->op == TERM_NOT) return term_not(c, term_eq(c, a, b->arg[0]));
    return eq_node(c, a, b);
}

static const term *parts_equal(terms *c, const term *a, const term *b, unsigned split) {
    unsigned above = a->width - split;
    const term *high = term_eq(c, term_extract(c, a, split, above), term_extract(c, b, split, above));
    return term_and(c, high, term_eq(c, term_extract(c, a, 0, split), term_extract(c, b, 0, split)));
}

/* ite(k, x, y) == number, where one branch is a number. */
static const term *choice_equals_number(terms *c, const term *t, const term *number) {
    const term *condition = t->arg[0], *a = t->arg[1], *b = t->arg[2];
    if (!term_is_shallow(c, t)) return NULL;
    if (term_is_const(a))
        return a == number ? term_or(c, condition, term_eq(c, b, number))
                           : term_and(c, term_not(c, condition), term_eq(c, b, number));
    if (term_is_const(b))
        return b == number ? term_or(c, term_not(c, condition), term_eq(c, a, number))
                           : term_and(c, condition, term_eq(c, a, number));
    return NULL;
}

static const term *masked_equals_number(terms *c, const term *t, const term *number) {
    uint64_t mask = t->arg[1]->value, value = number->value;
    if (value & ~mask) return term_false(c);
    if (mask & (mask - 1)) return NULL;
    const term *bit = term_extract(c, t->arg[0], (unsigned)__builtin_ctzll(mask), 1);
    return value ? bit : term_not(c, bit);
}

/* Splitting (a | b) == 0 follows both operands, so it may only be done near the leaves of a shared term. */
enum { SPLIT_HEIGHT = 10 };

/* t is neither a number nor a sum nor a multiple nor a complement. NULL: nothing better than
 * the node itself. */
static const term *equals_number(terms *c, const term *t, const term *number) {
    uint64_t value = number->value;
    if (value > term_upper_bound(t)) return term_false(c);
    const term *inner = t->arity ? t->arg[0] : NULL;
    switch (t->op) {
    case TERM_ZEXT: return term_eq(c, inner, term_const(c, inner->width, value));
    case TERM_SEXT:
        if (((uint64_t)term_signed(inner->width, value & term_mask(inner->width)) & term_mask(t->width)) !=
            value)
            return term_false(c);
        return term_eq(c, inner, term_const(c, inner->width, value));
    case TERM_CONCAT: return parts_equal(c, t, number, t->arg[1]->width);
    case TERM_ITE: return choice_equals_number(c, t, number);
    case TERM_XOR:
        if (!term_is_const(t->arg[1])) return value ? NULL : term_eq(c, inner, t->arg[1]);
        return term_eq(c, inner, term_const(c, t->width, value ^ t->arg[1]->value));
    case TERM_AND: return term_is_const(t->arg[1]) ? masked_equals_number(c, t, number) : NULL;
    case TERM_OR:
        if (term_is_const(t->arg[1]) && (t->arg[1]->value & ~value)) return term_false(c);
        if (value || c->height.data[t->id] > SPLIT_HEIGHT) return NULL;
        return term_and(c, term_eq(c, inner, number), term_eq(c, t->arg[1], number));
    default: return NULL;
    }
}

static bool is_same_extension(const term *a, const term *b) {
    return a->op == b->op && (a->op == TERM_ZEXT || a->op == TERM_SEXT);
}

/* Both extended the same way: compare at the wider of the two original widths. */
static const term *extensions_equal(terms *c, const term *a, const term *b) {
    const term *x = a->arg[0], *y = b->arg[0];
    unsigned width = x->width > y->width ? x->width : y->width;
    return a->op == TERM_ZEXT ? term_eq(c, term_zext(c, x, width), term_zext(c, y, width))
                              : term_eq(c, term_sext(c, x, width), term_sext(c, y, width));
}

/* A single unknown: factor * t + constant = 0. */
static const term *solved_equation(terms *c, const linear *sum) {
    const term *t = sum->part[0].base;
    uint64_t factor = sum->part[0].factor, right = -sum->constant & term_mask(sum->width);
    unsigned zeros = (unsigned)__builtin_ctzll(factor);
    if (right & (term_mask(sum->width) & ((UINT64_C(1) << zeros) - 1))) return term_false(c);
    uint64_t value = (right >> zeros) * odd_inverse(factor >> zeros);
    if (zeros) {
        unsigned width = sum->width - zeros;
        return term_eq(c, term_extract(c, t, 0, width), term_const(c, width, value));
    }
    const term *number = term_const(c, sum->width, value), *better = equals_number(c, t, number);
    return better ? better : eq_node(c, t, number);
}

static bool has_positive_sign(unsigned width, uint64_t factor) {
    return factor <= term_mask(width) >> 1;
}

/* Compares the parts of a sum with those of its negative, as sets: by shapes, or by hashes. */
static int compare_with_negative(terms *c, const linear *sum, bool by_shape) {
    uint64_t as_is = 0, negative = 0;
    for (unsigned i = 0; i < sum->count; i++) {
        linear_part part = sum->part[i];
        const term *a =
            term_binary(c, TERM_MUL, sum->width, part.base, term_const(c, sum->width, part.factor));
        const term *b =
            term_binary(c, TERM_MUL, sum->width, part.base, term_const(c, sum->width, -part.factor));
        as_is += by_shape ? a->shape : a->hash;
        negative += by_shape ? b->shape : b->hash;
    }
    return as_is < negative ? -1 : as_is > negative;
}

/* An equation and its negative are the same; one is chosen in a way that survives renaming of symbols: more
 * positive factors, then a positive number on the right, then the shapes. */
static bool should_negate(terms *c, const linear *sum) {
    int balance = 0;
    for (unsigned i = 0; i < sum->count; i++) {
        uint64_t factor = sum->part[i].factor, minus = -factor & term_mask(sum->width);
        if (factor != minus) balance += has_positive_sign(sum->width, factor) ? 1 : -1;
    }
    if (balance) return balance < 0;
    uint64_t right = -sum->constant & term_mask(sum->width);
    if (right != sum->constant) return !has_positive_sign(sum->width, right);
    int order = compare_with_negative(c, sum, true);
    return order ? order < 0 : compare_with_negative(c, sum, false) < 0;
}

static const term *balanced_equation(terms *c, const linear *sum) {
    uint64_t mask = term_mask(sum->width), sign = should_negate(c, sum) ? mask : 1, common = 0;
    linear left, right;
    linear_start(&left, sum->width);
    linear_start(&right, sum->width);
    for (unsigned i = 0; i < sum->count; i++) {
        uint64_t factor = sum->part[i].factor * sign & mask, minus = -factor & mask;
        common |= factor;
        if (has_positive_sign(sum->width, factor) || factor == minus)
            left.part[left.count++] = (linear_part){sum->part[i].base, factor};
        else
            right.part[right.count++] = (linear_part){sum->part[i].base, minus};
    }
    right.constant = -(sum->constant * sign) & mask;
    if (right.constant & ((common & -common) - 1)) return term_false(c); /* 2^k divides the left side only */
    const term *a = linear_build(c, &left), *b = linear_build(c, &right);
    if (is_same_extension(a, b)) return extensions_equal(c, a, b);
    if (a->op == TERM_CONCAT && b->op == TERM_CONCAT && a->arg[1]->width == b->arg[1]->width)
        return parts_equal(c, a, b, a->arg[1]->width);
    return eq_node(c, a, b);
}

const term *term_eq(terms *c, const term *a, const term *b) {
    if (a == b) return term_true(c);
    if (term_is_const(a) && term_is_const(b)) return term_false(c);
    if (!c->simplify) return eq_node(c, a, b);
    if (a->width == 1) return truth_values_equal(c, a, b);
    linear sum;
    linear_start(&sum, a->width);
    linear_add(&sum, a, 1);
    linear_add(&sum, b, UINT64_MAX);
    if (sum.too_long) return eq_node(c, a, b);
    if (!sum.count) return term_bool(c, sum.constant == 0);
    return sum.count == 1 ? solved_equation(c, &sum) : balanced_equation(c, &sum);
}

const term *term_ne(terms *c, const term *a, const term *b) {
    return term_not(c, term_eq(c, a, b));
}

/* --- order ---------------------------------------------------------------------------------------------- */

/* Both branches and the other side are numbers: decided per branch. */
static const term *order_of_choice(terms *c, term_op op, const term *a, const term *b) {
    const term *choice = a->op == TERM_ITE ? a : b;
    const term *branch[2];
    for (int i = 0; i < 2; i++) {
        const term *number = choice->arg[1 + i];
        branch[i] =
            choice == a ? term_fold_binary(c, op, 1, number, b) : term_fold_binary(c, op, 1, a, number);
    }
    return term_ite(c, choice->arg[0], branch[0], branch[1]);
}

static bool decides_by_branch(const term *a, const term *b) {
    return (term_is_choice_of_constants(a) && term_is_const(b)) ||
           (term_is_choice_of_constants(b) && term_is_const(a));
}

static const term *ult_number(terms *c, const term *a, const term *b) {
    uint64_t number = b->value;
    if (!number) return term_false(c);
    if (term_upper_bound(a) < number) return term_true(c);
    if (number == 1) return term_eq(c, a, term_const(c, a->width, 0));
    if (number == term_mask(a->width)) return term_ne(c, a, b);
    if (a->op == TERM_ZEXT) return term_ult(c, a->arg[0], term_const(c, a->arg[0]->width, number));
    return term_binary(c, TERM_ULT, 1, a, b);
}

const term *term_ult(terms *c, const term *a, const term *b) {
    const term *folded = term_fold_binary(c, TERM_ULT, 1, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_ULT, 1, a, b);
    if (a == b) return term_false(c);
    if (a->width == 1) return term_and(c, term_not(c, a), b);
    if (decides_by_branch(a, b)) return order_of_choice(c, TERM_ULT, a, b);
    if (a->op == TERM_NOT && b->op == TERM_NOT) return term_ult(c, b->arg[0], a->arg[0]);
    if (term_is_const(b)) return ult_number(c, a, b);
    if (term_is_const(a)) {
        if (a->value >= term_upper_bound(b)) return term_false(c);
        return term_not(c, term_ult(c, b, term_const(c, a->width, a->value + 1)));
    }
    if (a->op == TERM_ZEXT && b->op == TERM_ZEXT) {
        const term *x = a->arg[0], *y = b->arg[0];
        unsigned width = x->width > y->width ? x->width : y->width;
        return term_ult(c, term_zext(c, x, width), term_zext(c, y, width));
    }
    return term_binary(c, TERM_ULT, 1, a, b);
}

static uint64_t least_signed(unsigned width) {
    return UINT64_C(1) << (width - 1);
}
static uint64_t greatest_signed(unsigned width) {
    return term_mask(width) >> 1;
}

/* sext(x) < number: the number lies below, above or within the range of x. */
static const term *slt_extended_number(terms *c, const term *x, unsigned width, uint64_t number) {
    int64_t value = term_signed(width, number);
    if (value <= term_signed(x->width, least_signed(x->width))) return term_false(c);
    if (value > (int64_t)greatest_signed(x->width)) return term_true(c);
    return term_slt(c, x, term_const(c, x->width, number));
}

static const term *slt_number(terms *c, const term *a, const term *b) {
    uint64_t number = b->value;
    unsigned width = a->width;
    if (number == least_signed(width)) return term_false(c);
    if (term_is_nonnegative(a)) return term_signed(width, number) <= 0 ? term_false(c) : term_ult(c, a, b);
    if (number == least_signed(width) + 1) return term_eq(c, a, term_const(c, width, least_signed(width)));
    if (number == greatest_signed(width)) return term_ne(c, a, b);
    if (a->op == TERM_SEXT) return slt_extended_number(c, a->arg[0], width, number);
    return term_binary(c, TERM_SLT, 1, a, b);
}

const term *term_slt(terms *c, const term *a, const term *b) {
    const term *folded = term_fold_binary(c, TERM_SLT, 1, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_SLT, 1, a, b);
    unsigned width = a->width;
    if (a == b) return term_false(c);
    if (width == 1) return term_and(c, a, term_not(c, b));
    if (decides_by_branch(a, b)) return order_of_choice(c, TERM_SLT, a, b);
    if (a->op == TERM_NOT && b->op == TERM_NOT) return term_slt(c, b->arg[0], a->arg[0]);
    if (term_is_const(b)) return slt_number(c, a, b);
    if (term_is_const(a)) {
        if (a->value == greatest_signed(width)) return term_false(c);
        return term_not(c, term_slt(c, b, term_const(c, width, a->value + 1)));
    }
    if (term_is_nonnegative(a) && term_is_nonnegative(b)) return term_ult(c, a, b);
    if (a->op == TERM_SEXT && b->op == TERM_SEXT) {
        const term *x = a->arg[0], *y = b->arg[0];
        unsigned wider = x->width > y->width ? x->width : y->width;
        return term_slt(c, term_sext(c, x, wider), term_sext(c, y, wider));
    }
    return term_binary(c, TERM_SLT, 1, a, b);
}

const term *term_ule(terms *c, const term *a, const term *b) {
    return term_not(c, term_ult(c, b, a));
}
const term *term_sle(terms *c, const term *a, const term *b) {
    return term_not(c, term_slt(c, b, a));
}
