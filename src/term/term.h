/* Terms: hash-consed bit-vector expressions, the vocabulary of everything below this folder.
 *
 * Promises
 *  - Two terms of one context are equal as expressions exactly if their pointers are equal.
 *  - Constructors simplify: operands are already in normal form, so rewriting is local. The result never
 *    depends on the order in which other terms were built, on addresses or on the run: hashes are functions
 *    of the structure.
 *  - `shape` is the hash with every symbol replaced by its width. Operands of commutative operators are
 *    sorted by (shape, hash), so terms that are equal up to renaming of symbols keep the same structure
 *    almost always.
 *  - Widths are 1..64. A truth value is a term of width 1.
 * It never calls a solver, knows nothing of programs, and frees nothing before the context goes. */
#ifndef HEDDLE_TERM_TERM_H
#define HEDDLE_TERM_TERM_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* The operators. `w` is the width of the result. Arithmetic is modulo 2^w.
 *
 *  operator       operands      meaning
 *  -------------  ------------  ----------------------------------------------------------------------------
 */
typedef enum term_op {
    TERM_CONST,   /* -             the number in `value`, below 2^w */
    TERM_SYMBOL,  /* -             an unknown; `value` is its name */
    TERM_NOT,     /* a             bitwise complement (logical negation at width 1) */
    TERM_AND,     /* a b           bitwise; commutative, sorted */
    TERM_OR,      /* a b           bitwise; commutative, sorted */
    TERM_XOR,     /* a b           bitwise; commutative, sorted */
    TERM_ADD,     /* a b           commutative, sorted, constants last; subtraction is a + b * -1 */
    TERM_MUL,     /* a b           commutative, sorted, constants last; negation is a * -1 */
    TERM_UDIV,    /* a b           unsigned; a / 0 = all ones        (as SMT-LIB) */
    TERM_UREM,    /* a b           unsigned; a % 0 = a               (as SMT-LIB) */
    TERM_SDIV,    /* a b           signed, towards zero              (as SMT-LIB bvsdiv, also for b = 0) */
    TERM_SREM,    /* a b           signed, sign of a                 (as SMT-LIB bvsrem, also for b = 0) */
    TERM_SHL,     /* a b           a << b, 0 when b >= w */
    TERM_LSHR,    /* a b           logical right shift, 0 when b >= w */
    TERM_ASHR,    /* a b           arithmetic right shift, the sign bit everywhere when b >= w */
    TERM_EQ,      /* a b           width 1; operands of equal width; commutative, sorted */
    TERM_ULT,     /* a b           width 1; unsigned a < b */
    TERM_SLT,     /* a b           width 1; signed a < b */
    TERM_ITE,     /* c a b         c has width 1 */
    TERM_CONCAT,  /* a b           a is the high part; w = width a + width b */
    TERM_EXTRACT, /* a             bits value .. value + w - 1 of a */
    TERM_ZEXT,    /* a             zero extension to w */
    TERM_SEXT,    /* a             sign extension to w */
    TERM_OPS
} term_op;

typedef struct term {
    uint8_t op, width, arity;
    uint32_t id;    /* dense, in order of creation; for tables indexed by term, never for ordering */
    uint64_t hash;  /* of the structure, symbols by name */
    uint64_t shape; /* of the structure, symbols by width only */
    uint64_t value; /* CONST: the number; SYMBOL: its name; EXTRACT: lowest bit; else 0 */
    const struct term_support *support; /* the symbols below */
    const struct term *arg[];
} term;

/* The set of symbols of a term, hash-consed: equal sets are the same pointer. Sorted by symbol hash. */
typedef struct term_support {
    uint32_t size, id;
    const term *symbol[];
} term_support;

typedef struct terms terms; /* a context that owns terms */

terms *terms_create(void);
void terms_destroy(terms *c);
size_t terms_count(const terms *c); /* how many distinct terms exist; ids are below this */
size_t terms_bytes(const terms *c);

/* --- leaves --------------------------------------------------------------------------------------------- */

const term *term_const(terms *c, unsigned width, uint64_t value); /* value is taken modulo 2^width */
const term *term_true(terms *c);
const term *term_false(terms *c);
const term *term_bool(terms *c, bool value);

/* The symbol with this name and width, always the same one. `label` (may be NULL) is what a user reads,
 * `origin` a number of the source place it comes from; both belong to the first creation and take no part in
 * its identity. Bit 63 of the name is reserved for term_primed. */
const term *term_symbol(terms *c, unsigned width, uint64_t name, const char *label, uint32_t origin);
const char *term_symbol_label(const terms *c, const term *symbol); /* never NULL */
uint32_t term_symbol_origin(const terms *c, const term *symbol);

/* --- constructors (simplifying) ------------------------------------------------------------------------- */

