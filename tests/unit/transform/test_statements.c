/* Statements: where they end, and that they can be made indivisible. Numbers of states are counted by hand:
 * one state before the program, and one behind every statement for each combination of values. */
#include "asked.h"

#define EVERY_STATEMENT "stops", "statements", "match", "ceq", "define", "SYMCPP_EXPLICIT"

static void straight_code(void **unused) {
    (void)unused;
    /* 1 + 3 assignments, 2 states each for x, x, y, z, and 4 for the last y */
    const char *source = "#include <symcpp.h>\n"
                         "int x, y, z;\n"
                         "int main() { x = 0; y = 0; z = 0; x = symcpp_nondet(0, 1); x = x + 1;\n"
                         "    y = 2 * x + y + 1; z = z - y; y = symcpp_nondet(0, 1); }\n";
    assert_int_equal(states_of(ASK("t.cpp", source, EVERY_STATEMENT)), 1 + 3 + 4 * 2 + 4);
    /* with chains: the first, those before the two choices, and the last */
    assert_int_equal(states_of(ASK("t.cpp", source, EVERY_STATEMENT, "chain", "1")), 1 + 1 + 2 + 4);
    assert_int_equal(states_of(ASK("t.cpp", source, EVERY_STATEMENT, "chain", "100")), 1 + 1 + 2 + 4);
}

static void a_written_jump_is_a_statement(void **unused) {
    (void)unused;
    /* at each of the three statements, the first round and, until z is 2, the second: 5 for each x */
    const char *source = "#include <symcpp.h>\n"
                         "int x, y, z;\n"
                         "int main() { x = symcpp_nondet(0, 1); again: y = 1; z = 2; goto again; }\n";
    assert_int_equal(states_of(ASK("t.cpp", source, EVERY_STATEMENT)), 1 + 2 * 5);
    /* with chains: the first, and one for each x behind a jump */
    static const char *const lengths[] = {"1", "2", "3", "4", "100", "1000"};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        assert_int_equal(
            states_of(ASK("t.cpp", source, EVERY_STATEMENT, "chain", lengths[k], "sleep-spins", "off")),
            1 + 2);
}

static void a_loop_has_no_jumps_of_its_own(void **unused) {
    (void)unused;
    /* i = ?: 2, i = 0: 1, three statements in each round, the last condition, i = ?: 2 */
    const char *source = "#include <symcpp.h>\n"
                         "int a[N], i;\n"
                         "int main() { i = symcpp_nondet(0, 1); for (i = 0; i < N; i++) a[i] = i;\n"
                         "    i = symcpp_nondet(0, 1); }\n";
    assert_int_equal(states_of(ASK("t.cpp", source, EVERY_STATEMENT, "define", "N=10")), 3 * 10 + 7);
    assert_int_equal(states_of(ASK("t.cpp", source, EVERY_STATEMENT, "define", "N=1000")), 3 * 1000 + 7);
    /* with chains: the first, the one before the last choice, the two behind it, and those of the loop:
     * behind each i++; or behind the first that makes 100 transitions. With i = ? and i = 0 before it that is
     * after 33 rounds, from there on after 34 each */
    static const struct {
        const char *length;
        uint64_t in_loop;
    } cuts[] = {{"1", 1000}, {"100", 1 + (1000 - 33) / 34}, {"1000000", 0}};
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
        assert_int_equal(
            states_of(ASK("t.cpp", source, EVERY_STATEMENT, "define", "N=1000", "chain", cuts[k].length)),
            4 + cuts[k].in_loop);
}

static void a_call_of_the_library_is_a_statement_unless_its_result_is_used(void **unused) {
    (void)unused;
    static const struct {
        const char *what;
        uint64_t statements;
    } cases[] = {
        {"WHAT=", 2}, {"WHAT=atoi(\"3\");", 3}, {"WHAT=x = atoi(\"3\");", 3}, {"WHAT=free(nullptr);", 3}};
    const char *source = "#include <stdlib.h>\n"
                         "int x;\n"
                         "int main() { x = 1; WHAT x = 2; }\n";
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(states_of(ASK("t.cpp", source, EVERY_STATEMENT, "define", cases[k].what)),
                         1 + cases[k].statements);
}

static const char increments[] =
    "#include <symcpp.h>\n"
    "int x, done;\n"
    "int value() { return x; }\n"
    "class Adds : public Thread { void Run() override { HOW; done = done + 1; } };\n"
    "Adds a, b;\n"
    "int main() { a.Start(); b.Start(); }\n";

#define LOST "property", "reach:done == 2 && x == 1"

static void an_update_is_lost_between_operations_only(void **unused) {
    (void)unused;
    assert_int_equal(verdict_of(ASK("t.cpp", increments, LOST, "define", "HOW=x = x + 1")), HEDDLE_UNSAFE);
    assert_int_equal(
        verdict_of(ASK("t.cpp", increments, LOST, "define", "HOW=x = x + 1", "atomicity", "statements")),
        HEDDLE_SAFE);
}

/* What the library draws or computes belongs to the statement, calls of the program's own do not. */
static void an_input_is_part_of_its_statement(void **unused) {
    (void)unused;
    static const char *const draws[] = {"HOW=x = x + symcpp_choose(1, 2)", "HOW=x = symcpp_choose(1, 2) + x",
                                        "HOW=x += symcpp_nondet(1, 2)"};
    for (size_t k = 0; k < sizeof draws / sizeof *draws; k++) {
        assert_int_equal(verdict_of(ASK("t.cpp", increments, LOST, "define", draws[k])), HEDDLE_UNSAFE);
        assert_int_equal(
            verdict_of(ASK("t.cpp", increments, LOST, "define", draws[k], "atomicity", "statements")),
            HEDDLE_SAFE);
    }
    assert_int_equal(verdict_of(ASK("t.cpp", increments, LOST, "define", "HOW=x = value() + 1", "atomicity",
                                    "statements")),
                     HEDDLE_UNSAFE);
}

static void two_statements_are_two_steps(void **unused) {
    (void)unused;
    assert_int_equal(verdict_of(ASK("t.cpp", increments, LOST, "define", "HOW=int t = x; x = t + 1",
                                    "atomicity", "statements")),
                     HEDDLE_UNSAFE);
}

static void every_engine_knows_indivisible_statements(void **unused) {
    (void)unused;
    static const char *const engines[] = {"search", "dpor", "lazypor", "cegar"};
    for (size_t k = 0; k < sizeof engines / sizeof *engines; k++) {
        heddle_verdict one = verdict_of(ASK("t.cpp", increments, LOST, "define", "HOW=x = x + 1", "atomicity",
                                            "statements", "engine", engines[k]));
        heddle_verdict two = verdict_of(ASK("t.cpp", increments, LOST, "define", "HOW=int t = x; x = t + 1",
                                            "atomicity", "statements", "engine", engines[k]));
        assert_int_equal(one, HEDDLE_SAFE);
        assert_int_equal(two, HEDDLE_UNSAFE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_code),
        cmocka_unit_test(a_written_jump_is_a_statement),
        cmocka_unit_test(a_loop_has_no_jumps_of_its_own),
        cmocka_unit_test(a_call_of_the_library_is_a_statement_unless_its_result_is_used),
        cmocka_unit_test(an_update_is_lost_between_operations_only),
        cmocka_unit_test(an_input_is_part_of_its_statement),
        cmocka_unit_test(two_statements_are_two_steps),
        cmocka_unit_test(every_engine_knows_indivisible_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
