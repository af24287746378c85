/* Division of numbers made of words at the edges, where the guess of a digit of the quotient is wrong. */
#include "types.h"

static const unsigned edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};

static sc_biguint<128> words(int choice, int count) {
    sc_biguint<128> x;
    for (int i = 0; i < count; i++, choice /= 5) x = (x << 32) | edges[choice % 5];
    return x;
}

static void run_test() {
    const int dividends = 5 * 5 * 5 * 5, divisors = 5 * 5 * 5;
    int wrong = 0;
    for (int a = 0; a < dividends; a++) {
        sc_biguint<128> x = words(a, 4), digest;
        for (int b = 1; b < divisors; b++) {
            sc_biguint<96> y = words(b, 3);
            sc_biguint<128> quotient = x / y;
            sc_biguint<96> rest = x % y;
            if (rest >= y || quotient * y + rest != x) wrong++;
            digest = digest * 31 + quotient * 7 + rest;
        }
        std::cout << x << " " << digest << "\n";
    }
    SHOW(wrong);
}
