// The zeros of 0 are undefined.
// expect: safe --property overflow
// expect: unsafe --property overflow -DLEADING
// expect: unsafe --property overflow -DTRAILING
// expect: unknown -DLEADING
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n) assert(__builtin_clz(n) + __builtin_ctz(n) < 32 && __builtin_ctzll(n | 8) <= 3);
#ifdef LEADING
    return __builtin_clz(n);
#endif
#ifdef TRAILING
    return __builtin_ctzll(n);
#endif
    return __builtin_ffs(0) + __builtin_popcount(0);
}
