/* Random terms for the tests of this folder: built both through the simplifying constructors and,
 * independently, as a plain tree of numbers that term_apply evaluates. */
#ifndef HEDDLE_TESTS_RANDOM_TERMS_H
#define HEDDLE_TESTS_RANDOM_TERMS_H

#include "base/hash.h"
#include "term/term.h"

typedef struct random_source {
    uint64_t state;
} random_source;

static inline uint64_t random_bits(random_source *r) {
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return hash_mix(r->state);
}

static inline unsigned random_below(random_source *r, unsigned limit) {
    return (unsigned)(random_bits(r) % limit);
}

/* Numbers at which rules have their edges are far more likely than others. */
static inline uint64_t random_number(random_source *r, unsigned width) {
    uint64_t mask = term_mask(width), n;
    switch (random_below(r, 6)) {
    case 0: n = random_below(r, 4); break;
    case 1: n = -(uint64_t)random_below(r, 4); break;
    case 2: n = UINT64_C(1) << random_below(r, width); break;
    case 3: n = (UINT64_C(1) << random_below(r, width)) - 1; break;
    case 4: n = (mask >> 1) + random_below(r, 3); break;
    default: n = random_bits(r);
    }
    return n & mask;
}

/* A term and the recipe it was made from, so that its value can be computed without
 * trusting any rewriting. */
typedef struct recipe {
    term_op op;
    unsigned width, arg_width;
    uint64_t value; /* number, place of the symbol, or lowest bit */
    int args[3];
    const term *made;
} recipe;

enum { RECIPE_LIMIT = 256 };

typedef struct cookbook {
    recipe all[RECIPE_LIMIT];
    int count;
    const term *const *symbols;
    unsigned symbol_count;
} cookbook;

static inline int cook(cookbook *book, recipe r) {
    book->all[book->count] = r;
    return book->count++;
}

static inline int random_recipe(terms *c, cookbook *book, random_source *r, unsigned width, int depth);

static inline int random_leaf(terms *c, cookbook *book, random_source *r, unsigned width) {
    if (random_below(r, 3)) {
        unsigned start = random_below(r, book->symbol_count);
        for (unsigned i = 0; i < book->symbol_count; i++) {
            unsigned at = (start + i) % book->symbol_count;
            if (book->symbols[at]->width == width)
                return cook(
                    book,
                    (recipe){.op = TERM_SYMBOL, .width = width, .value = at, .made = book->symbols[at]});
        }
    }
    uint64_t n = random_number(r, width);
    return cook(book,
                (recipe){.op = TERM_CONST, .width = width, .value = n, .made = term_const(c, width, n)});
}

static inline const term *made(const cookbook *book, int at) {
    return book->all[at].made;
}

static inline int random_unary(terms *c, cookbook *book, term_op op, unsigned width, uint64_t value, int a) {
    const term *x = made(book, a), *t;
    switch (op) {
    case TERM_NOT: t = term_not(c, x); break;
    case TERM_EXTRACT: t = term_extract(c, x, (unsigned)value, width); break;
    case TERM_ZEXT: t = term_zext(c, x, width); break;
    default: t = term_sext(c, x, width);
    }
    return cook(book, (recipe){op, width, x->width, value, {a}, t});
}

static inline const term *construct(terms *c, term_op op, const term *x, const term *y) {
    switch (op) {
    case TERM_AND: return term_and(c, x, y);
    case TERM_OR: return term_or(c, x, y);
    case TERM_XOR: return term_xor(c, x, y);
    case TERM_ADD: return term_add(c, x, y);
    case TERM_MUL: return term_mul(c, x, y);
    case TERM_UDIV: return term_udiv(c, x, y);
    case TERM_UREM: return term_urem(c, x, y);
    case TERM_SDIV: return term_sdiv(c, x, y);
    case TERM_SREM: return term_srem(c, x, y);
    case TERM_SHL: return term_shl(c, x, y);
    case TERM_LSHR: return term_lshr(c, x, y);
    case TERM_ASHR: return term_ashr(c, x, y);
    case TERM_EQ: return term_eq(c, x, y);
    case TERM_ULT: return term_ult(c, x, y);
    case TERM_SLT: return term_slt(c, x, y);
    default: return term_concat(c, x, y);
    }
}

