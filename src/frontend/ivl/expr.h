/* Typed expressions: what elaborate.c makes of the syntax and emit.c turns into instructions.
 *
 * Every conversion is explicit, every name is a place or a constant, and constructors fold: an expression
 * over constants is an EXPR_CONST. Truth values have type bool and width 1 from the start, so no instruction
 * ever compares a comparison with 0. */
#ifndef HEDDLE_FRONTEND_IVL_EXPR_H
#define HEDDLE_FRONTEND_IVL_EXPR_H

#include "frontend/ivl/resolve.h"
#include "frontend/ivl/types.h"

/* clang-format off */
/*  kind             members               meaning
 *  ---------------  --------------------  ------------------------------------------------ */
typedef enum expr_kind {
    EXPR_CONST,      /* value, extra          extra: 1 for a number as written, 0 for a computed one */
    EXPR_LOAD,       /* a                     the value in place a */
    EXPR_ADDRESS,    /* a                     pointer to place a */
    EXPR_ARITH,      /* arith a b c           division and remainder carry their check */
    EXPR_AND,        /* a b                   a && b where evaluating b must wait for a */
    EXPR_OR,         /* a b                   a || b likewise */
    EXPR_CHOICE,     /* a b c                 a ? b : c likewise, or on pointers */
    EXPR_STEP,       /* a b, extra            pointer a + b * extra bytes, b of 64 bits */
    EXPR_CALL,       /* symbol, a = args      args chained through `next` */
    EXPR_INPUT,      /* name */
    EXPR_NEW,        /* a                     a elements of the type pointed to */
    EXPR_TIME,       /* - */
    /* places */
    EXPR_REGISTER,   /* index                 a variable in a register; no address */
    EXPR_OBJECT,     /* index */
    EXPR_LOCAL,      /* index */
    EXPR_TARGET,     /* a                     what pointer a points to */
    EXPR_ELEMENT,    /* a b, name             element b of the array in place a, checked against its size */
    EXPR_MEMBER,     /* a, extra              the field at byte `extra` of the struct in place a */
} expr_kind;
/* clang-format on */

typedef struct expr {
    uint8_t kind, arith;
    bool count_first; /* EXPR_STEP: written number + pointer */
    /* May violate an implicit check, calls, or makes an input or an object: not to be
     * evaluated needlessly. */
    bool careful;
    const type *type;
    struct expr *a, *b, *c, *next;
    uint64_t value;
    uint32_t index, extra;
    const char *name;
    const symbol *symbol;
    position at;
} expr;

expr *expr_make(arena *m, expr_kind kind, const type *t, position at);
expr *expr_const(arena *m, const type *t, uint64_t value, position at); /* value modulo the width */

static inline bool expr_is_const(const expr *e) {
    return e->kind == EXPR_CONST;
}
static inline bool expr_is_place(const expr *e) {
    return e->kind >= EXPR_REGISTER;
}
int64_t expr_signed_value(const expr *constant); /* as its type reads it; ulong wraps */
bool expr_is_negative(const expr *constant);
bool expr_is_literal_zero(const expr *e); /* `0` as written, which also stands for a null pointer */

/* Operands have the widths that INSTR_ARITH demands; t is the type of the result. */
expr *expr_arith(arena *m, arith op, const type *t, expr *a, expr *b, position at);
expr *expr_not(arena *m, expr *truth, position at);
/* Of truth values, lazily only where that can be seen. */
expr *expr_and(arena *m, expr *a, expr *b, position at);
expr *expr_or(arena *m, expr *a, expr *b, position at);
expr *expr_choose(arena *m, expr *condition, expr *a, expr *b, position at); /* a and b of one type */
/* Of one type; truth values stay narrow. */
expr *expr_compare_equal(arena *m, bool equal, expr *a, expr *b, position at);

expr *expr_truth(arena *m, expr *scalar, position at);                   /* != 0 */
expr *expr_widened(arena *m, expr *number, position at);                 /* to 64 bits */
expr *expr_convert(arena *m, expr *number, const type *to, position at); /* between numbers, as C++ */

/* The narrow truth value that was widened to give e, a constant 0 or 1 included; NULL if there is none. */
expr *expr_narrow(arena *m, expr *e);

uint64_t expr_most(const expr *number); /* no unsigned value of e is greater */
bool expr_may_divide_by_zero(const expr *division);
bool expr_needs_bounds_check(const expr *element);

#endif
