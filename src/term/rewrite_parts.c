/* Extract, concatenate, extend. Splitting a value into bytes and joining them again gives the value back. */
#include "term/internal.h"

/* --- extract -------------------------------------------------------------------------------------------- */

static const term *extract_node(terms *c, const term *a, unsigned lowest, unsigned width) {
    return term_unary(c, TERM_EXTRACT, width, lowest, a);
}

static const term *extract_of_concat(terms *c, const term *a, unsigned lowest, unsigned width) {
    const term *high = a->arg[0], *low = a->arg[1];
    if (lowest >= low->width) return term_extract(c, high, lowest - low->width, width);
    if (lowest + width <= low->width) return term_extract(c, low, lowest, width);
    return term_concat(c, term_extract(c, high, 0, lowest + width - low->width),
                       term_extract(c, low, lowest, low->width - lowest));
}

static const term *extract_of_zext(terms *c, const term *a, unsigned lowest, unsigned width) {
    const term *inner = a->arg[0];
    if (lowest >= inner->width) return term_const(c, width, 0);
    if (lowest + width <= inner->width) return term_extract(c, inner, lowest, width);
    return term_zext(c, term_extract(c, inner, lowest, inner->width - lowest), width);
}

static const term *extract_of_sext(terms *c, const term *a, unsigned lowest, unsigned width) {
    const term *inner = a->arg[0];
    if (lowest + width <= inner->width) return term_extract(c, inner, lowest, width);
    unsigned from = lowest < inner->width ? lowest : inner->width - 1u;
    return term_sext(c, term_extract(c, inner, from, inner->width - from), width);
}

/* The low bits of a sum or product depend on the low bits of the operands only. */
static const term *low_part_of_sum(terms *c, const term *a, unsigned width) {
    linear wide;
    linear_start(&wide, a->width);
    linear_add(&wide, a, 1);
    if (wide.too_long) return extract_node(c, a, 0, width);
    const term *result = term_const(c, width, wide.constant);
    for (unsigned i = 0; i < wide.count; i++) {
        const term *base = term_extract(c, wide.part[i].base, 0, width);
        result = term_add(c, result, term_mul(c, base, term_const(c, width, wide.part[i].factor)));
    }
    return result;
}

static const term *low_part_of_product(terms *c, const term *a, unsigned width) {
    return term_mul(c, term_extract(c, a->arg[0], 0, width), term_extract(c, a->arg[1], 0, width));
}

/* Bits above the k zeros that a factor 2^k brings in. */
static const term *extract_of_shifted(terms *c, const term *a, unsigned lowest, unsigned width) {
    uint64_t factor = a->arg[1]->value;
    if (factor & (factor - 1)) return NULL;
    unsigned zeros = (unsigned)__builtin_ctzll(factor);
    if (lowest >= zeros) return term_extract(c, a->arg[0], lowest - zeros, width);
    if (lowest + width <= zeros) return term_const(c, width, 0);
    return term_concat(c, term_extract(c, a->arg[0], 0, lowest + width - zeros),
                       term_const(c, zeros - lowest, 0));
}

static bool is_all_zeros_or_ones(const term *t) {
    return term_is_zero(t) || term_is_ones(t);
}

/* Pushed down only where a mask then vanishes: otherwise the bytes of (a & b) could not be joined
 * to (a & b) again. */
static const term *extract_of_bitwise(terms *c, const term *a, unsigned lowest, unsigned width) {
    const term *x = term_extract(c, a->arg[0], lowest, width), *y = term_extract(c, a->arg[1], lowest, width);
    if (!is_all_zeros_or_ones(x) && !is_all_zeros_or_ones(y)) return extract_node(c, a, lowest, width);
    return a->op == TERM_AND ? term_and(c, x, y) : a->op == TERM_OR ? term_or(c, x, y) : term_xor(c, x, y);
}

