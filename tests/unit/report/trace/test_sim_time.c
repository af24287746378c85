/* Simulated time with units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/trace/sim_time.h"

static void prints(uint64_t time, uint64_t resolution, const char *wanted) {
    text out = {0};
    sim_time_print(time, resolution, &out);
    assert_string_equal(text_cstr(&out), wanted);
    text_free(&out);
}

enum { PICOSECOND = 1000 };

static void units_are_the_greatest_that_leave_no_fraction(void **unused) {
    (void)unused;
    prints(10000, PICOSECOND, "10 ns");
    prints(1500, PICOSECOND, "1500 ps");
    prints(1, PICOSECOND, "1 ps");
    prints(3000000000000, PICOSECOND, "3 s");
    prints(7, 1, "7 fs");
    prints(5000000000000000000, PICOSECOND, "5000000 s");
}

static void resolutions_between_units(void **unused) {
    (void)unused;
    prints(1, 10000, "10 ps"); /* of 10 ps */
    prints(3, 100000, "300 ps");
    prints(10, 100000, "1 ns");
    prints(100, 10000, "1 ns");
    prints(15, 100000, "1500 ps");
    prints(2, 1000000000000000, "2 s");
}

static void zero_and_no_unit(void **unused) {
    (void)unused;
    prints(0, PICOSECOND, "0 s");
    prints(0, 100000, "0 s");
    prints(42, 0, "42");
    prints(0, 0, "0");
}

static void nothing_overflows(void **unused) {
    (void)unused;
    prints(UINT64_MAX, 100000000000000, "1844674407370955161500 ms"); /* of 100 ms */
    prints(UINT64_MAX, 1, "18446744073709551615 fs");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(units_are_the_greatest_that_leave_no_fraction),
                                       cmocka_unit_test(resolutions_between_units),
                                       cmocka_unit_test(zero_and_no_unit),
                                       cmocka_unit_test(nothing_overflows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
