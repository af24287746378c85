/* What --property and reach:EXPRESSION ask for, and formulas of property files for it; property files
 * themselves are in test_task. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/specification.h"

static void check_reach(const char *expression, unsigned properties, const char *rest) {
    specification s = specification_of_properties(PROPERTY_REACH);
    specification_reach(&s, expression);
    if (s.properties != properties) fail_msg("%s: %x", expression, s.properties);
    assert_string_equal(s.reach ? s.reach : "", rest);
    specification_free(&s);
}

/* Parts of a disjunction that are properties of their own. */
static void fail_and_deadlock_are_taken_out_of_expressions(void **unused) {
    (void)unused;
    enum { MEMORY = PROPERTY_MEMORY | PROPERTY_MISUSE };
    check_reach("x > 1", PROPERTY_REACH, "x > 1");
    check_reach("fail", MEMORY, "");
    check_reach("deadlock || fail", PROPERTY_DEADLOCK | MEMORY, "");
    check_reach("x > 1 || fail || y", PROPERTY_REACH | MEMORY, "x > 1 || y");
    check_reach("f(a || fail)", PROPERTY_REACH, "f(a || fail)"); /* within brackets it is none */
    check_reach("failing || deadlocks", PROPERTY_REACH, "failing || deadlocks");
}

static void what_is_asked_for_stays(void **unused) {
    (void)unused;
    specification s = specification_of_properties(PROPERTY_RACE | PROPERTY_REACH);
    specification_reach(&s, "x");
    assert_int_equal(s.properties, PROPERTY_RACE | PROPERTY_REACH);
    specification_reach(&s, "deadlock"); /* the last one counts */
    assert_int_equal(s.properties, PROPERTY_RACE | PROPERTY_DEADLOCK);
    assert_true(s.deadlock);
    assert_null(s.reach);
    specification_free(&s);
}

static void only_what_is_asked_for_is_violated(void **unused) {
    (void)unused;
    specification s = specification_of_properties(PROPERTY_OVERFLOW | PROPERTY_LIVELOCK);
    assert_string_equal(specification_violated(&s, VIOLATION_CHECK, CHECK_OVERFLOW), "no-overflow");
    assert_string_equal(specification_violated(&s, VIOLATION_LIVELOCK, CHECK_OVERFLOW), "no-livelock");
    assert_null(specification_violated(&s, VIOLATION_DEADLOCK, CHECK_OVERFLOW));
    assert_null(specification_violated(&s, VIOLATION_CHECK, CHECK_ASSERTION));
    assert_null(specification_violated(&s, VIOLATION_RACE, CHECK_OVERFLOW));
}

static void check_formulas(unsigned properties, const char *verdict, const char *formulas) {
    specification s = specification_of_properties(properties);
    text out = {0};
    specification_formulas(&s, verdict, &out);
    assert_string_equal(text_cstr(&out), formulas);
    text_free(&out);
}

static void formulas(void **unused) {
    (void)unused;
    check_formulas(PROPERTY_ASSERT | PROPERTY_RACE, "true", "G ! call(reach_error())\nG ! data-race");
    check_formulas(PROPERTY_ASSERT | PROPERTY_RACE, "false(no-data-race)", "G ! data-race");
    check_formulas(PROPERTY_MEMORY, "false(valid-free)", "G valid-free");
    check_formulas(PROPERTY_DEADLOCK, "true", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_and_deadlock_are_taken_out_of_expressions),
        cmocka_unit_test(what_is_asked_for_stays),
        cmocka_unit_test(only_what_is_asked_for_is_violated),
        cmocka_unit_test(formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
