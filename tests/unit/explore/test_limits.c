/* Limits of a run: which one it was, and that the slow ones are looked at now and then alone. */
#include "core_fixture.h"

#include "explore/limits.h"

typedef struct limited {
    fixture f;
    explore_options options;
    outcome out;
    limits l;
    unsigned looks;
    bool stops;
} limited;

static bool look(void *data) {
    limited *x = data;
    x->looks++;
    return x->stops;
}

static void open_limited(limited *x) {
    *x = (limited){.f = fixture_open("main { }"), .options = explore_default_options()};
    x->options.interrupted = look;
    x->options.interrupted_data = x;
    x->l = limits_start(x->f.m, &x->options, &x->out);
}

static void close_limited(limited *x) {
    outcome_free(&x->out);
    fixture_close(&x->f);
}

static void check_hit(limited *x, reason_kind why) {
    assert_false(limits_allow(&x->l));
    assert_int_equal(x->out.doubts.size, 1);
    assert_int_equal(x->out.doubts.data[0].why.kind, why);
    close_limited(x);
}

static void counts_are_exact(void **unused) {
    (void)unused;
    limited x;
    open_limited(&x);
    x.options.max_transitions = 10;
    x.options.max_states = 3;
    x.out.stats = (statistics){.transitions = 9, .states = 2};
    assert_true(limits_allow(&x.l));
    x.out.stats.transitions = 10;
    check_hit(&x, REASON_TRANSITIONS);
    open_limited(&x);
    x.options.max_states = 3;
    x.out.stats.states = 3;
    check_hit(&x, REASON_STATES);
}

/* However many steps there are, only some of them look. */
static void others_are_looked_at_now_and_then(void **unused) {
    (void)unused;
    enum { STEPS = 10000, MOST_LOOKS = STEPS / 100 };
    limited x;
    open_limited(&x);
    for (unsigned i = 0; i < STEPS; i++, x.out.stats.transitions++) assert_true(limits_allow(&x.l));
    assert_true(x.looks > 1 && x.looks < MOST_LOOKS);
    x.stops = true;
    unsigned more = 0;
    while (more < STEPS && limits_allow(&x.l)) more++, x.out.stats.transitions++;
    assert_true(more < STEPS);
    assert_int_equal(x.out.doubts.data[0].why.kind, REASON_INTERRUPTED);
    close_limited(&x);
}

static void clocks_do_not_count_if_that_is_wanted(void **unused) {
    (void)unused;
    limited x;
    open_limited(&x);
    x.options.seconds = 50;
    x.options.deterministic = true;
    x.l.started -= 100;
    assert_true(limits_allow(&x.l));
    x.options.deterministic = false;
    x.out.stats.transitions = x.l.next_look;
    check_hit(&x, REASON_TIME);
}

static void memory_that_is_used(void **unused) {
    (void)unused;
    limited x;
    open_limited(&x);
    assert_false(limits_memory_is_up(&x.options)); /* no limit */
    x.options.bytes = SIZE_MAX;
    assert_false(limits_memory_is_up(&x.options));
    x.options.bytes = 1;
    check_hit(&x, REASON_MEMORY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_exact),
        cmocka_unit_test(others_are_looked_at_now_and_then),
        cmocka_unit_test(clocks_do_not_count_if_that_is_wanted),
        cmocka_unit_test(memory_that_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
