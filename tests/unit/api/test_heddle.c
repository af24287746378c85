/* The public interface, as a program that embeds libheddle uses it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "heddle.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char safe[] = "param N = 1; int x = 0;\nthread A { x += N; }\nmain { start; assert x == N; }";
static const char unsafe[] = "int x = ?(int);\nmain { assert x != 5; }";
static const char endless[] =
    "int x = 0;\nthread A { while (true) { x = x + 1; wait_time 1; } }\nmain { start; }";

static heddle *with_source(const char *source) {
    heddle *h = heddle_create();
    heddle_add_source(h, "m.ivl", source, strlen(source));
    return h;
}

static heddle_verdict verdict_of(heddle *h) {
    heddle_result *r = heddle_check(h);
    heddle_verdict v = heddle_result_verdict(r);
    heddle_result_destroy(r);
    return v;
}

static void verdicts(void **unused) {
    (void)unused;
    heddle *h = with_source(safe);
    heddle_result *r = heddle_check(h);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_SAFE);
    assert_string_equal(heddle_result_reason(r), "");
    assert_string_equal(heddle_result_diagnostics(r), "");
    assert_true(heddle_result_statistic(r, "transitions") > 0);
    assert_true(heddle_result_statistic(r, "no such thing") == -1);
    heddle_result_destroy(r);
    heddle_destroy(h);

    h = with_source(unsafe);
    r = heddle_check(h);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_UNSAFE);
    assert_non_null(strstr(heddle_result_text(r), "x = 5"));
    assert_non_null(strstr(heddle_result_json(r), "\"unsafe\""));
    heddle_result_destroy(r);
    heddle_destroy(h);
}

static void one_object_can_check_again_with_other_options(void **unused) {
    (void)unused;
    heddle *h = with_source(safe);
    assert_int_equal(verdict_of(h), HEDDLE_SAFE);
    assert_null(heddle_set(h, "set", "N=3"));
    assert_null(heddle_set(h, "por", "none"));
    assert_string_equal(heddle_get(h, "por"), "none");
    assert_int_equal(verdict_of(h), HEDDLE_SAFE);
    assert_null(heddle_set(h, "max-transitions", "1"));
    assert_int_equal(verdict_of(h), HEDDLE_UNKNOWN);
    heddle_destroy(h);
}

static void wrong_options_leave_a_message(void **unused) {
    (void)unused;
    heddle *h = heddle_create();
    assert_non_null(strstr(heddle_set(h, "por", "sideways"), "sideways"));
    assert_non_null(strstr(heddle_set(h, "colour", "red"), "colour"));
    assert_string_equal(heddle_get(h, "por"), "auto");
    assert_null(heddle_get(h, "colour"));
    heddle_destroy(h);
}

static void languages_have_all_endings(void **unused) {
    (void)unused;
    char *said = heddle_languages();
    static const char *const names[] = {"m.ivl", "m.dl",  "m.c",  "m.i",  "m.cpp",
                                        "m.cc",  "m.cxx", "m.ii", "m.bc", "m.ll"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_non_null(strstr(said, heddle_language(names[i])));
        assert_non_null(strstr(said, strchr(names[i], '.')));
    }
    assert_null(strstr(said, ".yml"));
    free(said);
}

static void bad_input(void **unused) {
    (void)unused;
    heddle *h = heddle_create();
    assert_int_equal(verdict_of(h), HEDDLE_BAD_INPUT);
    heddle_add_file(h, "/nonexistent/model.ivl");
    heddle_result *r = heddle_check(h);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_BAD_INPUT);
    assert_non_null(strstr(heddle_result_diagnostics(r), "/nonexistent/model.ivl: error: "));
    assert_string_equal(heddle_result_json(r), "");
    assert_true(heddle_result_statistic(r, "transitions") == -1);
    heddle_result_destroy(r);
    heddle_destroy(h);

    h = with_source("main { nonsense }");
    assert_int_equal(verdict_of(h), HEDDLE_BAD_INPUT);
    r = heddle_dump(h);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_BAD_INPUT);
    heddle_result_destroy(r);
    r = heddle_simulate(h);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_BAD_INPUT);
    heddle_result_destroy(r);
    heddle_destroy(h);

    h = heddle_create();
    heddle_add_source(h, "model.txt", safe, strlen(safe));
    assert_int_equal(verdict_of(h), HEDDLE_BAD_INPUT);
    heddle_destroy(h);
}

static void count_calls(void *data, const heddle_progress *p) {
    uint64_t *last = data;
    assert_true(p->transitions >= *last);
    assert_true(*p->engine && p->whole_seconds >= p->seconds);
    *last = p->transitions;
}

static void interrupt_when_under_way(void *data, const heddle_progress *p) {
    if (p->transitions > 1000) heddle_interrupt(data);
}

static void progress_is_reported(void **unused) {
    (void)unused;
    heddle *h = with_source(endless);
    uint64_t last = 0;
    heddle_set(h, "max-transitions", "3000");
    heddle_on_progress(h, count_calls, &last);
    assert_int_equal(verdict_of(h), HEDDLE_UNKNOWN);
    assert_true(last > 0);
    heddle_destroy(h);
}

static void an_interrupt_ends_one_check_only(void **unused) {
    (void)unused;
    heddle *h = with_source(endless);
    heddle_on_progress(h, interrupt_when_under_way, h);
    heddle_result *r = heddle_check(h);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_UNKNOWN);
    assert_string_equal(heddle_result_reason(r), "interrupted");
    heddle_result_destroy(r);
    heddle_on_progress(h, NULL, NULL);
    heddle_set(h, "max-transitions", "50");
    r = heddle_check(h);
    assert_string_equal(heddle_result_reason(r), "transition limit");
    heddle_result_destroy(r);
    heddle_destroy(h);
}

static void simulation_can_refute_but_not_prove(void **unused) {
    (void)unused;
    heddle *h = with_source(safe);
    heddle_result *r = heddle_simulate(h);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_UNKNOWN);
    assert_non_null(strstr(heddle_result_text(r), "One schedule:"));
    heddle_result_destroy(r);
    heddle_destroy(h);
    h = with_source("main { assert false; }");
    r = heddle_simulate(h);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_UNSAFE);
    heddle_result_destroy(r);
    heddle_destroy(h);
}

static void dumps(void **unused) {
    (void)unused;
    static const char *const what[] = {"ir", "segments", "ivl", "smtlib"};
    heddle *h =
        with_source("u32 x = ?(u32);\nthread A { assert x * x * x != 27 || x % 7 == 3; }\nmain { start; }");
    for (size_t i = 0; i < 4; i++) {
        assert_null(heddle_set(h, "what", what[i]));
        heddle_result *r = heddle_dump(h);
        assert_int_equal(heddle_result_verdict(r), HEDDLE_SAFE);
        assert_true(strlen(heddle_result_text(r)) > 10);
        heddle_result_destroy(r);
    }
    heddle_destroy(h);
}

static void *check_in_thread(void *source) {
    heddle *h = with_source(source);
    heddle_verdict v = verdict_of(h);
    heddle_destroy(h);
    return (void *)(uintptr_t)v;
}

static void objects_are_independent_across_threads(void **unused) {
    (void)unused;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, check_in_thread, (void *)(uintptr_t)(i % 2 ? unsafe : safe)),
            0);
    for (int i = 0; i < 4; i++) {
        void *verdict;
        pthread_join(threads[i], &verdict);
        assert_int_equal((uintptr_t)verdict, i % 2 ? HEDDLE_UNSAFE : HEDDLE_SAFE);
    }
}

static bool is_vacuous(const char *source) {
    heddle *h = with_source(source);
    heddle_result *r = heddle_check(h);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_SAFE);
    bool vacuous = strstr(heddle_result_json(r), "\"vacuous\": true") != NULL;
    heddle_result_destroy(r);
    heddle_destroy(h);
    return vacuous;
}

static void vacuity(void **unused) {
    (void)unused;
    assert_false(is_vacuous(safe));
    assert_true(is_vacuous("main { assume false; }"));
    assert_true(is_vacuous("int x = ?(int);\nthread A { assert x == x; assume x < x; }\nmain { start; }"));
    assert_false(is_vacuous("int x = ?(int);\nthread A { assume x < 5; assert x < 5; }\nmain { start; }"));
    assert_false(is_vacuous(
        "int x = ?(int);\nthread A { if (x == 1) { assume false; } assert x != 1; }\nmain { start; }"));
}

static void names(void **unused) {
    (void)unused;
    assert_string_equal(heddle_version(), HEDDLE_VERSION);
    assert_string_equal(heddle_verdict_name(HEDDLE_SAFE), "safe");
    assert_string_equal(heddle_verdict_name(HEDDLE_INTERNAL_ERROR), "internal error");
    heddle_destroy(NULL);
    heddle_result_destroy(NULL);
}

static void promise_when_given_up(const char *file, const char *source, const char *promise) {
    heddle *h = heddle_create();
    heddle_add_source(h, file, source, strlen(source));
    assert_null(heddle_set(h, "property", "deadlock"));
    heddle_result *r = heddle_give_up(h, true, HEDDLE_COMPILING, NULL);
    assert_int_equal(heddle_result_verdict(r), HEDDLE_UNKNOWN);
    assert_non_null(strstr(heddle_result_json(r), promise));
    heddle_result_destroy(r);
    heddle_destroy(h);
}

/* By the rules of its language, although nobody has looked at it. */
static void what_was_not_compiled_is_given_up(void **unused) {
    (void)unused;
    promise_when_given_up("m.ivl", safe, "no thread waits for ever while nothing is pending");
    promise_when_given_up("m.cpp", "#include <systemc>", "no thread waits for ever while nothing is pending");
    promise_when_given_up("m.cpp", "#include <thread>", "no thread is blocked for ever");
    promise_when_given_up("m.dl", "", "no thread is blocked for ever");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),
        cmocka_unit_test(one_object_can_check_again_with_other_options),
        cmocka_unit_test(wrong_options_leave_a_message),
        cmocka_unit_test(languages_have_all_endings),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(progress_is_reported),
        cmocka_unit_test(an_interrupt_ends_one_check_only),
        cmocka_unit_test(simulation_can_refute_but_not_prove),
        cmocka_unit_test(dumps),
        cmocka_unit_test(objects_are_independent_across_threads),
        cmocka_unit_test(vacuity),
        cmocka_unit_test(names),
        cmocka_unit_test(what_was_not_compiled_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
