/* Approximate matching takes all unknown values for the same: it may miss what exact matching finds,
 * and says so. */
#include "asked.h"

static const char forgets_the_condition[] = "#include <symcpp.h>\n"
                                            "int x, y, error, more;\n"
                                            "int main() {\n"
                                            "    x = symcpp_nondet(-9, 9); y = symcpp_nondet(-9, 9);\n"
                                            "    if (x > 5) more = 0;\n"
                                            "    if (y > 0) more = 0;\n"
                                            "    if (x WHEN) error = 1; }\n";

#define ERROR "property", "reach:error", "stops", "statements"

/* Of the two ways behind the first condition one is taken for the other, and what only it leads
 * to is missed. */
static void it_is_never_safe_because_of_a_guess(void **unused) {
    (void)unused;
    static const char *const when[] = {"WHEN=< 3", "WHEN=> 6"};
    unsigned missed = 0;
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(
            verdict_of(ASK("t.cpp", forgets_the_condition, ERROR, "match", "esm", "define", when[k])),
            HEDDLE_UNSAFE);
        assert_int_equal(
            verdict_of(ASK("t.cpp", forgets_the_condition, ERROR, "match", "ess", "define", when[k])),
            HEDDLE_UNSAFE);
        asked a = ASK("t.cpp", forgets_the_condition, ERROR, "match", "approximate", "define", when[k]);
        if (heddle_result_verdict(a.r) != HEDDLE_UNSAFE) {
            assert_int_equal(heddle_result_verdict(a.r), HEDDLE_UNKNOWN);
            assert_non_null(strstr(heddle_result_reason(a.r), "approximately"));
            missed++;
        }
        asked_free(&a);
    }
    assert_int_equal(missed, 1);
}

static const char smallest_of_three[] =
    "#include <symcpp.h>\n"
    "int x1, x2, x3, y, error;\n"
    "int smallest(int a, int b, int c) { int m = a; if (b < m) m = b; if (c LESS m) m = c; return m; }\n"
    "int main() {\n"
    "    x1 = symcpp_nondet(-RANGE, RANGE); x2 = symcpp_nondet(-RANGE, RANGE);\n"
    "    x3 = symcpp_nondet(-RANGE, RANGE); y = smallest(x1, x2, x3);\n"
    "    if (y == x1) error = (x2 < x1) || (x3 < x1);\n"
    "    else if (y == x2) error = (x1 < x2) || (x3 < x2);\n"
    "    else if (y == x3) error = (x1 < x3) || (x2 < x3);\n"
    "    else error = 1; }\n";

/* Exact forms decide the document's own example, and how large the range is does not matter to them. */
static void exact_forms_do_not_depend_on_the_range(void **unused) {
    (void)unused;
    static const char *const methods[] = {"esm", "ess"};
    for (size_t k = 0; k < 2; k++) {
        uint64_t states[3];
        static const char *const ranges[] = {"RANGE=16", "RANGE=50000", "RANGE=2147483647"};
        for (size_t n = 0; n < 3; n++) {
            states[n] = states_of(ASK("t.cpp", smallest_of_three, ERROR, "match", methods[k], "define",
                                      "LESS=<", "define", ranges[n]));
            assert_int_equal(verdict_of(ASK("t.cpp", smallest_of_three, ERROR, "match", methods[k], "define",
                                            "LESS=>", "define", ranges[n])),
                             HEDDLE_UNSAFE);
        }
        assert_int_equal(states[0], states[1]);
        assert_int_equal(states[0], states[2]);
    }
}

/* Nothing symbolic: nothing to guess. */
static void without_unknowns_it_is_exact(void **unused) {
    (void)unused;
    assert_int_equal(verdict_of(ASK("t.cpp", forgets_the_condition, ERROR, "match", "approximate", "define",
                                    "SYMCPP_EXPLICIT", "define", "WHEN=< 3")),
                     HEDDLE_UNSAFE);
    const char *cycle = "int x; int main() { while (1) x = !x; }\n";
    assert_int_equal(verdict_of(ASK("t.cpp", cycle, "property", "reach:x == 2", "stops", "statements",
                                    "match", "approximate")),
                     HEDDLE_SAFE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_never_safe_because_of_a_guess),
        cmocka_unit_test(exact_forms_do_not_depend_on_the_range),
        cmocka_unit_test(without_unknowns_it_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
