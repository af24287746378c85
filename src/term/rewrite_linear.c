/* Sums and products. A sum is kept as factor * base + ... + number with like bases combined, sorted and
 * rebuilt as a left-deep chain, so that equal linear forms are the same term. Products of two unknowns are
 * never multiplied out. */
#include "term/internal.h"

/* --- linear forms --------------------------------------------------------------------------------------- */

void linear_start(linear *sum, unsigned width) {
    sum->width = width;
    sum->count = 0;
    sum->too_long = false;
    sum->constant = 0;
}

static void add_multiple(linear *sum, const term *base, uint64_t factor) {
    assert(factor && base->width == sum->width && !term_is_const(base));
    assert(sum->count <= FLAT_LIMIT);
    for (unsigned i = 0; i < sum->count; i++)
        if (sum->part[i].base == base) {
            sum->part[i].factor = (sum->part[i].factor + factor) & term_mask(sum->width);
            if (!sum->part[i].factor) sum->part[i] = sum->part[--sum->count];
            return;
        }
    if (sum->count == FLAT_LIMIT)
        sum->too_long = true;
    else
        sum->part[sum->count++] = (linear_part){base, factor};
}

static bool is_multiple(const term *t) {
    return t->op == TERM_MUL && term_is_const(t->arg[1]);
}

/* Walks down sums, multiples and complements (~a = -a - 1) with an explicit stack of what is still
 * to be added. */
void linear_add(linear *sum, const term *t, uint64_t factor) {
    linear_part open[FLAT_LIMIT];
    unsigned depth = 0, joins = 0;
    uint64_t mask = term_mask(sum->width);
    for (factor &= mask;;) {
        if (!factor) {
            /* contributes nothing */
        } else if (term_is_const(t)) {
            sum->constant = (sum->constant + factor * t->value) & mask;
        } else if (t->op == TERM_ADD) {
            if (++joins > FLAT_LIMIT || depth == FLAT_LIMIT) {
                sum->too_long = true;
                return;
            }
            open[depth++] = (linear_part){t->arg[1], factor};
            t = t->arg[0];
            continue;
        } else if (is_multiple(t)) {
            factor = factor * t->arg[1]->value & mask;
            t = t->arg[0];
            continue;
        } else if (t->op == TERM_NOT) {
            factor = -factor & mask;
            sum->constant = (sum->constant + factor) & mask;
            t = t->arg[0];
            continue;
        } else {
            add_multiple(sum, t, factor);
        }
        if (!depth || sum->too_long) return;
        t = open[--depth].base;
        factor = open[depth].factor;
    }
}

static const term *multiple_of(terms *c, unsigned width, linear_part part) {
    return part.factor == 1 ? part.base
                            : term_binary(c, TERM_MUL, width, part.base, term_const(c, width, part.factor));
}

const term *linear_build(terms *c, const linear *sum) {
    assert(!sum->too_long && sum->constant <= term_mask(sum->width));
    unsigned width = sum->width;
    if (!sum->count) return term_const(c, width, sum->constant);
    uint64_t ones = term_mask(width);
    if (sum->count == 1 && sum->part[0].factor == ones && sum->constant == ones)
        return term_not(c, sum->part[0].base);

    const term *list[FLAT_LIMIT];
    for (unsigned i = 0; i < sum->count; i++) list[i] = multiple_of(c, width, sum->part[i]);
    term_sort(list, sum->count);
    const term *result = list[0];
    for (unsigned i = 1; i < sum->count; i++) result = term_binary(c, TERM_ADD, width, result, list[i]);
    return sum->constant ? term_binary(c, TERM_ADD, width, result, term_const(c, width, sum->constant))
                         : result;
}

/* --- rests ---------------------------------------------------------------------------------------------- */

static bool is_same_form(const linear *a, const linear *b) {
    bool same = a->count == b->count && a->constant == b->constant;
    for (unsigned i = 0; i < a->count && same; i++) {
        unsigned k = 0;
        while (k < b->count && (b->part[k].base != a->part[i].base || b->part[k].factor != a->part[i].factor))
            k++;
        same = k < b->count;
    }
    return same;
}

