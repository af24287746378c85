/* Recorded counterexamples, written by hand, on programs that are as they were or have changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend/dlang/dlang.h"
#include "frontend/ivl/ivl.h"
#include "machine/setup.h"
#include "report/explain/retrace.h"
#include "report/explain/standing.h"

/* --- a small laboratory --------------------------------------------------------------------------------- */

#define BEGINS(id, thread)                                                                                   \
    "{\"thread\": \"" thread "\", \"id\": " id ", \"from\": null, \"to\": null, \"drawn\": []}"
#define STEP(id, thread, line, column, source)                                                               \
    "{\"thread\": \"" thread "\", \"id\": " id ", \"function\": \"" thread                                   \
    "\", \"from\": {\"file\": \"m\", \"line\": " line ", \"column\": " column "}, \"source\": \"" source     \
    "\", \"to\": null, \"drawn\": []}"

static void follow(const char *name, const char *source, const char *recording, retrace *out) {
    diagnostics d = {.file = name};
    program *p = strstr(name, ".ivl") ? ivl_compile(name, source, strlen(source), NULL, 0, &d)
                                      : dlang_parse(name, source, strlen(source), NULL, 0, &d);
    assert_non_null(p);
    diag_free(&d);
    terms *t = terms_create();
    solver *s = solver_create(t, NULL);
    machine *m = machine_create(p, t, s, NULL);
    recorded_trace recorded;
    assert_null(recorded_read(recording, strlen(recording), &recorded));
    report_file file = {.name = name, .sha256 = "", .bytes = strlen(source), .text = source};
    retrace_request wanted = {
        .recorded = &recorded, .files = &file, .file_count = 1, .properties = PROPERTY_ASSERT};
    retrace_follow(m, &wanted, out);
    recorded_free(&recorded);
    machine_destroy(m);
    solver_destroy(s);
    terms_destroy(t);
    program_destroy(p);
}

static void assert_answer(const char *name, const char *source, const char *recording, retrace_answer wanted,
                          size_t step) {
    retrace r;
    follow(name, source, recording, &r);
    if (r.answer != wanted || r.step != step) print_error("%s\n%s", source, text_cstr(&r.said));
    assert_int_equal(r.answer, wanted);
    assert_int_equal(r.step, step);
    size_t length = strlen(retrace_answer_name(wanted));
    assert_int_equal(strncmp(text_cstr(&r.said), retrace_answer_name(wanted), length), 0);
    retrace_free(&r);
}

/* --- preemptive: first reads, second writes 5, first writes, second looks ------------------------------- */

#define PREEMPTIVE(steps)                                                                                    \
    "{\"property\": {\"kind\": \"assert\", \"text\": \"count == 5\"}, \"trace\": {\"threads\": ["            \
    "{\"id\": 1, \"name\": \"first\", \"creator\": 0, \"function\": \"first\", \"number\": 0},"              \
    "{\"id\": 2, \"name\": \"second\", \"creator\": 0, \"function\": \"second\", \"number\": 0}],"           \
    "\"steps\": [" steps "]}}"

static const char lost_update[] =
    PREEMPTIVE(BEGINS("0", "main") "," BEGINS("1", "first") "," BEGINS("2", "second") "," STEP(
        "1", "first", "4", "10",
        "    t := count") "," STEP("2", "second", "9", "5",
                                   "    count := 5") "," STEP("1", "first", "5", "5",
                                                              "    count := t + 1") "," STEP("2", "second",
                                                                                             "10", "12",
                                                                                             "    assert "
                                                                                             "count == 5"));

#define HEADER "<\"u\" 2, count 1, other 1, local t 1>\n"

static const char as_it_was[] =
    HEADER "\n\"first\" [\n    t := count\n    count := t + 1\n]\n\n\"second\" [\n"
           "    count := 5\n    assert count == 5\n]\n";
static const char moved[] =
    HEADER "// more\n// lines\n\"first\" [\n  t   := count // looks\n    count := t + 1\n"
           "]\n\"second\" [\n    count := 5\n\n    assert count == 5\n]\n";
static const char with_more[] = HEADER "\"first\" [\n    other := 1\n    t := count\n    other := 2\n"
                                       "    count := t + 1\n]\n\"second\" [\n    count := 5\n    other := 3\n"
                                       "    assert count == 5\n]\n";
