/* Floating point on known numbers, by the machine that Heddle itself runs on: IEEE 754, to nearest. */
#include "machine/internal.h"

#include <math.h>
#include <string.h>

static double number_of(unsigned width, uint64_t bits) {
    if (width == 32) {
        uint32_t half = (uint32_t)bits;
        float f;
        memcpy(&f, &half, sizeof f);
        return f;
    }
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* Rounding a double result to float once more gives what float arithmetic gives: double has more than twice
 * the precision. The remainder is exact. */
static uint64_t bits_of(unsigned width, double d) {
    if (width == 32) {
        float f = (float)d;
        uint32_t half;
        memcpy(&half, &f, sizeof half);
        return half;
    }
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static uint64_t from_integer(arith op, unsigned from, unsigned to, uint64_t a) {
    if (op == ARITH_F_FROM_SIGNED) {
        int64_t n = term_signed(from, a);
        if (to == 64) return bits_of(64, (double)n);
        float f = (float)n; /* not by way of double: that would round twice */
        return bits_of(32, f);
    }
    if (to == 64) return bits_of(64, (double)a);
    float f = (float)a;
    return bits_of(32, f);
}

static bool to_integer(arith op, unsigned to, double x, uint64_t *out) {
    double whole = trunc(x), top = ldexp(1.0, (int)to - (op == ARITH_F_TO_SIGNED));
    double bottom = op == ARITH_F_TO_SIGNED ? -top : 0;
    if (isnan(x) || whole < bottom || whole >= top) return false;
    *out = op == ARITH_F_TO_SIGNED ? (uint64_t)(int64_t)whole : (uint64_t)whole;
    if (to < 64) *out &= (UINT64_C(1) << to) - 1;
    return true;
}

bool floating_compute(arith op, unsigned from, unsigned to, uint64_t a, uint64_t b, uint64_t *out) {
    bool reads_integer = op == ARITH_F_FROM_SIGNED || op == ARITH_F_FROM_UNSIGNED;
    bool gives_integer = op == ARITH_F_TO_SIGNED || op == ARITH_F_TO_UNSIGNED;
    bool gives_truth = op >= ARITH_FEQ && op <= ARITH_FUNORDERED;
    if (!reads_integer && from != 32 && from != 64) return false;
    if (!gives_integer && !gives_truth && to != 32 && to != 64) return false;
    if (reads_integer) {
        *out = from_integer(op, from, to, a);
        return true;
    }
    double x = number_of(from, a), y = number_of(from, b);
    switch (op) {
    case ARITH_FADD: *out = bits_of(to, x + y); return true;
    case ARITH_FSUB: *out = bits_of(to, x - y); return true;
    case ARITH_FMUL: *out = bits_of(to, x * y); return true;
    case ARITH_FDIV: *out = bits_of(to, x / y); return true;
    case ARITH_FREM: *out = bits_of(to, fmod(x, y)); return true;
    case ARITH_FPOW: *out = bits_of(to, pow(x, y)); return true;
    case ARITH_FEQ: *out = x == y; return true;
    case ARITH_FLT: *out = x < y; return true;
    case ARITH_FLE: *out = x <= y; return true;
    case ARITH_FUNORDERED: *out = isnan(x) || isnan(y); return true;
    case ARITH_F_TO_SIGNED:
    case ARITH_F_TO_UNSIGNED: return to_integer(op, to, x, out);
    case ARITH_F_CONVERT: *out = bits_of(to, x); return true;
    default: return false;
    }
}
