/* Complement, and, or, xor. Chains of one operator are flattened, sorted and freed of duplicates; numbers
 * come last. Operators over zero-extended operands are done at the narrower width. */
#include "term/internal.h"

typedef struct chain {
    term_op op;
    unsigned width, count;
    bool too_long;
    uint64_t number;              /* all constant operands together */
    const term *part[FLAT_LIMIT]; /* the others */
} chain;

static uint64_t neutral_number(term_op op, unsigned width) {
    return op == TERM_AND ? term_mask(width) : 0;
}

static void start_chain(chain *list, term_op op, unsigned width) {
    list->op = op;
    list->width = width;
    list->count = 0;
    list->too_long = false;
    list->number = neutral_number(op, width);
}

static void take_part(chain *list, const term *t) {
    if (list->count == FLAT_LIMIT)
        list->too_long = true;
    else
        list->part[list->count++] = t;
}

static void take_number(chain *list, uint64_t number) {
    list->number = term_apply(list->op, list->width, list->width, 0, (uint64_t[]){list->number, number});
}

static void flatten_into(chain *list, const term *t) {
    const term *open[FLAT_LIMIT + 1];
    unsigned depth = 0;
    for (;;) {
        if (t->op == list->op) {
            if (depth == FLAT_LIMIT) {
                list->too_long = true;
                return;
            }
            open[depth++] = t->arg[1];
            t = t->arg[0];
            continue;
        }
        if (term_is_const(t)) {
            take_number(list, t->value);
        } else if (list->op == TERM_XOR && t->op == TERM_NOT) {
            take_number(list, term_mask(list->width));
            t = t->arg[0];
            continue;
        } else {
            take_part(list, t);
        }
        if (!depth || list->too_long) return;
        t = open[--depth];
    }
}

static const term *build_chain(terms *c, const chain *list) {
    if (!list->count) return term_const(c, list->width, list->number);
    const term *result = list->part[0];
    for (unsigned i = 1; i < list->count; i++)
        result = term_binary(c, list->op, list->width, result, list->part[i]);
    if (list->number == neutral_number(list->op, list->width)) return result;
    return term_binary(c, list->op, list->width, result, term_const(c, list->width, list->number));
}

/* --- rules on sorted chains ----------------------------------------------------------------------------- */

static void drop_duplicates(chain *list) {
    unsigned kept = 0;
    for (unsigned i = 0; i < list->count; i++)
        if (!kept || list->part[kept - 1] != list->part[i]) list->part[kept++] = list->part[i];
    list->count = kept;
}

static void cancel_pairs(chain *list) {
    unsigned kept = 0;
    for (unsigned i = 0; i < list->count; i++)
        if (kept && list->part[kept - 1] == list->part[i])
            kept--;
        else
            list->part[kept++] = list->part[i];
    list->count = kept;
}