static const char same_in_the_end[] =
    HEADER "\"first\" [\n    t := count\n    count := t + 1\n    count := 5\n]\n"
           "\"second\" [\n    count := 5\n    assert count == 5\n]\n";
static const char right[] = HEADER "\"first\" [\n    t := count\n    other := t + 1\n]\n"
                                   "\"second\" [\n    count := 5\n    assert count == 5\n]\n";
static void test_the_same_program_fails(void **unused) {
    (void)unused;
    assert_answer("m.dl", as_it_was, lost_update, RETRACE_STILL_FAILS, 7);
}

static void test_lines_may_move(void **unused) {
    (void)unused;
    assert_answer("m.dl", moved, lost_update, RETRACE_STILL_FAILS, 7);
}

static void test_operations_may_be_added(void **unused) {
    (void)unused;
    assert_answer("m.dl", with_more, lost_update, RETRACE_STILL_FAILS, 7);
}

/* An operation behind the last recorded one of a thread is not executed on the way to another thread's. */
static void test_what_nobody_waits_for_does_not_happen(void **unused) {
    (void)unused;
    assert_answer("m.dl", same_in_the_end, lost_update, RETRACE_STILL_FAILS, 7);
}

static void test_a_missing_operation_is_where_it_diverges(void **unused) {
    (void)unused;
    assert_answer("m.dl", right, lost_update, RETRACE_DIVERGES, 6);
}

/* --- systemc: A writes, B looks ------------------------------------------------------------------------- */

static const char order[] =
    "{\"property\": {\"kind\": \"assert\", \"text\": \"x == 0\"}, \"trace\": {\"steps\": ["
    "{\"thread\": \"main\", \"id\": 0, \"from\": null, \"drawn\": []},"
    "{\"thread\": \"A\", \"id\": 1, \"from\": null, \"drawn\": []},"
    "{\"thread\": \"B\", \"id\": 2, \"from\": null, \"drawn\": []}]}}";

#define DESIGN(a, b) "int x = 0; event e; thread A { " a " } thread B { " b " } main { start; }"

static void test_processes_go_in_the_recorded_order(void **unused) {
    (void)unused;
    assert_answer("m.ivl", DESIGN("x = 1;", "assert(x == 0);"), order, RETRACE_STILL_FAILS, 3);
    assert_answer("m.ivl", DESIGN("x = 0;", "assert(x == 0);"), order, RETRACE_FIXED, 0);
    assert_answer("m.ivl", DESIGN("assert(x == 1);", "assert(x == 0);"), order, RETRACE_FAILS_OTHERWISE, 2);
    assert_answer("m.ivl", DESIGN("wait_time 1; x = 1;", "assert(x == 0);"), order, RETRACE_FIXED, 0);
    assert_answer("m.ivl", "int x = 0; thread A { x = 1; } main { start; }", order, RETRACE_DIVERGES, 3);
    assert_answer("m.ivl", DESIGN("assume x == 1;", "assert(x == 0);"), order, RETRACE_DIVERGES, 2);
}

#define DRAWS(number)                                                                                        \
    "{\"property\": {\"kind\": \"assert\", \"text\": \"y != 7\"}, \"trace\": {\"steps\": ["                  \
    "{\"thread\": \"main\", \"id\": 0, \"from\": null, \"drawn\": []},"                                      \
    "{\"thread\": \"A\", \"id\": 1, \"from\": null, \"drawn\": [{\"name\": \"y\", \"number\": \"" number     \
    "\"}]}]}}"

static void test_inputs_are_the_recorded_ones(void **unused) {
    (void)unused;
    static const char asks[] = "thread A { int y = ?(int); assert(y != 7); } main { start; }";
    static const char asks_twice[] =
        "thread A { int y = ?(int); int z = ?(int); assert(y != 7); } main { start; }";
    assert_answer("m.ivl", asks, DRAWS("7"), RETRACE_STILL_FAILS, 2);
    assert_answer("m.ivl", asks, DRAWS("8"), RETRACE_FIXED, 0);
    assert_answer("m.ivl", asks_twice, DRAWS("8"), RETRACE_DIVERGES, 2);
}

/* --- places --------------------------------------------------------------------------------------------- */

static bool is_at(const char *now, uint32_t column_now, const char *then, uint32_t column_then) {
    standing s = {.at = {3, column_now}, .file = "m", .function = "f", .source = (char *)(uintptr_t)now};
    recorded_place p = {.file = "m", .function = "f", .source = then, .at = {9, column_then}};
    return standing_is_at(&s, &p);
}

