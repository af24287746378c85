/* Functions of <math.h> on numbers that the machine has no operator for: binary64 as bit patterns, in integer
 * arithmetic, rounding to nearest with ties to even. The translator calls them for LLVM's intrinsics and
 * converts binary32 to binary64 and back, which is wide enough for the second rounding to do no harm. */
#include "models.h"

typedef unsigned long long bits64;

enum { BIAS = 1023, INFINITE = 0x7ff, FRACTION = 52 };

#define SIGN     (1ull << 63)
#define HIDDEN   (1ull << FRACTION)
#define INFINITY ((bits64)INFINITE << FRACTION)
#define NOTHING  (0xfff8ull << 48) /* the NaN of an invalid operation */
#define QUIET    (1ull << 51)

static inline bits64 sign_of(bits64 a) {
    return a & SIGN;
}
static inline bits64 magnitude(bits64 a) {
    return a & ~SIGN;
}
static inline int is_nan(bits64 a) {
    return magnitude(a) > INFINITY;
}

/* m is shifted left until bit `top` is its highest one; tells by how much. m is not 0. */
static inline int normalise(bits64 *m, int top) {
    int by = 0;
    for (int step = 32; step; step /= 2)
        if (!(*m >> (top + 1 - step))) {
            *m <<= step;
            by += step;
        }
    return by;
}

/* Shifted right, with the last bit telling whether anything else was lost. */
static inline bits64 shift_sticky(bits64 m, int by) {
    if (by <= 0) return m;
    if (by > 63) return m != 0;
    return m >> by | ((m << (64 - by)) != 0);
}

/* A finite number as m * 2^(e - BIAS - 62) with bit 62 the highest of m; m is 0 for zero. */
static inline bits64 unpack(bits64 a, int *e) {
    bits64 m = a & (HIDDEN - 1);
    *e = (int)(magnitude(a) >> FRACTION);
    if (*e) return (m | HIDDEN) << 10;
    *e = 1;
    if (!m) return 0;
    m <<= 10;
    *e -= normalise(&m, 62);
    return m;
}

/* The inverse, with rounding. */
static inline bits64 pack(bits64 sign, int e, bits64 m) {
    if (!m) return sign;
    if (e >= INFINITE) return sign | INFINITY;
    if (e < 1) {
        m = shift_sticky(m, 1 - e);
        e = 0;
    }
    bits64 rest = m & 0x3ff;
    m >>= 10;
    if (rest > 0x200 || (rest == 0x200 && (m & 1))) m++;
    return sign | ((e ? (bits64)(e - 1) << FRACTION : 0) + m);
}

bits64 __model_f64_sqrt(bits64 a) {
    if (is_nan(a)) return a | QUIET;
    if (!magnitude(a)) return a;
    if (sign_of(a)) return NOTHING;
    if (a == INFINITY) return a;
    int e;
    bits64 m = unpack(a, &e) >> 10; /* value = m * 2^(e - BIAS - 52) */
    e -= BIAS;
    if (e & 1) {
        m <<= 1;
        e--;
    }
    /* digit by digit: root^2 <= m * 2^(2k) with k further digits */
    bits64 root = 0, rest = 0;
    for (int k = 0; k < 56; k++) {
        bits64 next = k < 27 ? m >> (52 - 2 * k) & 3 : 0;
        rest = rest << 2 | next;
        bits64 trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    if (rest) root |= 1;
    e = BIAS + e / 2 + 7; /* the root of 1 has its one at bit 55 */
    e -= normalise(&root, 62);
    return pack(0, e, root);
}

typedef enum { DOWN, UP, TO_ZERO, NEAREST_EVEN, NEAREST_AWAY } direction;

static inline bits64 to_whole(bits64 a, direction how) {
    int e = (int)(magnitude(a) >> FRACTION) - BIAS;
    if (is_nan(a)) return a | QUIET;
    if (e >= FRACTION || !magnitude(a)) return a;
    bits64 one = (bits64)BIAS << FRACTION, sign = sign_of(a);
    int away = how == DOWN ? sign != 0 : how == UP ? !sign : 0;
    if (e < 0) {
        if (how == NEAREST_EVEN) away = magnitude(a) > one - HIDDEN;
        if (how == NEAREST_AWAY) away = magnitude(a) >= one - HIDDEN;
        return sign | (away ? one : 0);
    }
    bits64 unit = 1ull << (FRACTION - e), rest = a & (unit - 1), half = unit / 2;
    if (!rest) return a;
    if (how == NEAREST_EVEN) away = rest > half || (rest == half && (a & unit));
    if (how == NEAREST_AWAY) away = rest >= half;
    return a - rest + (away ? unit : 0);
}

bits64 __model_f64_floor(bits64 a) {
    return to_whole(a, DOWN);
}
bits64 __model_f64_ceil(bits64 a) {
    return to_whole(a, UP);
}
bits64 __model_f64_trunc(bits64 a) {
    return to_whole(a, TO_ZERO);
}
bits64 __model_f64_rint(bits64 a) {
    return to_whole(a, NEAREST_EVEN);
}
bits64 __model_f64_round(bits64 a) {
    return to_whole(a, NEAREST_AWAY);
}
