/* reach:EXPR: whether a condition is ever true, in the program's own words. */
#include "asked.h"

static const char list[] =
    "class Node { int v = 0; public: Node *next = nullptr; void set(int x) { v = x; }\n"
    "             int get() const { return v; } };\n"
    "Node *head; static int steps;\n"
    "extern \"C\" int __VERIFIER_nondet_int(void);\n"
    "int main() { int x = __VERIFIER_nondet_int(); if (x < 3 || x > 9) return 0;\n"
    "    head = new Node; steps = 1; head->set(x); head->next = new Node; steps = 2; head->next->set(5);\n"
    "    steps = 3; delete head->next; head->next = nullptr; steps = 4; return 0; }\n";

static heddle_verdict reached(const char *source, const char *condition) {
    return verdict_of(ASK("t.cpp", source, "property", condition));
}

static void members_are_read_through_pointers(void **unused) {
    (void)unused;
    assert_int_equal(reached(list, "reach:head->v == 9"), HEDDLE_UNSAFE);
    assert_int_equal(reached(list, "reach:head->v == 2"), HEDDLE_SAFE);
    assert_int_equal(reached(list, "reach:head->next->v == 5 && steps == 2"), HEDDLE_UNSAFE);
    assert_int_equal(reached(list, "reach:head->get() == 4"), HEDDLE_UNSAFE);
    assert_int_equal(
        verdict_of(ASK("t.cpp", list, "property", "reach:head->next->get() == 5", "atomicity", "statements")),
        HEDDLE_UNSAFE);
}

/* Null and dangling pointers on the way make it false; they are no violations of the program. */
static void what_cannot_be_read_is_not_reached(void **unused) {
    (void)unused;
    assert_int_equal(reached(list, "reach:head->next->next->v == 0"), HEDDLE_SAFE);
    assert_int_equal(reached(list, "reach:steps == 4 && head->next->v == 5"), HEDDLE_SAFE);
    assert_int_equal(reached(list, "reach:steps == 0 && !head"), HEDDLE_UNSAFE);
}

static void it_may_not_change_anything(void **unused) {
    (void)unused;
    assert_int_equal(reached(list, "reach:(head = nullptr)"), HEDDLE_BAD_INPUT);
    assert_int_equal(reached(list, "reach:steps++"), HEDDLE_BAD_INPUT);
    assert_int_equal(reached(list, "reach:__VERIFIER_nondet_int()"), HEDDLE_BAD_INPUT);
    assert_int_equal(reached(list, "reach:head->"), HEDDLE_BAD_INPUT);
    assert_int_equal(reached(list, "reach:nobody == 1"), HEDDLE_BAD_INPUT);
}

static void static_objects_have_their_first_values_at_once(void **unused) {
    (void)unused;
    const char *source = "int a = 1, b = 2; int main(void) { a = 3; return 0; }\n";
    assert_int_equal(verdict_of(ASK("t.c", source, "property", "reach:a == 1 && b == 2")), HEDDLE_UNSAFE);
    assert_int_equal(verdict_of(ASK("t.c", source, "property", "reach:a == 1 && b == 0")), HEDDLE_SAFE);
    assert_int_equal(verdict_of(ASK("t.c", source, "property", "reach:a == 0")), HEDDLE_SAFE);
}

static const char threads[] =
    "#include <pthread.h>\n"
    "int x, y;\n"
    "static void *first(void *p) { x = 1; x = 2; return p; }\n"
    "static void *second(void *p) { y = 1; y = 2; return p; }\n"
    "int main(void) { pthread_t t, u; pthread_create(&t, 0, first, 0); pthread_create(&u, 0, second, 0);\n"
    "    pthread_join(t, 0); pthread_join(u, 0); return 0; }\n";

/* Steps of different cells are independent of each other, but not for a condition that reads both. */
static void every_engine_sees_every_combination(void **unused) {
    (void)unused;
    static const char *const engines[] = {"auto", "search", "dpor", "lazypor", "cegar"};
    for (size_t k = 0; k < sizeof engines / sizeof *engines; k++) {
        assert_int_equal(
            verdict_of(ASK("t.c", threads, "engine", engines[k], "property", "reach:x == 1 && y == 2")),
            HEDDLE_UNSAFE);
        assert_int_equal(
            verdict_of(ASK("t.c", threads, "engine", engines[k], "property", "reach:x == 2 && y == 1")),
            HEDDLE_UNSAFE);
        assert_int_equal(
            verdict_of(ASK("t.c", threads, "engine", engines[k], "property", "reach:x == 2 && y > 2")),
            HEDDLE_SAFE);
    }
}

static void failures_and_deadlocks_are_conditions_too(void **unused) {
    (void)unused;
    const char *fails = "int *p; int x; int main(void) { x = 1; *p = 1; return 0; }\n";
    assert_int_equal(verdict_of(ASK("t.c", fails, "property", "reach:fail")), HEDDLE_UNSAFE);
    assert_int_equal(verdict_of(ASK("t.c", fails, "property", "reach:x == 2 || fail")), HEDDLE_UNSAFE);
    assert_int_equal(verdict_of(ASK("t.c", fails, "property", "reach:deadlock")), HEDDLE_UNKNOWN);
    assert_int_equal(verdict_of(ASK("t.c", threads, "property", "reach:deadlock || fail || x > 2")),
                     HEDDLE_SAFE);
}

static void assertions_count_only_if_asked(void **unused) {
    (void)unused;
    const char *source = "#include <assert.h>\n"
                         "int x; int main(void) { x = 1; assert(x == 0); x = 2; return 0; }\n";
    assert_int_equal(verdict_of(ASK("t.c", source, "property", "reach:x == 2")), HEDDLE_SAFE);
    assert_int_equal(verdict_of(ASK("t.c", source, "property", "assert,reach:x == 2")), HEDDLE_UNSAFE);
    assert_int_equal(verdict_of(ASK("t.c", source, "property", "reach:x == 1")), HEDDLE_UNSAFE);
}

static void other_languages_say_no(void **unused) {
    (void)unused;
    assert_int_equal(verdict_of(ASK("t.ivl", "int x;\n", "property", "reach:x == 1")), HEDDLE_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_read_through_pointers),
        cmocka_unit_test(what_cannot_be_read_is_not_reached),
        cmocka_unit_test(it_may_not_change_anything),
        cmocka_unit_test(static_objects_have_their_first_values_at_once),
        cmocka_unit_test(every_engine_sees_every_combination),
        cmocka_unit_test(failures_and_deadlocks_are_conditions_too),
        cmocka_unit_test(assertions_count_only_if_asked),
        cmocka_unit_test(other_languages_say_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
