/* What a run that was stopped says in place of what it broke off. */
#include "core_fixture.h"

#include "base/clock.h"
#include "strategy/blame.h"

static atomic_bool nobody_asks = false, somebody_asks = true;

typedef struct stopped {
    run_control by;
    program *p;
    outcome o;
} stopped;

/* A search that was told to stop, after something else that it could not tell. */
static stopped stop(const atomic_bool *interrupted) {
    stopped s = {.by = {.interrupted = interrupted}, .p = compile_with("main { }", NULL, 0)};
    outcome_doubt(&s.o, REASON_STEP_LIMIT, (position){3, 4});
    outcome_add_doubt(&s.o, (doubt){.why.kind = REASON_INTERRUPTED, .about = "a query", .busy = BUSY_ASKING});
    outcome_conclude(&s.o);
    return s;
}

static void check_blame(stopped *s, reason_kind limit) {
    blame_limits(&s->by, s->p, &s->o);
    assert_int_equal(s->o.doubts.size, 2);
    assert_int_equal(s->o.doubts.data[0].why.kind, limit);
    assert_string_equal(s->o.doubts.data[0].about, "a query"); /* where it was broken off */
    assert_int_equal(s->o.doubts.data[0].busy, BUSY_ASKING);
    assert_int_equal(s->o.doubts.data[1].why.kind, REASON_STEP_LIMIT);
    assert_int_equal(outcome_verdict(&s->o), VERDICT_UNKNOWN);
    outcome_free(&s->o);
    program_destroy(s->p);
}

static void time_is_up(void **unused) {
    (void)unused;
    stopped s = stop(&nobody_asks);
    s.by.deadline = clock_wall() - 1;
    check_blame(&s, REASON_TIME);
}

static void memory_is_up(void **unused) {
    (void)unused;
    stopped s = stop(&nobody_asks);
    s.by.memory_is_up = true;
    check_blame(&s, REASON_MEMORY);
}

/* Who presses Ctrl-C is not told that time was up, even if it is. */
static void the_user_wants_no_more(void **unused) {
    (void)unused;
    stopped s = stop(&somebody_asks);
    s.by.deadline = clock_wall() - 1;
    check_blame(&s, REASON_INTERRUPTED);
}

static void nothing_was_broken_off(void **unused) {
    (void)unused;
    stopped s = {.by = {.interrupted = &nobody_asks, .deadline = clock_wall() - 1},
                 .p = compile_with("main { }", NULL, 0),
                 .o = {.complete = true, .concluded = true}};
    blame_limits(&s.by, s.p, &s.o); /* it was finished just in time */
    assert_int_equal(s.o.doubts.size, 0);
    assert_int_equal(outcome_verdict(&s.o), VERDICT_SAFE);
    s.by.deadline = 0;
    outcome_amend(&s.o, &(amendment){.more = {.why.kind = REASON_STEP_LIMIT, .at = {3, 4}}});
    blame_limits(&s.by, s.p, &s.o);
    assert_int_equal(s.o.doubts.size, 1);
    assert_int_equal(s.o.doubts.data[0].why.kind, REASON_STEP_LIMIT);
    outcome_free(&s.o);
    program_destroy(s.p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_up),
        cmocka_unit_test(memory_is_up),
        cmocka_unit_test(the_user_wants_no_more),
        cmocka_unit_test(nothing_was_broken_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