static bool has_part(const chain *list, const term *t) {
    unsigned low = 0, high = list->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = term_compare(list->part[middle], t);
        if (!order) return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool has_complements(const chain *list) {
    for (unsigned i = 0; i < list->count; i++)
        if (list->part[i]->op == TERM_NOT && has_part(list, list->part[i]->arg[0])) return true;
    return false;
}

/* a & (a | b) = a, and the dual. Looks at the outer few operands of the inner chain. */
static bool is_absorbed(const chain *list, const term *t) {
    term_op dual = list->op == TERM_AND ? TERM_OR : TERM_AND;
    for (int looks = 0; t->op == dual && looks < 8; looks++) {
        if (has_part(list, t->arg[1]) || has_part(list, t->arg[0])) return true;
        t = t->arg[0];
    }
    return false;
}

static void drop_absorbed(chain *list) {
    unsigned kept = 0;
    bool drop[FLAT_LIMIT];
    for (unsigned i = 0; i < list->count; i++) drop[i] = is_absorbed(list, list->part[i]);
    for (unsigned i = 0; i < list->count; i++)
        if (!drop[i]) list->part[kept++] = list->part[i];
    list->count = kept;
}

static unsigned bits_of(uint64_t number) {
    return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* The width outside of which an `and` is zero because of an extended operand or a mask 2^k - 1. */
static unsigned narrowest_operand(const chain *list) {
    unsigned narrowest = list->width;
    if ((list->number & (list->number + 1)) == 0 && list->number) narrowest = bits_of(list->number);
    for (unsigned i = 0; i < list->count; i++)
        if (list->part[i]->op == TERM_ZEXT && list->part[i]->arg[0]->width < narrowest)
            narrowest = list->part[i]->arg[0]->width;
    return narrowest;
}

/* The width outside of which all operands of an `or` or `xor` are zero. */
static unsigned widest_operand(const chain *list) {
    unsigned widest = bits_of(list->number);
    for (unsigned i = 0; i < list->count; i++) {
        if (list->part[i]->op != TERM_ZEXT) return list->width;
        if (list->part[i]->arg[0]->width > widest) widest = list->part[i]->arg[0]->width;
    }
    return widest;
}

/* The same for sign-extended operands: the width from which all of them repeat their sign. */
static unsigned widest_signed_operand(const chain *list) {
    unsigned widest = 0;
    for (unsigned i = 0; i < list->count; i++) {
        if (list->part[i]->op != TERM_SEXT) return list->width;
        if (list->part[i]->arg[0]->width > widest) widest = list->part[i]->arg[0]->width;
    }
    if (!widest) return list->width;
    uint64_t repeated =
        (uint64_t)term_signed(widest, list->number & term_mask(widest)) & term_mask(list->width);
    return repeated == list->number ? widest : list->width;
}

static const term *apply_chain_operator(terms *c, term_op op, const term *a, const term *b) {
    return op == TERM_AND ? term_and(c, a, b) : op == TERM_OR ? term_or(c, a, b) : term_xor(c, a, b);
}

static const term *at_width(terms *c, const chain *list, unsigned narrow) {
    const term *result = term_const(c, narrow, list->number);
    for (unsigned i = 0; i < list->count; i++)
        result = apply_chain_operator(c, list->op, result, term_extract(c, list->part[i], 0, narrow));
    return result;
}

/* Two or more operands that are extended the same way become one, done at the wider of their own widths; NULL
 * when there are not two. The rest is joined again from scratch, because the one may be anything. */
static const term *grouped(terms *c, const chain *list, term_op extension) {
    const term *narrow = NULL, *rest = term_const(c, list->width, list->number);
    unsigned width = 0, members = 0;
    for (unsigned i = 0; i < list->count; i++)
        if (list->part[i]->op == extension) {
            members++;
            if (list->part[i]->arg[0]->width > width) width = list->part[i]->arg[0]->width;
        }
    if (members < 2) return NULL;
    for (unsigned i = 0; i < list->count; i++) {
        const term *part = list->part[i];
        if (part->op != extension) {
            rest = apply_chain_operator(c, list->op, rest, part);
        } else {
            const term *inner = term_extract(c, part, 0, width);
            narrow = narrow ? apply_chain_operator(c, list->op, narrow, inner) : inner;
        }
    }
    const term *one =
        extension == TERM_ZEXT ? term_zext(c, narrow, list->width) : term_sext(c, narrow, list->width);
    return apply_chain_operator(c, list->op, rest, one);
}

/* NULL when the operands need the full width. */
static const term *narrowed(terms *c, const chain *list) {
    if (!list->count || list->width == 1) return NULL;
    unsigned narrow = list->op == TERM_AND ? narrowest_operand(list) : widest_operand(list);
    if (narrow < list->width) return term_zext(c, at_width(c, list, narrow), list->width);
    narrow = widest_signed_operand(list);
    if (narrow < list->width) return term_sext(c, at_width(c, list, narrow), list->width);
    const term *result = list->op == TERM_AND ? NULL : grouped(c, list, TERM_ZEXT);
    return result ? result : grouped(c, list, TERM_SEXT);
}

/* A mask of consecutive ones above bit 0 selects a field; as a concatenation it meets the
 * other field operations. */
static const term *masked_field(terms *c, const chain *list) {
    uint64_t mask = list->number;
    if (list->count != 1 || !mask || mask == term_mask(list->width)) return NULL;
    unsigned low = (unsigned)__builtin_ctzll(mask), high = bits_of(mask);
    if (mask >> low != term_mask(high - low)) return NULL;
    const term *field = term_extract(c, list->part[0], low, high - low);
    if (low) field = term_concat(c, field, term_const(c, low, 0));
    return term_zext(c, field, list->width);
}

/* --- constructors --------------------------------------------------------------------------------------- */

static const term *and_or(terms *c, term_op op, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, op, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_commutative(c, op, width, a, b);
    if (a == b) return a;
    chain list;
    start_chain(&list, op, width);
    flatten_into(&list, a);
    flatten_into(&list, b);
    uint64_t absorbing = term_mask(width) ^ neutral_number(op, width);
    if (list.number == absorbing) return term_const(c, width, absorbing);
    if (list.too_long) {
        if (term_is_const(a) && a->value == neutral_number(op, width)) return b;
        if (term_is_const(b) && b->value == neutral_number(op, width)) return a;
        return term_commutative(c, op, width, a, b);
    }
    term_sort(list.part, list.count);
    drop_duplicates(&list);
    if (has_complements(&list)) return term_const(c, width, absorbing);
    drop_absorbed(&list);
    const term *better = narrowed(c, &list);
    if (!better && op == TERM_AND && width > 1) better = masked_field(c, &list);
    return better ? better : build_chain(c, &list);
}

const term *term_and(terms *c, const term *a, const term *b) {
    return and_or(c, TERM_AND, a, b);
}
const term *term_or(terms *c, const term *a, const term *b) {
    return and_or(c, TERM_OR, a, b);
}

const term *term_xor(terms *c, const term *a, const term *b) {
    unsigned width = a->width;
    const term *folded = term_fold_binary(c, TERM_XOR, width, a, b);
    if (folded) return folded;
    if (!c->simplify) return term_commutative(c, TERM_XOR, width, a, b);
    if (width == 1) return term_not(c, term_eq(c, a, b));
    chain list;
    start_chain(&list, TERM_XOR, width);
    flatten_into(&list, a);
    flatten_into(&list, b);
    if (list.too_long) return term_commutative(c, TERM_XOR, width, a, b);
    term_sort(list.part, list.count);
    cancel_pairs(&list);
    bool complement = list.count && list.number == term_mask(width);
    if (complement) list.number = 0;
    const term *better = narrowed(c, &list), *result = better ? better : build_chain(c, &list);
    return complement ? term_not(c, result) : result;
}

static bool is_sum_or_multiple(const term *t) {
    return t->op == TERM_ADD || (t->op == TERM_MUL && term_is_const(t->arg[1]));
}

/* ~a = -a - 1, so that complements of sums stay sums. */
static const term *complement_of_sum(terms *c, const term *a) {
    linear sum;
    linear_start(&sum, a->width);
    linear_add(&sum, a, UINT64_MAX);
    sum.constant = (sum.constant - 1) & term_mask(a->width);
    return sum.too_long ? term_unary(c, TERM_NOT, a->width, 0, a) : linear_build(c, &sum);
}

const term *term_not(terms *c, const term *a) {
    const term *folded = term_fold_unary(c, TERM_NOT, a->width, 0, a);
    if (folded) return folded;
    if (!c->simplify || a->width == 1)
        return c->simplify && a->op == TERM_NOT ? a->arg[0] : term_unary(c, TERM_NOT, a->width, 0, a);
    if (a->op == TERM_NOT) return a->arg[0];
    if (is_sum_or_multiple(a)) return complement_of_sum(c, a);
    if (a->op == TERM_XOR && term_is_const(a->arg[1]))
        return term_xor(c, a->arg[0], term_const(c, a->width, ~a->arg[1]->value));
    return term_unary(c, TERM_NOT, a->width, 0, a);
}
