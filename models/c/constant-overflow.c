// Overflows in what the compiler computes: a violation where control comes there, or before main; never lost.
// expect: safe --property overflow
// expect: unsafe --property overflow -DWHICH=1
// expect: unsafe --property overflow -DWHICH=2
// expect: unsafe --property overflow -DWHICH=3
// expect: unsafe --property overflow -DWHICH=4
// expect: unsafe --property overflow -DWHICH=5
// expect: unsafe --property overflow -DWHICH=6
// expect: unsafe --property overflow -DSTATIC=1
// expect: unsafe --property overflow -DSTATIC=2
// expect: unsafe --property overflow -DSTATIC=3
// expect: unsafe --property overflow -DSTATIC=4
// expect: unsafe --property overflow -DSTATIC=5
// expect: unsafe --property overflow -DSTATIC=6
// expect: unknown --property overflow -DLIST
// expect: unknown --property overflow -DLEFT_OUT
// expect: safe --property assert -DSTATIC=1
#include <limits.h>

#define NEXT(x) ((x) + 1)

extern int __VERIFIER_nondet_int(void);

#ifndef WHICH
#define WHICH 0
#endif

#if STATIC == 1
enum numbers { FIRST, SECOND = INT_MAX + 1 };
#elif STATIC == 2
int global = 2 * INT_MAX; /* { a brace */
#elif STATIC == 3
struct pair {
    long a, b;
} pairs[] = {{1, 2}, {3, NEXT(INT_MAX)}};
#elif STATIC == 5
enum flags { HIGHEST = 1 << 31 }; /* C17 6.5.7: 2 to the 31 is no int */
#elif STATIC == 6
static int highest = 1 << 31;
#endif

/* Nobody calls it. */
int never(void) {
    return INT_MAX + 7;
}

static int compute(int which) {
    const int most = INT_MAX;
    switch (which) {
    case 1: return INT_MAX + 1;
    case 2: return most + 1;
    case 3: return -(-most - 1);
    case 4: return NEXT(most) < 0;
    case 5: return 1 << 40;
    case 6: return (-most - 1) / -1;
#if STATIC == 4
    case INT_MAX + 3: return 1;
#endif
    default: return most - 1;
    }
}

int main(void) {
#ifdef LIST
    int list[2] = {INT_MAX + 1, 2};
    if (list[1] != 2) return 1;
#endif
#ifdef LEFT_OUT
    if (0) return INT_MAX + 1;
#endif
    int n = __VERIFIER_nondet_int();
    return compute(n > 6 || n < 1 ? 0 : n == WHICH ? n : 0) && sizeof(INT_MAX + 1) == 4;
}
