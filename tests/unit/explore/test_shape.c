/* The shape of a search: bands that widen, and what explorers put into them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explore/shape.h"
#include "frontend/ivl/ivl.h"
#include "machine/setup.h"
#include "search/search.h"

static uint64_t sum(const uint64_t *bands) {
    uint64_t all = 0;
    for (unsigned i = 0; i < SHAPE_BANDS; i++) all += bands[i];
    return all;
}

static void nothing_is_recorded_at_first(void **unused) {
    (void)unused;
    search_shape shape = {0};
    assert_int_equal(shape_bands(&shape), 0);
    assert_int_equal(shape.width, 0);
}

static void bands_widen_and_lose_nothing(void **unused) {
    (void)unused;
    search_shape shape = {0};
    for (uint64_t depth = 0; depth < 1000; depth++) {
        shape_add_state(&shape, depth, 3);
        shape_add_step(&shape, depth);
        if (depth % 2) shape_add_step(&shape, depth);
    }
    assert_int_equal(shape.width, 16); /* 64 bands of 16 are enough for 1000 depths, of 8 they are not */
    assert_int_equal(shape_bands(&shape), 63);
    assert_int_equal(sum(shape.states), 1000);
    assert_int_equal(sum(shape.enabled), 3000);
    assert_int_equal(sum(shape.explored), 1500);
    assert_int_equal(shape.states[0], 16);
    assert_int_equal(shape.states[62], 8); /* 992 to 999 */
}

static void a_leap_into_the_deep(void **unused) {
    (void)unused;
    search_shape shape = {0};
    shape_add_state(&shape, 0, 1);
    shape_add_state(&shape, 1000000, 2);
    assert_true(shape.width * SHAPE_BANDS > 1000000);
    assert_int_equal(shape.states[0], 1);
    assert_int_equal(shape.enabled[1000000 / shape.width], 2);
    assert_int_equal(sum(shape.states), 2);
}

/* Two independent threads of three steps each, in all orders. */
static const char *const two_threads = "int x; int y; event e;\n"
                                       "thread a { x = 1; wait_time 0; x = 2; wait_time 0; x = 3; }\n"
                                       "thread b { y = 1; wait_time 0; y = 2; wait_time 0; y = 3; }\n"
                                       "main { start; assert x == 3; }\n";

static statistics run(explore_options how) {
    diagnostics d = {.file = "m.ivl"};
    program *p = ivl_compile("m.ivl", two_threads, strlen(two_threads), NULL, 0, &d);
    assert_non_null(p);
    diag_free(&d);
    terms *t = terms_create();
    solver *s = solver_create(t, NULL);
    machine *m = machine_create(p, t, s, NULL);
    outcome o = {0};
    search_run(m, &how, &o);
    assert_int_equal(outcome_verdict(&o), VERDICT_SAFE);
    statistics stats = o.stats;
    outcome_free(&o);
    machine_destroy(m);
    solver_destroy(s);
    terms_destroy(t);
    program_destroy(p);
    return stats;
}

/* Without unknown inputs and without chains each executed step is a transition, taken from one state. */
static void every_transition_is_counted_once(void **unused) {
    (void)unused;
    static const search_order orders[] = {ORDER_DFS, ORDER_BFS};
    for (size_t i = 0; i < 2; i++) {
        explore_options how = explore_default_options();
        how.order = orders[i];
        how.por = POR_NONE;
        statistics all = run(how);
        assert_int_equal(sum(all.shape.explored), all.transitions);
        assert_int_equal(sum(all.shape.enabled), all.transitions); /* no reduction leaves anything out */
        assert_true(sum(all.shape.states) >= all.states);
        assert_int_equal(all.shape.states[0], 1); /* the initial state */
        how.por = POR_STUB_MIN;
        statistics reduced = run(how);
        assert_int_equal(sum(reduced.shape.explored), reduced.transitions);
        assert_true(sum(reduced.shape.explored) < sum(reduced.shape.enabled));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_recorded_at_first),
        cmocka_unit_test(bands_widen_and_lose_nothing),
        cmocka_unit_test(a_leap_into_the_deep),
        cmocka_unit_test(every_transition_is_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
