/* What becomes of what explorers found who took a turn before the last one. */
#include "c_text.h"

#include "strategy/engine.h"

static const atomic_bool never = false;

static void run_auto(fixture *f, const explore_options *how, outcome *out) {
    attempts given_up = {0};
    run_control control = {.interrupted = &never};
    strategy s = {
        .machine = f->m, .control = &control, .memory = &f->p->memory, .stays_in_one_process = true};
    engine_run(&s, &explorer_auto, how, out, &given_up);
    vec_free(&given_up);
}

/* Threads create threads without end. One assertion fails before there are any, the other one only where there
 * are more than it takes to violate the first. */
static const char *const fails_with_few_and_with_more =
    "#include <assert.h>\n#include <pthread.h>\n"
    "int __VERIFIER_nondet_int(void); pthread_t t;\n"
    "void *none(void *a) { return a; }\n"
    "void *more(void *a) { pthread_t u; pthread_create(&u, 0, more, 0); return a; }\n"
    "int main(void) { int n = __VERIFIER_nondet_int(); assert(n != 1);\n"
    "  for (int i = 0; i < 4; i++) pthread_create(&t, 0, none, 0);\n"
    "  assert(n != 2); pthread_create(&t, 0, more, 0); }\n";

static void fewer_threads_take_no_violation_away(void **unused) {
    (void)unused;
    machine_options limited = machine_default_options();
    limited.threads = 12;
    fixture f = fixture_of_program(translate_c(fails_with_few_and_with_more), &limited, 0);
    explore_options how = explore_default_options();
    how.properties = PROPERTY_ASSERT;
    how.all = how.deterministic = true;
    outcome out = {0};
    run_auto(&f, &how, &out);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
    assert_int_equal(out.violations.size, 2);
    assert_false(outcome_is_exhaustive(&out));
    outcome_free(&out);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fewer_threads_take_no_violation_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
