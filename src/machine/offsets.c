/* Offsets and sizes that are not exact: which numbers they can be. */
#include "machine/internal.h"

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t power_of_two_in(uint64_t n) {
    return n & -n;
}

/* A power of two that divides every value of t, at most 16. */
static uint64_t known_alignment(const term *t, unsigned depth) {
    enum { MOST = 16 };
    uint64_t of_arg;
    switch (t->op) {
    case TERM_CONST: of_arg = power_of_two_in(t->value); return !of_arg || of_arg > MOST ? MOST : of_arg;
    case TERM_MUL:
        if (!term_is_const(t->arg[1])) return 1;
        of_arg = power_of_two_in(t->arg[1]->value);
        return of_arg > MOST ? MOST : of_arg;
    case TERM_ZEXT:
    case TERM_SEXT: return depth ? known_alignment(t->arg[0], depth - 1) : 1;
    case TERM_CONCAT: return depth && t->arg[1]->width >= 4 ? known_alignment(t->arg[1], depth - 1) : 1;
    case TERM_ADD:
    case TERM_ITE: {
        if (!depth) return 1;
        unsigned first = t->op == TERM_ITE;
        uint64_t a = known_alignment(t->arg[first], depth - 1),
                 b = known_alignment(t->arg[first + 1], depth - 1);
        return a < b ? a : b;
    }
    default: return 1;
    }
}

uint64_t offset_alignment(const term *offset) {
    return known_alignment(offset, 6);
}

static uint64_t magnitude(unsigned width, uint64_t number) {
    int64_t n = term_signed(width, number);
    return n < 0 ? -(uint64_t)n : (uint64_t)n;
}

/* Whether x times the factor is so small that sums of four such numbers do not wrap around. */
static bool product_stays_small(run *r, const context *c, const term *x, uint64_t factor) {
    unsigned width = x->width;
    uint64_t bound = (UINT64_C(1) << (width - 3)) / factor;
    bool narrow = (x->op == TERM_ZEXT || x->op == TERM_SEXT) && x->arg[0]->width < 63 &&
                  UINT64_C(1) << x->arg[0]->width <= bound;
    if (narrow) return true;
    terms *terms = r->m->terms;
    const term *most = term_const(terms, width, bound), *least = term_neg(terms, most);
    const term *inside = term_and(terms, term_sle(terms, least, x), term_sle(terms, x, most));
    if (term_is_const(inside)) return term_is_true(inside);
    return machine_ask(r->m, c->s, c->thread, term_not(terms, inside)) == SOLVER_UNSAT;
}

enum { MOST_SUMMANDS = 16, MOST_SMALL_PRODUCTS = 3 };

/* What values an offset can have, from the constants in it. A factor that is no power of two counts only if
 * the product does not wrap around. */
progression offset_progression(run *r, const context *c, const term *offset) {
    const term *open[MOST_SUMMANDS];
    unsigned size = 0, small_products = 0, width = offset->width;
    uint64_t constant = 0, step = 0;
    open[size++] = offset;
    while (size) {
        const term *t = open[--size];
        if (t->op == TERM_ADD && size + 2 <= MOST_SUMMANDS) {
            open[size++] = t->arg[0];
            open[size++] = t->arg[1];
        } else if (term_is_const(t)) {
            constant += t->value;
        } else if (t->op == TERM_MUL && term_is_const(t->arg[1])) {
            uint64_t factor = magnitude(width, t->arg[1]->value), even = power_of_two_in(factor);
            bool small = factor != even && small_products < MOST_SMALL_PRODUCTS &&
                         product_stays_small(r, c, t->arg[0], factor);
            small_products += small;
            step = greatest_divisor(step, small ? factor : even);
        } else {
            step = greatest_divisor(step, known_alignment(t, 4));
        }
    }
    if (!step) step = 1;
    int64_t shift = term_signed(width, constant & term_mask(width));
    bool far = magnitude(width, constant & term_mask(width)) >= UINT64_C(1) << (width - 3);
    if (far) step = power_of_two_in(step);
    int64_t rest = shift % (int64_t)step;
    return (progression){(uint64_t)(rest < 0 ? rest + (int64_t)step : rest), step, 0};
}

/* `offset == number`, on the index itself where the offset is an extended index times a constant plus a
 * constant: the products cannot wrap then. */
const term *offset_equals(terms *c, const term *offset, uint64_t number) {
    unsigned width = offset->width;
    uint64_t constant = 0, scale = 1;
    const term *t = offset;
    if (t->op == TERM_ADD && term_is_const(t->arg[1])) {
        constant = t->arg[1]->value;
        t = t->arg[0];
    }
    if (t->op == TERM_MUL && term_is_const(t->arg[1])) {
        scale = t->arg[1]->value;
        t = t->arg[0];
    }
    bool narrow = (t->op == TERM_ZEXT || t->op == TERM_SEXT) && t->arg[0]->width <= width / 2 && scale > 0 &&
                  scale < UINT64_C(1) << (width / 2 - 2);
    if (!narrow) return term_eq(c, offset, term_const(c, width, number));
    int64_t distance = (int64_t)number - term_signed(width, constant), index = distance / (int64_t)scale;
    if (index * (int64_t)scale != distance) return term_false(c);
    unsigned index_width = t->arg[0]->width;
    uint64_t bits = (uint64_t)index & term_mask(index_width);
    int64_t back = t->op == TERM_SEXT ? term_signed(index_width, bits) : (int64_t)bits;
    return back == index ? term_eq(c, t->arg[0], term_const(c, index_width, bits)) : term_false(c);
}

/* --- exact numbers from open ones ----------------------------------------------------------------------- */

access_result memory_exact_number(run *r, context *c, const instruction *i, value number, uint64_t most_cases,
                                  uint64_t *out, reason_kind reason) {
    if (number.base) return memory_limit(r, c, i, reason);
    number.bits = c->needed = run_exact_number(r, c, number.bits);
    if (term_is_const(number.bits)) {
        *out = number.bits->value;
        return ACCESS_DONE;
    }
    if (r->how->follow) {
        bool went_on = c->went->next < r->how->follow->marks.size;
        if (!went_on) return memory_limit(r, c, i, reason);
        const term *exact = run_exact_number(r, c, number.bits);
        *out = exact->value;
        return term_is_const(exact) ? ACCESS_DONE : memory_infeasible(r, c);
    }
    terms *terms = r->m->terms;
    if (!most_cases) return memory_limit(r, c, i, reason);
    progression p = offset_progression(r, c, number.bits);
    uint64_t most = p.first + (most_cases - 1) * p.step;
    const term *bound = term_const(terms, number.bits->width, most);
    switch (run_decide(r, c, term_ule(terms, number.bits, bound))) {
    case DECIDED_FALSE: return memory_limit(r, c, i, reason);
    case DECIDED_NEITHER: return memory_infeasible(r, c);
    case DECIDED_TRUE: break;
    }
    for (uint64_t n = p.first; n <= most; n += p.step) {
        if (run_is_interrupted(r))
            return memory_limit(r, c, i, REASON_INTERRUPTED); /* there may be very many */
        switch (run_decide(r, c, offset_equals(terms, number.bits, n))) {
        case DECIDED_TRUE:
            *out = n;
            run_exact_number(r, c, term_const(terms, number.bits->width, n));
            return ACCESS_DONE;
        case DECIDED_NEITHER: return memory_infeasible(r, c);
        case DECIDED_FALSE: break;
        }
    }
    return memory_limit(r, c, i, reason);
}
