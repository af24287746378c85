/* Floating point on known numbers, against the compiler's own arithmetic. */
#include "machine/internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t bits64(double d) {
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    return b;
}

static uint64_t bits32(float f) {
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

static uint64_t compute(arith op, unsigned from, unsigned to, uint64_t a, uint64_t b) {
    uint64_t out = 0;
    assert_true(floating_compute(op, from, to, a, b, &out));
    return out;
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Single precision must round once: volatile keeps the compiler from computing in a wider type. */
static void test_single_precision_rounds_once(void **state) {
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int k = 0; k < 20000; k++) {
        uint32_t p = (uint32_t)next_random(&seed), q = (uint32_t)next_random(&seed);
        volatile float x, y, sum, product, quotient;
        memcpy((void *)&x, &p, 4);
        memcpy((void *)&y, &q, 4);
        if (isnan(x) || isnan(y)) continue;
        sum = x + y;
        product = x * y;
        quotient = x / y;
        if (!isnan(sum)) assert_int_equal(compute(ARITH_FADD, 32, 32, p, q), bits32(sum));
        if (!isnan(product)) assert_int_equal(compute(ARITH_FMUL, 32, 32, p, q), bits32(product));
        if (!isnan(quotient)) assert_int_equal(compute(ARITH_FDIV, 32, 32, p, q), bits32(quotient));
        assert_int_equal(compute(ARITH_FLT, 32, 1, p, q), x < y);
    }
}

static void test_comparisons_and_nan(void **state) {
    (void)state;
    uint64_t one = bits64(1.0), nan = bits64(NAN), zero = bits64(0.0), minus = bits64(-0.0);
    assert_int_equal(compute(ARITH_FEQ, 64, 1, zero, minus), 1);
    assert_int_equal(compute(ARITH_FEQ, 64, 1, nan, nan), 0);
    assert_int_equal(compute(ARITH_FLE, 64, 1, nan, one), 0);
    assert_int_equal(compute(ARITH_FUNORDERED, 64, 1, nan, one), 1);
    assert_int_equal(compute(ARITH_FUNORDERED, 64, 1, one, one), 0);
}

static void test_conversions(void **state) {
    (void)state;
    uint64_t out;
    assert_int_equal(compute(ARITH_F_FROM_SIGNED, 32, 64, 0xffffffffu, 0), bits64(-1.0));
    assert_int_equal(compute(ARITH_F_FROM_UNSIGNED, 32, 64, 0xffffffffu, 0), bits64(4294967295.0));
    assert_int_equal(compute(ARITH_F_FROM_SIGNED, 64, 32, 16777217, 0), bits32(16777216.0f));
    assert_int_equal(compute(ARITH_F_TO_SIGNED, 64, 32, bits64(-3.9), 0), 0xfffffffdu);
    assert_int_equal(compute(ARITH_F_CONVERT, 64, 32, bits64(0.1), 0), bits32(0.1f));
    assert_false(floating_compute(ARITH_F_TO_SIGNED, 64, 32, bits64(2147483648.0), 0, &out));
    assert_true(floating_compute(ARITH_F_TO_SIGNED, 64, 32, bits64(-2147483648.5), 0, &out));
    assert_false(floating_compute(ARITH_F_TO_UNSIGNED, 64, 32, bits64(-1.0), 0, &out));
    assert_false(floating_compute(ARITH_F_TO_SIGNED, 64, 64, bits64(NAN), 0, &out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_precision_rounds_once),
        cmocka_unit_test(test_comparisons_and_nan),
        cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