static const term *extract_of_choice(terms *c, const term *a, unsigned lowest, unsigned width) {
    return term_ite(c, a->arg[0], term_extract(c, a->arg[1], lowest, width),
                    term_extract(c, a->arg[2], lowest, width));
}

static const term *extract_by_operator(terms *c, const term *a, unsigned lowest, unsigned width) {
    const term *shifted;
    switch (a->op) {
    case TERM_EXTRACT: return term_extract(c, a->arg[0], (unsigned)a->value + lowest, width);
    case TERM_CONCAT: return extract_of_concat(c, a, lowest, width);
    case TERM_ZEXT: return extract_of_zext(c, a, lowest, width);
    case TERM_SEXT: return extract_of_sext(c, a, lowest, width);
    case TERM_NOT: return term_not(c, term_extract(c, a->arg[0], lowest, width));
    case TERM_AND:
    case TERM_OR:
    case TERM_XOR: return extract_of_bitwise(c, a, lowest, width);
    case TERM_ITE: return extract_of_choice(c, a, lowest, width);
    case TERM_ADD: return lowest ? extract_node(c, a, lowest, width) : low_part_of_sum(c, a, width);
    case TERM_MUL:
        if (term_is_const(a->arg[1]) && (shifted = extract_of_shifted(c, a, lowest, width))) return shifted;
        if (lowest) return extract_node(c, a, lowest, width);
        return term_is_const(a->arg[1]) ? low_part_of_sum(c, a, width) : low_part_of_product(c, a, width);
    default: return extract_node(c, a, lowest, width);
    }
}

const term *term_extract(terms *c, const term *a, unsigned lowest, unsigned width) {
    if (width == a->width) return a;
    const term *folded = term_fold_unary(c, TERM_EXTRACT, width, lowest, a);
    if (folded) return folded;
    if (!c->simplify || a->op == TERM_SYMBOL || !term_is_shallow(c, a))
        return extract_node(c, a, lowest, width);
    uint64_t key = (uint64_t)a->id << 16 | lowest << 8 | width, known = map_get(&c->extracts, key);
    if (known != MAP_NONE) return c->by_id.data[known];
    const term *result = extract_by_operator(c, a, lowest, width);
    map_put(&c->extracts, key, result->id);
    return result;
}

/* --- concatenate ---------------------------------------------------------------------------------------- */

static const term *join_neighbours(terms *c, const term *high, const term *low);

/* Is one of the two an extract whose neighbouring bits are the other? */
static const term *join_extracts(terms *c, const term *high, const term *low) {
    unsigned width = high->width + low->width;
    if (high->op == TERM_EXTRACT && high->value >= low->width) {
        unsigned from = (unsigned)high->value - low->width;
        if (term_extract(c, high->arg[0], from, low->width) == low)
            return term_extract(c, high->arg[0], from, width);
    }
    if (low->op == TERM_EXTRACT && low->value + width <= low->arg[0]->width) {
        unsigned above = (unsigned)low->value + low->width;
        if (term_extract(c, low->arg[0], above, high->width) == high)
            return term_extract(c, low->arg[0], (unsigned)low->value, width);
    }
    return NULL;
}

static const term *join_sign(terms *c, const term *high, const term *low) {
    unsigned width = high->width + low->width;
    const term *sign = high->op == TERM_SEXT ? high->arg[0] : high;
    if (sign->width == 1 && term_extract(c, low, low->width - 1u, 1) == sign) return term_sext(c, low, width);
    if (high->op != TERM_SEXT) return NULL;
    const term *joined = join_neighbours(c, high->arg[0], low);
    return joined ? term_sext(c, joined, width) : NULL;
}

/* Zeros below the low part of a value of the full width: a shift, kept as a multiple. */
static const term *join_shift(terms *c, const term *high, const term *low) {
    unsigned width = high->width + low->width;
    if (!term_is_zero(low) || high->op != TERM_EXTRACT || high->value || high->arg[0]->width != width)
        return NULL;
    return term_shl(c, high->arg[0], term_const(c, width, low->width));
}

