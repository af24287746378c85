// expect: unsafe --property overflow
// expect: safe --property overflow -DSMALL
//
// The least number has no absolute value.

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
#ifdef SMALL
    if (n == INT_MIN) return 0;
#endif
    return abs(n) == 3;
}