/* x - x / number * number, which is how libraries split times, is a rest; NULL: the sum is none. */
static const term *as_rest(terms *c, const linear *sum) {
    for (unsigned i = 0; i < sum->count; i++) {
        const term *quotient = sum->part[i].base;
        bool divides = quotient->op == TERM_UDIV || quotient->op == TERM_SDIV;
        if (!divides || !term_is_const(quotient->arg[1])) continue;
        if (sum->part[i].factor != (-quotient->arg[1]->value & term_mask(sum->width))) continue;
        linear others = *sum, whole;
        others.part[i] = others.part[--others.count];
        linear_start(&whole, sum->width);
        linear_add(&whole, quotient->arg[0], 1);
        if (whole.too_long || !is_same_form(&others, &whole)) continue;
        return quotient->op == TERM_UDIV ? term_urem(c, quotient->arg[0], quotient->arg[1])
                                         : term_srem(c, quotient->arg[0], quotient->arg[1]);
    }
    return NULL;
}

/* --- sums ----------------------------------------------------------------------------------------------- */

const term *term_add(terms *c, const term *a, const term *b) {
    const term *folded = term_fold_binary(c, TERM_ADD, a->width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_commutative(c, TERM_ADD, a->width, a, b);
    if (a->width == 1) return term_xor(c, a, b);
    linear sum;
    linear_start(&sum, a->width);
    linear_add(&sum, a, 1);
    linear_add(&sum, b, 1);
    const term *rest = sum.too_long ? NULL : as_rest(c, &sum);
    if (rest) return rest;
    if (!sum.too_long) return linear_build(c, &sum);
    if (term_is_zero(a)) return b;
    if (term_is_zero(b)) return a;
    return term_commutative(c, TERM_ADD, a->width, a, b);
}

const term *term_neg(terms *c, const term *a) {
    return term_mul(c, a, term_const(c, a->width, UINT64_MAX));
}

const term *term_sub(terms *c, const term *a, const term *b) {
    return term_add(c, a, term_neg(c, b));
}

/* --- products ------------------------------------------------------------------------------------------- */

typedef struct product {
    const term *factor[FLAT_LIMIT];
    unsigned count;
    uint64_t constant;
    bool too_long;
} product;

static void multiply_by(product *p, const term *t) {
    const term *open[FLAT_LIMIT];
    unsigned depth = 0;
    for (;;) {
        if (term_is_const(t)) {
            p->constant *= t->value;
        } else if (t->op == TERM_MUL) {
            if (depth == FLAT_LIMIT) {
                p->too_long = true;
                return;
            }
            open[depth++] = t->arg[1];
            t = t->arg[0];
            continue;
        } else if (p->count == FLAT_LIMIT) {
            p->too_long = true;
            return;
        } else {
            p->factor[p->count++] = t;
        }
        if (!depth) return;
        t = open[--depth];
    }
}

static const term *multiply_by_number(terms *c, const term *a, uint64_t number) {
    linear sum;
    linear_start(&sum, a->width);
    linear_add(&sum, a, number);
    if (!sum.too_long) return linear_build(c, &sum);
    if (!number) return term_const(c, a->width, 0);
    return number == 1 ? a : term_binary(c, TERM_MUL, a->width, a, term_const(c, a->width, number));
}

const term *term_mul(terms *c, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, TERM_MUL, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_commutative(c, TERM_MUL, width, a, b);
    if (width == 1) return term_and(c, a, b);
    if (term_is_const(b)) return multiply_by_number(c, a, b->value);
    if (term_is_const(a)) return multiply_by_number(c, b, a->value);

    product p = {.constant = 1};
    multiply_by(&p, a);
    multiply_by(&p, b);
    if (p.too_long) return term_commutative(c, TERM_MUL, width, a, b);
    p.constant &= term_mask(width);
    if (!p.constant) return term_const(c, width, 0);
    term_sort(p.factor, p.count);
    const term *result = p.factor[0];
    for (unsigned i = 1; i < p.count; i++) result = term_binary(c, TERM_MUL, width, result, p.factor[i]);
    return p.constant == 1 ? result : multiply_by_number(c, result, p.constant);
}
