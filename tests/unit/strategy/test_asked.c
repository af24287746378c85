/* What explorers take for an answer, and what only ends a path. */
#include "c_text.h"

#include "strategy/engine.h"

/* The division is met first; a pointer that is null is behind another choice. */
static const char *const two_failures =
    "int __VERIFIER_nondet_int(void); int x, *p;\n"
    "int main(void) { if (!__VERIFIER_nondet_int()) return *p; return 1 / x; }\n";
static const char *const one_failure =
    "int __VERIFIER_nondet_int(void); int x, y, *p = &y;\n"
    "int main(void) { if (!__VERIFIER_nondet_int()) return *p; return 1 / x; }\n";

static const atomic_bool never = false;

static explore_options options_for(unsigned unasked) {
    explore_options how = explore_default_options();
    how.properties = PROPERTY_MEMORY;
    how.unasked = unasked;
    return how;
}

static bool has_doubt(const outcome *o, reason_kind kind) {
    for (size_t i = 0; i < o->doubts.size; i++)
        if (o->doubts.data[i].why.kind == kind) return true;
    return false;
}

static void run(fixture *f, const explorer *e, unsigned unasked, outcome *out) {
    explore_options how = options_for(unasked);
    attempts given_up = {0};
    run_control control = {.interrupted = &never};
    strategy s = {
        .machine = f->m, .control = &control, .memory = &f->p->memory, .stays_in_one_process = true};
    engine_run(&s, e, &how, out, &given_up);
    vec_free(&given_up);
}

/* Nor do they end there: what is asked about may be violated elsewhere. */
static void what_nobody_asks_about_is_no_answer(void **unused) {
    (void)unused;
    unsigned asked = 0;
    for (const explorer *const *e = explorers; *e; e++) {
        fixture f = fixture_of_program(translate_c(two_failures), NULL, 0);
        outcome out = {0};
        run(&f, *e, 1u << CHECK_DIVISION, &out);
        if (outcome_verdict(&out) != VERDICT_UNSAFE) fail_msg("%s ends before it has an answer", (*e)->name);
        assert_int_equal(out.violations.size, 1);
        assert_int_equal(machine_check(f.m, out.violations.data[0].check)->kind, CHECK_NULL);
        outcome_free(&out);
        fixture_close(&f);
        asked++;
    }
    assert_true(asked > 4);
}

static void what_nobody_asks_about_is_a_doubt(void **unused) {
    (void)unused;
    for (const explorer *const *e = explorers; *e; e++) {
        fixture f = fixture_of_program(translate_c(one_failure), NULL, 0);
        outcome out = {0};
        run(&f, *e, 1u << CHECK_DIVISION, &out);
        assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
        assert_true(has_doubt(&out, REASON_UNCHECKED_VIOLATION));
        outcome_free(&out);
        out = (outcome){0};
        run(&f, *e, 0, &out);
        assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
        outcome_free(&out);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_asks_about_is_no_answer),
        cmocka_unit_test(what_nobody_asks_about_is_a_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