const term *term_not(terms *c, const term *a);
const term *term_and(terms *c, const term *a, const term *b);
const term *term_or(terms *c, const term *a, const term *b);
const term *term_xor(terms *c, const term *a, const term *b);
const term *term_neg(terms *c, const term *a);
const term *term_add(terms *c, const term *a, const term *b);
const term *term_sub(terms *c, const term *a, const term *b);
const term *term_mul(terms *c, const term *a, const term *b);
const term *term_udiv(terms *c, const term *a, const term *b);
const term *term_urem(terms *c, const term *a, const term *b);
const term *term_sdiv(terms *c, const term *a, const term *b);
const term *term_srem(terms *c, const term *a, const term *b);
const term *term_shl(terms *c, const term *a, const term *b);
const term *term_lshr(terms *c, const term *a, const term *b);
const term *term_ashr(terms *c, const term *a, const term *b);
const term *term_eq(terms *c, const term *a, const term *b);
const term *term_ne(terms *c, const term *a, const term *b);
const term *term_ult(terms *c, const term *a, const term *b);
const term *term_ule(terms *c, const term *a, const term *b);
const term *term_slt(terms *c, const term *a, const term *b);
const term *term_sle(terms *c, const term *a, const term *b);
const term *term_ite(terms *c, const term *condition, const term *then, const term *otherwise);
const term *term_concat(terms *c, const term *high, const term *low);
const term *term_extract(terms *c, const term *a, unsigned lowest, unsigned width);
const term *term_zext(terms *c, const term *a, unsigned width); /* width >= that of a */
const term *term_sext(terms *c, const term *a, unsigned width);

/* Rebuilds an operator node over other operands, through the constructors above. `like` tells operator, width
 * and (for EXTRACT) the lowest bit. */
const term *term_rebuild(terms *c, const term *like, const term *const *args);

/* Ablation: with simplification off, constructors only fold constants and share nodes. On by default. */
void terms_set_simplify(terms *c, bool on);

/* --- questions ------------------------------------------------------------------------------------------ */

static inline bool term_is_const(const term *t) {
    return t->op == TERM_CONST;
}
static inline bool term_is_symbol(const term *t) {
    return t->op == TERM_SYMBOL;
}
static inline bool term_is_true(const term *t) {
    return t->op == TERM_CONST && t->width == 1 && t->value == 1;
}
static inline bool term_is_false(const term *t) {
    return t->op == TERM_CONST && t->width == 1 && t->value == 0;
}
static inline uint64_t term_mask(unsigned width) {
    return width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}
static inline int64_t term_signed(unsigned width,
                                  uint64_t value) { /* reads a width-bit number as two's complement */
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((value ^ sign) - sign);
}

bool term_op_commutes(term_op op);
const char *term_op_name(term_op op); /* "add", "ult", ... */

/* --- values --------------------------------------------------------------------------------------------- */

/* A valuation gives every symbol a number; symbols it does not mention are 0. */
typedef struct valuation valuation;
valuation *valuation_create(void);
valuation *valuation_copy(const valuation *v);
void valuation_destroy(valuation *v);
void valuation_set(valuation *v, const term *symbol, uint64_t value);
/* False: not mentioned, *value = 0. */
bool valuation_get(const valuation *v, const term *symbol, uint64_t *value);
void valuation_clear(valuation *v);

/* The value of t. Iterative (no depth limit) and memoised within one call. */
uint64_t term_evaluate(terms *c, const term *t, const valuation *v);

/* The meaning of one operator on numbers: what `term_evaluate`, constant folding and the tests rely on.
 * `width` is the result's width, `arg_width` that of the first operand. */
uint64_t term_apply(term_op op, unsigned width, unsigned arg_width, uint64_t value, const uint64_t *args);

/* --- substitution --------------------------------------------------------------------------------------- */

/* Replaces symbols by terms of the same width, all at once. */
typedef struct substitution substitution;
substitution *substitution_create(terms *c);
void substitution_destroy(substitution *s);
void substitution_set(substitution *s, const term *symbol, const term *by);
/* Remembers results until the next set/clear. */
const term *substitution_apply(substitution *s, const term *t);
void substitution_clear(substitution *s);

/* Every symbol replaced by its primed twin (same width, label and origin, other name). Cached per context, so
 * the same renamed-apart copies come back each time and the solver can keep their encoding. */
const term *term_primed(terms *c, const term *t);
bool term_symbol_is_primed(const term *symbol);

/* --- printing ------------------------------------------------------------------------------------------- */

/* C-like, for people; cut with "..." when enormous. */
void term_print(const terms *c, const term *t, text *out);

/* SMT-LIB 2: declarations of the free symbols (each once), shared subterms as define-fun or let, one assert
 * per condition, check-sat. Reads back in any SMT-LIB solver for logic QF_BV (BV with
 * quantified, see solver). */
void term_print_smtlib(const terms *c, const term *const *conditions, size_t count, text *out);

#endif
