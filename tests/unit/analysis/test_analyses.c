/* The home of analyses: whoever asks again, in whichever order, gets the answer that is there. */
#include "core_fixture.h"

#include "analysis/analyses.h"
#include "build_program.h"
#include "machine/setup.h"

static build two_stores(void) {
    build b = build_open();
    operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1);
    build_function(&b, "main", 0);
    build_store(&b, x, build_number(1));
    build_store(&b, y, build_number(2));
    build_return(&b, operand_none());
    return b;
}

static void each_is_worked_out_once(void **unused) {
    (void)unused;
    build b = two_stores();
    analyses *a = analyses_create(b.p);
    const futures *ahead = analyses_futures(a); /* brings points_to with it */
    const points_to *pointers = analyses_points_to(a);
    loops *around = analyses_loops(a);
    const distances *far = analyses_distances(a);
    const bool *symbolic = analyses_symbolic(a);
    assert_ptr_equal(analyses_futures(a), ahead);
    assert_ptr_equal(analyses_points_to(a), pointers);
    assert_ptr_equal(analyses_loops(a), around);
    assert_ptr_equal(analyses_distances(a), far);
    assert_ptr_equal(analyses_symbolic(a), symbolic);
    analyses_destroy(a);
    program_destroy(b.p);
}

static void flows_come_when_they_are_asked_for(void **unused) {
    (void)unused;
    build b = two_stores();
    analyses *a = analyses_create(b.p);
    flows *all = analyses_flows(a);
    assert_null(all->at[0].of);
    const flow *first = flows_of(all, 0);
    assert_ptr_equal(first->of, &b.p->functions.data[0]);
    assert_ptr_equal(flows_of(analyses_flows(a), 0), first);
    analyses_destroy(a);
    program_destroy(b.p);
}

static void another_option_has_another_answer(void **unused) {
    (void)unused;
    program *p = compile_with("int x, y; thread A{y = 1 / x;} thread B{assert(false);}", NULL, 0);
    analyses *a = analyses_create(p);
    const segments *once = analyses_segments(a, false), *on = analyses_segments(a, true);
    assert_ptr_not_equal(once, on);
    assert_ptr_equal(analyses_segments(a, false), once);
    assert_ptr_equal(analyses_segments(a, true), on);
    analyses_destroy(a);
    program_destroy(p);
}

static void a_machine_answers_with_its_options(void **unused) {
    (void)unused;
    for (unsigned cut = 0; cut < 2; cut++) {
        machine_options options = machine_default_options();
        options.checks_cut = cut;
        fixture f = fixture_open_with("int x; thread A{x = 1 / x;}", &options);
        assert_ptr_equal(machine_segments(f.m), analyses_segments(machine_analyses(f.m), cut));
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_worked_out_once),
                                       cmocka_unit_test(flows_come_when_they_are_asked_for),
                                       cmocka_unit_test(another_option_has_another_answer),
                                       cmocka_unit_test(a_machine_answers_with_its_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