/* Remembered, because nested choices share their branches. */
static const term *join_choices(terms *c, const term *high, const term *low) {
    uint64_t key = (uint64_t)high->id << 32 | low->id, known = map_get(&c->joins, key);
    if (known != MAP_NONE) return c->by_id.data[known];
    const term *result = term_ite(c, high->arg[0], term_concat(c, high->arg[1], low->arg[1]),
                                  term_concat(c, high->arg[2], low->arg[2]));
    map_put(&c->joins, key, result->id);
    return result;
}

static const term *join_neighbours(terms *c, const term *high, const term *low) {
    unsigned width = high->width + low->width;
    if (term_is_const(high) && term_is_const(low))
        return term_const(c, width, high->value << low->width | low->value);
    if (!term_is_shallow(c, high) || !term_is_shallow(c, low)) return NULL;
    if (high->op == TERM_NOT && low->op == TERM_NOT)
        return term_not(c, term_concat(c, high->arg[0], low->arg[0]));
    if (high->op == TERM_ITE && low->op == TERM_ITE && high->arg[0] == low->arg[0])
        return join_choices(c, high, low);
    const term *joined = join_extracts(c, high, low);
    if (!joined) joined = join_sign(c, high, low);
    return joined ? joined : join_shift(c, high, low);
}

/* Chains lean to the right: a . (b . (c . d)). At most 64 pieces exist, so recursion is bounded. */
const term *term_concat(terms *c, const term *high, const term *low) {
    unsigned width = high->width + low->width;
    const term *folded = term_fold_binary(c, TERM_CONCAT, width, high, low);
    if (folded) return folded;
    if (!c->simplify) return term_binary(c, TERM_CONCAT, width, high, low);
    if (term_is_zero(high)) return term_zext(c, low, width);
    if (high->op == TERM_ZEXT) return term_zext(c, term_concat(c, high->arg[0], low), width);
    if (high->op == TERM_CONCAT) return term_concat(c, high->arg[0], term_concat(c, high->arg[1], low));
    const term *joined = join_neighbours(c, high, low);
    if (joined) return joined;
    if (low->op == TERM_CONCAT && (joined = join_neighbours(c, high, low->arg[0])))
        return term_concat(c, joined, low->arg[1]);
    return term_binary(c, TERM_CONCAT, width, high, low);
}

/* --- extend --------------------------------------------------------------------------------------------- */

static const term *extend_choice(terms *c, term_op op, const term *a, unsigned width) {
    return term_ite(c, a->arg[0], term_fold_unary(c, op, width, 0, a->arg[1]),
                    term_fold_unary(c, op, width, 0, a->arg[2]));
}

const term *term_zext(terms *c, const term *a, unsigned width) {
    if (width == a->width) return a;
    const term *folded = term_fold_unary(c, TERM_ZEXT, width, 0, a);
    if (folded) return folded;
    if (c->simplify) {
        if (a->op == TERM_ZEXT) return term_zext(c, a->arg[0], width);
        if (term_is_choice_of_constants(a)) return extend_choice(c, TERM_ZEXT, a, width);
    }
    return term_unary(c, TERM_ZEXT, width, 0, a);
}

const term *term_sext(terms *c, const term *a, unsigned width) {
    if (width == a->width) return a;
    const term *folded = term_fold_unary(c, TERM_SEXT, width, 0, a);
    if (folded) return folded;
    if (c->simplify) {
        if (a->op == TERM_SEXT) return term_sext(c, a->arg[0], width);
        if (a->op == TERM_ZEXT) return term_zext(c, a->arg[0], width);
        if (term_is_choice_of_constants(a)) return extend_choice(c, TERM_SEXT, a, width);
    }
    return term_unary(c, TERM_SEXT, width, 0, a);
}