static void test_places_are_compared_by_their_code(void **unused) {
    (void)unused;
    assert_true(is_at("x = 1;", 1, "x = 1;", 1));
    assert_true(is_at("\t  x  =1; // now", 4, "x = 1;", 1));
    assert_false(is_at("x = 1;", 1, "x = 1;", 5));
    assert_false(is_at("x = 1;", 1, "x = 2;", 1));
    assert_false(is_at("x = 1; y = 2;", 1, "x = 1;", 1));
    assert_true(is_at("f(\"a // b\"); // c", 1, "f(\"a // b\");", 1));
    assert_false(is_at("f(\"a // b\");", 1, "f(\"a // c\");", 1));
    assert_false(is_at("f(\"a b\");", 1, "f(\"ab\");", 1));
    assert_false(is_at("f(\"\\\" // b\");", 1, "f(\"\\\" // c\");", 1));
}

/* --- reading -------------------------------------------------------------------------------------------- */

static void test_broken_recordings_are_refused(void **unused) {
    (void)unused;
    static const char *const broken[] = {
        "",
        "{",
        "[]",
        "7",
        "null",
        "{}",
        "{\"trace\": null}",
        "{\"trace\": 3}",
        "{\"trace\": {}}",
        "{\"trace\": {\"steps\": {}}}",
        "{\"trace\": {\"steps\": [3]}}",
        "{\"trace\": {\"steps\": [{}]}}",
        "{\"trace\": {\"steps\": [{\"thread\": \"A\", \"id\": 1}]}}",
        "{\"trace\": {\"steps\": [{\"thread\": \"A\", \"drawn\": []}]}}",
        "{\"trace\": {\"steps\": [{\"thread\": \"A\", \"id\": -1, \"drawn\": []}]}}",
        "{\"trace\": {\"steps\": [{\"thread\": \"A\", \"id\": 1, \"drawn\": [3]}]}}",
        "{\"trace\": {\"steps\": [{\"thread\": \"A\", \"id\": 1, \"drawn\": [{\"name\": \"x\", \"number\": "
        "\"y\"}]}]}}",
        "{\"trace\": {\"steps\": [{\"thread\": \"A\", \"id\": 1, \"drawn\": [{\"name\": \"x\", \"number\": "
        "\"99999999999999999999\"}]}]}}",
        "{\"trace\": {\"steps\": [], \"threads\": [3]}}",
        "{\"trace\": {\"steps\": [], \"stops\": [\"never\"]}}",
        "{\"trace\": {\"steps\": [], \"race\": [{\"thread\": \"A\"}]}}",
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        recorded_trace r;
        if (!recorded_read(broken[i], strlen(broken[i]), &r)) fail_msg("accepted: %s", broken[i]);
        recorded_free(&r);
    }
}

/* Numbers and names that are none of the program's. */
static void test_nonsense_diverges(void **unused) {
    (void)unused;
    static const char design[] = DESIGN("x = 1;", "assert(x == 0);");
    static const char *const nonsense[] = {
        "{\"thread\": \"nobody\", \"id\": 77, \"drawn\": []}",
        "{\"thread\": \"B\", \"id\": 2147483647, \"choice\": 2147483647, \"drawn\": []}",
        "{\"thread\": \"scheduler\", \"id\": null, \"choice\": 99, \"drawn\": []}",
    };
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        text recording = {0};
        text_format(&recording, "{\"trace\": {\"steps\": [%s]}}", nonsense[i]);
        assert_answer("m.ivl", design, text_cstr(&recording), RETRACE_DIVERGES, 1);
        assert_answer("m.dl", as_it_was, text_cstr(&recording), RETRACE_DIVERGES, 1);
        text_free(&recording);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_program_fails),
        cmocka_unit_test(test_lines_may_move),
        cmocka_unit_test(test_operations_may_be_added),
        cmocka_unit_test(test_what_nobody_waits_for_does_not_happen),
        cmocka_unit_test(test_a_missing_operation_is_where_it_diverges),
        cmocka_unit_test(test_processes_go_in_the_recorded_order),
        cmocka_unit_test(test_inputs_are_the_recorded_ones),
        cmocka_unit_test(test_places_are_compared_by_their_code),
        cmocka_unit_test(test_broken_recordings_are_refused),
        cmocka_unit_test(test_nonsense_diverges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
