/* From the operators of the program representation to terms. */
#include "machine/internal.h"

const term *arith_term(terms *c, arith op, unsigned width, const term *a, const term *b, const term *d) {
    switch (op) {
    case ARITH_ADD: return term_add(c, a, b);
    case ARITH_SUB: return term_sub(c, a, b);
    case ARITH_MUL: return term_mul(c, a, b);
    case ARITH_UDIV: return term_udiv(c, a, b);
    case ARITH_SDIV: return term_sdiv(c, a, b);
    case ARITH_UREM: return term_urem(c, a, b);
    case ARITH_SREM: return term_srem(c, a, b);
    case ARITH_AND: return term_and(c, a, b);
    case ARITH_OR: return term_or(c, a, b);
    case ARITH_XOR: return term_xor(c, a, b);
    case ARITH_SHL: return term_shl(c, a, b);
    case ARITH_LSHR: return term_lshr(c, a, b);
    case ARITH_ASHR: return term_ashr(c, a, b);
    case ARITH_EQ: return term_eq(c, a, b);
    case ARITH_NE: return term_ne(c, a, b);
    case ARITH_SAME_OBJECT: return term_false(c);
    case ARITH_ULT: return term_ult(c, a, b);
    case ARITH_ULE: return term_ule(c, a, b);
    case ARITH_SLT: return term_slt(c, a, b);
    case ARITH_SLE: return term_sle(c, a, b);
    case ARITH_NOT: return term_not(c, a);
    case ARITH_NEG: return term_neg(c, a);
    case ARITH_ZEXT: return term_zext(c, a, width);
    case ARITH_SEXT: return term_sext(c, a, width);
    case ARITH_TRUNC: return term_extract(c, a, 0, width);
    case ARITH_SELECT: return term_ite(c, a, b, d);
    default: break; /* floating point: floating.c */
    }
    return NULL;
}
