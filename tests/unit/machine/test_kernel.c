/* Every dialect of the table of kernels has what its traits say, and moves a program by it. */
#include "core_fixture.h"
#include "machine/hangs.h"
#include "machine/kernel.h"

#define FOR_EACH_DIALECT(k) for (kernel_kind k = 0; k < KERNEL_KINDS; k++)

static void dialects_have_names_of_their_own(void **unused) {
    (void)unused;
    FOR_EACH_DIALECT(k)
    FOR_EACH_DIALECT(other)
    assert_int_equal(!strcmp(kernel_dialects[k].name, kernel_dialects[other].name), k == other);
}

static void dialects_go_by_rules_of_their_kernel(void **unused) {
    (void)unused;
    FOR_EACH_DIALECT(k) assert_string_equal(kernel_of(k)->name, rules_name(kernel_dialects[k].rules));
}

static void rules_say_whose_they_are(void **unused) {
    (void)unused;
    text both[2] = {{0}, {0}};
    for (int k = 0; k < RULES_KINDS; k++) rules_describe((kernel_rules)k, " and ", &both[k]);
    assert_string_equal(text_cstr(&both[RULES_SYSTEMC]), "SystemC and IVL");
    assert_string_equal(text_cstr(&both[RULES_PREEMPTIVE]), "C, C++ and dlang");
    for (int k = 0; k < RULES_KINDS; k++) text_free(&both[k]);
}

static void no_kernel_lacks_what_all_need(void **unused) {
    (void)unused;
    FOR_EACH_DIALECT(k) {
        const kernel *has = kernel_of(k);
        assert_true(has->begin && has->enabled && has->pending && has->can_step && has->deadlocked);
        assert_true(has->begin_step && has->sync && has->stops && has->thread_returns && has->goes_round);
        assert_true(kernel_dialects[k].no_deadlock && kernel_dialects[k].deadlock);
    }
}

static void functions_are_there_where_traits_say_so(void **unused) {
    (void)unused;
    FOR_EACH_DIALECT(k) {
        const kernel *has = kernel_of(k);
        const kernel_traits *is = &kernel_dialects[k];
        assert_int_equal(is->preempts, has->stops_before != NULL);
        assert_int_equal(is->preempts, has->next_piece != NULL);
        assert_int_equal(is->others_go_on_without, has->stick != NULL);
        assert_int_equal(is->waits_for_events, has->is_blocked != NULL);
        assert_int_equal(is->threads_hang_apart, has->is_at_program_end != NULL);
        assert_int_equal(is->loops_can_wait, has->enter_loop_head != NULL);
        assert_int_equal(is->loops_can_wait, has->sleeps != NULL);
        assert_int_equal(is->loops_can_wait, has->livelocked != NULL);
    }
}

static void traits_do_not_contradict_each_other(void **unused) {
    (void)unused;
    FOR_EACH_DIALECT(k) {
        const kernel_traits *is = &kernel_dialects[k];
        assert_true(is->steps_are_segments != is->steps_are_operations);
        assert_true(is->preempts || !(is->accesses_may_race || is->loops_can_wait));
        assert_true(is->has_simulated_time || !is->has_delta_cycles);
        assert_true(is->scheduler_moves || !is->has_simulated_time); /* who else would let time pass */
        assert_true(is->most_unknown_cells);
    }
}

/* Main does nothing and ends. */
static program *smallest_program(kernel_kind kernel) {
    program *p = program_create(kernel, "small");
    uint32_t f = program_add_function(p, "main", FUNCTION_MAIN, (position){1, 1});
    function_add_block(p, f);
    function_emit(p, f, 0, INSTR_RETURN, (position){1, 1});
    vec_push(&p->threads, ((thread_info){.name = "main", .function = f, .at = {1, 1}}));
    return p;
}

static void machines_move_by_every_kernel(void **unused) {
    (void)unused;
    FOR_EACH_DIALECT(k) {
        fixture f = fixture_of_program(smallest_program(k), NULL, 0);
        state *s = machine_initial(f.m, 0);
        transitions enabled = {0};
        successors next = {0};
        pending of_main;
        assert_int_equal(s->thread_count, 1 + kernel_dialects[k].scheduler_moves);
        assert_int_equal(machine_segments(f.m) != NULL, kernel_dialects[k].steps_are_segments);
        machine_enabled(f.m, s, &enabled);
        assert_int_equal(enabled.size, 1);
        assert_int_equal(enabled.data[0].thread, 0);
        assert_true(machine_can_step(f.m, s, enabled.data[0]));
        machine_pending(f.m, s, 0, &of_main);
        assert_true(of_main.live && of_main.enabled);
        assert_false(machine_deadlocked(f.m, s));
        machine_step(f.m, s, enabled.data[0], &(step_options){0}, &next);
        assert_int_equal(next.size, 1);
        assert_int_equal(next.data[0].end, STEP_FINISHED);
        machine_enabled(f.m, next.data[0].to, &enabled);
        assert_int_equal(enabled.size, 0);
        assert_false(machine_can_step(f.m, next.data[0].to, (transition){0, 0}));
        successors_free(f.m, &next);
        vec_free(&enabled);
        state_release(f.m, s);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dialects_have_names_of_their_own),
        cmocka_unit_test(dialects_go_by_rules_of_their_kernel),
        cmocka_unit_test(rules_say_whose_they_are),
        cmocka_unit_test(no_kernel_lacks_what_all_need),
        cmocka_unit_test(functions_are_there_where_traits_say_so),
        cmocka_unit_test(traits_do_not_contradict_each_other),
        cmocka_unit_test(machines_move_by_every_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
