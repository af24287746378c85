/* Random executions: they find what many executions have, say the same each time, and prove nothing. */
#include "core_fixture.h"

#include "frontend/dlang/dlang.h"
#include "sampling/sampling.h"

static fixture open_source(const char *source) {
    diagnostics d = {.file = "test.dl", .source = source};
    program *p = dlang_parse("test.dl", source, strlen(source), NULL, 0, &d);
    assert_non_null(p);
    diag_free(&d);
    return fixture_of_program(p, NULL, 0);
}

static outcome sample(const char *source, uint64_t transitions) {
    fixture f = open_source(source);
    explore_options how = explore_default_options();
    how.deterministic = true;
    how.max_transitions = transitions;
    outcome out = {0};
    sampling_run(f.m, &how, &out);
    fixture_close(&f);
    return out;
}

/* Only if all others are through does the last one fail. */
static const char late[] = "<\"late\" 3, x 1, y 1, local k 1>\n"
                           "\"a\" [ k := 0 \n while k < 40 { x := x + 1 \n k := k + 1 } ]\n"
                           "\"b\" [ k := 0 \n while k < 40 { y := y + 1 \n k := k + 1 } ]\n"
                           "\"c\" [ assert x + y < 80 ]\n";

static const char fine[] = "<\"fine\" 2, x 1, y 1, local k 1>\n"
                           "\"a\" [ x := 1 \n y := 1 ]\n"
                           "\"b\" [ k := y \n assert k <= x ]\n";

static const char alone[] = "<\"alone\" 1, x 1>\n\"a\" [ x := 1 \n assert x == 1 ]\n";

static void a_violation_at_the_end_of_long_executions_is_found(void **unused) {
    (void)unused;
    outcome out = sample(late, 1000000);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
    assert_int_equal(out.violations.size, 1);
    assert_true(out.violations.data[0].confirmed);
    assert_true(out.violations.data[0].path.size > 80);
    outcome_free(&out);
}

static void nothing_is_proved(void **unused) {
    (void)unused;
    const char *const sources[] = {fine, alone};
    for (size_t i = 0; i < 2; i++) {
        outcome out = sample(sources[i], 2000);
        assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
        assert_false(out.complete);
        assert_int_equal(out.violations.size, 0);
        outcome_free(&out);
    }
}

static void without_choices_one_execution_is_enough(void **unused) {
    (void)unused;
    outcome out = sample(alone, 1000000);
    assert_int_equal(out.stats.executions, 1);
    outcome_free(&out);
}

static void the_same_executions_come_each_time(void **unused) {
    (void)unused;
    outcome first = sample(late, 1000000), second = sample(late, 1000000);
    assert_int_equal(first.stats.transitions, second.stats.transitions);
    const path *a = &first.violations.data[0].path, *b = &second.violations.data[0].path;
    assert_int_equal(a->size, b->size);
    for (size_t i = 0; i < a->size; i++) assert_int_equal(a->data[i].by.thread, b->data[i].by.thread);
    outcome_free(&first);
    outcome_free(&second);
}

/* --- who is told ---------------------------------------------------------------------------------------- */

static void count_step(void *data, const state *from, transition by, const successor *to) {
    (void)from, (void)by, (void)to;
    ++*(uint64_t *)data;
}

/* What comes before the first choice is executed once, and is told once. */
static void every_step_is_told(void **unused) {
    (void)unused;
    const char *const sources[] = {alone, fine};
    for (size_t i = 0; i < 2; i++) {
        fixture f = open_source(sources[i]);
        explore_options how = explore_default_options();
        uint64_t told = 0;
        how.deterministic = true;
        how.max_transitions = 200;
        how.observe = count_step;
        how.observe_data = &told;
        outcome out = {0};
        sampling_run(f.m, &how, &out);
        assert_int_equal(told, out.stats.transitions);
        outcome_free(&out);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_violation_at_the_end_of_long_executions_is_found),
        cmocka_unit_test(nothing_is_proved),
        cmocka_unit_test(without_choices_one_execution_is_enough),
        cmocka_unit_test(the_same_executions_come_each_time),
        cmocka_unit_test(every_step_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