static inline int random_binary(terms *c, cookbook *book, term_op op, unsigned width, int a, int b) {
    const term *x = made(book, a), *y = made(book, b);
    return cook(book, (recipe){op, width, x->width, 0, {a, b}, construct(c, op, x, y)});
}

static inline int random_choice(terms *c, cookbook *book, random_source *r, unsigned width, int depth) {
    int k = random_recipe(c, book, r, 1, depth), a = random_recipe(c, book, r, width, depth),
        b = random_recipe(c, book, r, width, depth);
    const term *t = term_ite(c, made(book, k), made(book, a), made(book, b));
    return cook(book, (recipe){TERM_ITE, width, 1, 0, {k, a, b}, t});
}

static inline int random_comparison(terms *c, cookbook *book, random_source *r, int depth) {
    static const term_op ops[] = {TERM_EQ, TERM_ULT, TERM_SLT};
    unsigned width = book->symbols[random_below(r, book->symbol_count)]->width;
    int a = random_recipe(c, book, r, width, depth), b = random_recipe(c, book, r, width, depth);
    return random_binary(c, book, ops[random_below(r, 3)], 1, a, b);
}

/* A term of the given width over the symbols of the book, which decide which widths are
 * compared and extracted. */
static inline int random_recipe(terms *c, cookbook *book, random_source *r, unsigned width, int depth) {
    if (!depth || book->count > RECIPE_LIMIT - 40 || !random_below(r, 8))
        return random_leaf(c, book, r, width);
    depth--;
    unsigned pick = random_below(r, 24);
    if (width == 1 && pick >= 16) return random_comparison(c, book, r, depth);
    if (pick < 13) {
        static const term_op ops[] = {TERM_AND, TERM_OR,   TERM_XOR,  TERM_ADD,  TERM_ADD,
                                      TERM_MUL, TERM_UDIV, TERM_UREM, TERM_SDIV, TERM_SREM,
                                      TERM_SHL, TERM_LSHR, TERM_ASHR};
        int a = random_recipe(c, book, r, width, depth), b = random_recipe(c, book, r, width, depth);
        return random_binary(c, book, ops[pick], width, a, b);
    }
    if (pick < 15) return random_unary(c, book, TERM_NOT, width, 0, random_recipe(c, book, r, width, depth));
    if (pick < 17) return random_choice(c, book, r, width, depth);
    if (pick < 19 && width > 1) {
        unsigned low = 1 + random_below(r, width - 1);
        int a = random_recipe(c, book, r, width - low, depth), b = random_recipe(c, book, r, low, depth);
        return random_binary(c, book, TERM_CONCAT, width, a, b);
    }
    if (pick < 22 && width > 1) {
        unsigned inner = 1 + random_below(r, width - 1);
        return random_unary(c, book, pick == 21 ? TERM_SEXT : TERM_ZEXT, width, 0,
                            random_recipe(c, book, r, inner, depth));
    }
    unsigned wider = width + random_below(r, width < 60 ? 4 : 65 - width);
    if (wider == width)
        return random_binary(c, book, TERM_ADD, width, random_recipe(c, book, r, width, depth),
                             random_recipe(c, book, r, width, depth));
    return random_unary(c, book, TERM_EXTRACT, width, random_below(r, wider - width + 1),
                        random_recipe(c, book, r, wider, depth));
}

static inline uint64_t recipe_value(const cookbook *book, int at, const uint64_t *symbol_values) {
    uint64_t value[RECIPE_LIMIT];
    for (int i = 0; i <= at; i++) {
        const recipe *step = &book->all[i];
        uint64_t args[3];
        for (int k = 0; k < 3; k++) args[k] = value[step->args[k] < i ? step->args[k] : 0];
        value[i] = step->op == TERM_SYMBOL
                       ? symbol_values[step->value]
                       : term_apply(step->op, step->width, step->arg_width, step->value, args);
    }
    return value[at];
}

#endif
