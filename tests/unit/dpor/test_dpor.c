/* Stateless exploration: trace counts that can be counted by hand, blocking, deadlocks,
 * data races, limits. */
#include "machine/setup.h"
#include "thread_programs.h"
#include "thread_shapes.h"

static const unsigned everything = PROPERTY_ASSERT | PROPERTY_MEMORY | PROPERTY_DEADLOCK;
static const por_kind all_kinds[] = {POR_NONE, POR_PERSISTENT, POR_SOURCE, POR_OPTIMAL};

/* Every algorithm finds this many trace classes; the optimal one needs no further execution. */
static void assert_classes(maker k, size_t classes) {
    fixture f = open_maker(&k);
    for (size_t i = 0; i < 4; i++) {
        found r = run_dpor(&f, all_kinds[i], everything, false);
        assert_true(r.out.complete);
        assert_int_equal(r.out.doubts.size, 0);
        assert_int_equal(r.out.trace_classes.size, classes);
        if (all_kinds[i] == POR_OPTIMAL) {
            assert_int_equal(r.out.stats.executions, classes);
            assert_int_equal(r.out.stats.blocked_executions, 0);
        }
        found_free(&r);
    }
    fixture_close(&f);
}

/* --- counts --------------------------------------------------------------------------------------------- */

static maker readers(unsigned count) {
    static const char *const cells[] = {"x"};
    static const char *const names[] = {"r1", "r2", "r3", "r4"};
    maker k = maker_create(cells, 1);
    begin_function(&k, "writer", FUNCTION_THREAD);
    put_store(&k, 0, operand_const(32, 1));
    end_function(&k);
    for (unsigned i = 0; i < count; i++) {
        begin_function(&k, names[i], FUNCTION_THREAD);
        put_load(&k, 0);
        end_function(&k);
    }
    create_all(&k, count + 1);
    return k;
}

static void each_reader_is_before_or_after_the_writer(void **unused) {
    (void)unused;
    assert_classes(readers(1), 2);
    assert_classes(readers(3), 8);
    assert_classes(readers(4), 16);
}

static void commuting_updates_are_one_trace(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    for (unsigned i = 0; i < 3; i++) {
        begin_function(&k, "adder", FUNCTION_THREAD);
        put_add(&k, 0, i + 1);
        end_function(&k);
    }
    create_all(&k, 3);
    assert_classes(k, 1);
}

/* p and q exchange c if it is still 0, r reads it. The loser only reads: 2 winners, and r comes before or
 * after the winner; behind it, r and the loser commute. */
static void a_failed_exchange_is_a_read(void **unused) {
    (void)unused;
    static const char *const cells[] = {"c"};
    maker k = maker_create(cells, 1);
    for (unsigned i = 0; i < 2; i++) {
        begin_function(&k, i ? "q" : "p", FUNCTION_THREAD);
        put_compare_and_swap(&k, 0, 0, 1 + i);
        end_function(&k);
    }
    begin_function(&k, "r", FUNCTION_THREAD);
    put_load(&k, 0);
    end_function(&k);
    create_all(&k, 3);
    assert_classes(k, 4);
}

/* --- blocking ------------------------------------------------------------------------------------------- */

static void critical_sections_come_in_any_order(void **unused) {
    (void)unused;
    assert_classes(critical_sections(2), 2);
    assert_classes(critical_sections(3), 6);
    assert_classes(critical_sections(4), 24);
}

static void crossed_locks_deadlock(void **unused) {
    (void)unused;
    for (size_t i = 0; i < 4; i++) {
        maker k = crossed_locks();
        fixture f = open_maker(&k);
        found r = run_dpor(&f, all_kinds[i], everything, true);
        assert_int_equal(r.out.violations.size, 1);
        assert_int_equal(r.out.violations.data[0].kind, VIOLATION_DEADLOCK);
        assert_true(r.out.violations.data[0].confirmed);
        assert_int_equal(r.out.trace_classes.size, 3); /* p first, q first, each has one */
        found_free(&r);
        fixture_close(&f);
    }
}

/* The waiting thread is blocked for ever if the flag is lowered before it looks: only one order is free of
 * deadlock, and the search starts with the other. */
static void a_blocked_operation_is_tried_earlier(void **unused) {
    (void)unused;
    maker k = lowered_flag();
    fixture f = open_maker(&k);
    for (size_t i = 0; i < 4; i++) {
        found r = run_dpor(&f, all_kinds[i], PROPERTY_ASSERT, false);
        assert_int_equal(r.out.trace_classes.size, 2);
        assert_int_equal(r.final.hashes.size, 2);
        assert_int_equal(outcome_verdict(&r.out), VERDICT_SAFE);
        found_free(&r);
    }
    fixture_close(&f);
}

/* Each of the updates blocks the waiting thread, both together do not: it goes first or last, but reversing
 * it with one of them never shows the former. The updates are ordered then, so 2 * 2. */
static void updates_of_an_awaited_cell_are_ordered(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    for (unsigned i = 0; i < 2; i++) {
        begin_function(&k, "adder", FUNCTION_THREAD);
        put_add(&k, 0, 1);
        end_function(&k);
    }
    begin_function(&k, "waits", FUNCTION_THREAD);
    put_await(&k, 0, ARITH_NE, 1);
    put_sync(&k, SYNC_ATOMIC_END);
    end_function(&k);
    create_all(&k, 3);
    assert_classes(k, 4);
}

static void joining_orders_everything(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    begin_function(&k, "worker", FUNCTION_THREAD);
    put_store(&k, 0, operand_const(32, 1));
    end_function(&k);
    begin_main(&k);
    uint32_t made = put_create(&k, 0);
    put_join(&k, made);
    put_assert(&k, put_compare(&k, ARITH_EQ, put_load(&k, 0), 1));
    end_function(&k);
    assert_classes(k, 1);
}

/* Threads that are created one by one while others run; more of them than fit into the first rows. */
static void threads_come_late(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x"};
    enum { CHAIN = 70 };
    maker k = maker_create(cells, 1);
    for (uint32_t i = 0; i < CHAIN; i++) {
        begin_function(&k, "link", FUNCTION_THREAD);
        put_store(&k, 0, operand_const(32, i));
        if (i) put_create(&k, i - 1);
        end_function(&k);
    }
    begin_main(&k);
    put_create(&k, CHAIN - 1);
    put_sync(&k, SYNC_EXIT);
    end_function(&k);
    assert_classes(k, 1);
}

/* --- inputs and violations ------------------------------------------------------------------------------ */

/* The writer's value is an input, the reader fails on 7 only. */
static void a_violation_needs_an_order_and_an_input(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x"};
    for (size_t i = 0; i < 4; i++) {
        maker k = maker_create(cells, 1);
        begin_function(&k, "reader", FUNCTION_THREAD);
        put_assert(&k, put_compare(&k, ARITH_NE, put_load(&k, 0), 7));
        end_function(&k);
        begin_function(&k, "writer", FUNCTION_THREAD);
        uint32_t input = put_input(&k);
        fork_in_code fork = begin_if(&k, put_compare(&k, ARITH_ULT, input, 100));
        put_store(&k, 0, operand_register(input, 32));
        end_if(&k, fork);
        end_function(&k);
        create_all(&k, 2);
        fixture f = open_maker(&k);
        found r = run_dpor(&f, all_kinds[i], PROPERTY_ASSERT, false);
        assert_int_equal(outcome_verdict(&r.out), VERDICT_UNSAFE);
        assert_int_equal(r.out.violations.data[0].kind, VIOLATION_CHECK);
        found_free(&r);
        fixture_close(&f);
    }
}

/* --- data races ----------------------------------------------------------------------------------------- */

static maker two_stores(bool locked) {
    static const char *const cells[] = {"lock", "x", "y"};
    maker k = maker_create(cells, 3);
    for (unsigned i = 0; i < 2; i++) {
        begin_function(&k, i ? "q" : "p", FUNCTION_THREAD);
        put_store(&k, 2, operand_const(32, 0)); /* y: made atomic below, orders nothing else */
        vec_last(&k.p->functions.data[k.f].blocks.data[k.block].code).order = ORDER_SEQ_CST;
        if (locked) put_lock(&k, 0);
        put_store(&k, 1, operand_const(32, i));
        if (locked) {
            put_unlock(&k, 0);
            vec_last(&k.p->functions.data[k.f].blocks.data[k.block].code).order = ORDER_SEQ_CST;
        }
        end_function(&k);
    }
    create_all(&k, 2);
    return k;
}

static void unordered_plain_stores_race(void **unused) {
    (void)unused;
    for (size_t i = 0; i < 4; i++) {
        maker k = two_stores(false);
        fixture f = open_maker(&k);
        found r = run_dpor(&f, all_kinds[i], PROPERTY_RACE, true);
        assert_int_equal(r.out.violations.size, 1);
        const violation *v = &r.out.violations.data[0];
        assert_int_equal(v->kind, VIOLATION_RACE);
        assert_true(v->confirmed);
        assert_int_equal(v->racing[0] + v->racing[1], 3);
        found_free(&r);
        fixture_close(&f);
    }
}

static void a_lock_prevents_the_race(void **unused) {
    (void)unused;
    for (size_t i = 0; i < 4; i++) {
        maker k = two_stores(true);
        /* the store inside the lock's atomic section orders memory, as a library's would */
        for (uint32_t t = 0; t < 2; t++)
            for (size_t c = 0; c < k.p->functions.data[t].blocks.data[0].code.size; c++) {
                instruction *at = &k.p->functions.data[t].blocks.data[0].code.data[c];
                if (at->kind == INSTR_STORE && at->a.index == 0) at->order = ORDER_SEQ_CST;
            }
        fixture f = open_maker(&k);
        found r = run_dpor(&f, all_kinds[i], PROPERTY_RACE, true);
        assert_int_equal(r.out.violations.size, 0);
        assert_int_equal(outcome_verdict(&r.out), VERDICT_SAFE);
        found_free(&r);
        fixture_close(&f);
    }
}

static void plain_updates_race_although_they_commute(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    for (unsigned i = 0; i < 2; i++) {
        begin_function(&k, "adder", FUNCTION_THREAD);
        put_add(&k, 0, 1);
        end_function(&k);
    }
    create_all(&k, 2);
    fixture f = open_maker(&k);
    found r = run_dpor(&f, POR_OPTIMAL, PROPERTY_RACE, false);
    assert_int_equal(outcome_verdict(&r.out), VERDICT_UNSAFE);
    found_free(&r);
    fixture_close(&f);
}

/* --- the end of the program, limits --------------------------------------------------------------------- */

/* With exit_anywhere main's return competes with the worker's two stores: it comes before, between
 * or after them. */
static void the_end_may_come_anywhere(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x", "y"};
    maker k = maker_create(cells, 2);
    begin_function(&k, "worker", FUNCTION_THREAD);
    put_store(&k, 0, operand_const(32, 1));
    put_store(&k, 1, operand_const(32, 1));
    end_function(&k);
    begin_main(&k);
    put_create(&k, 0);
    put_sync(&k, SYNC_END);
    machine_options options = machine_default_options();
    options.exit_anywhere = true;
    fixture f = fixture_of_program(k.p, &options, 0);
    for (size_t i = 0; i < 4; i++) {
        found all = run_dpor(&f, POR_NONE, PROPERTY_ASSERT, false);
        found r = run_dpor(&f, all_kinds[i], PROPERTY_ASSERT, false);
        assert_true(all.final.hashes.size >= 3);
        assert_int_equal(r.final.hashes.size, all.final.hashes.size);
        found_free(&all);
        found_free(&r);
    }
    fixture_close(&f);
}

static void a_long_execution_is_a_doubt(void **unused) {
    (void)unused;
    maker k = readers(4);
    fixture f = open_maker(&k);
    explore_options o = explore_default_options();
    o.max_depth = 4;
    outcome out = {0};
    dpor_run(f.m, &o, &out);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
    assert_string_equal(reason_words(out.doubts.data[0].why), "depth limit");
    outcome_free(&out);
    o.max_depth = 0;
    o.max_transitions = 5;
    out = (outcome){0};
    dpor_run(f.m, &o, &out);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
    assert_false(out.complete);
    outcome_free(&out);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_reader_is_before_or_after_the_writer),
        cmocka_unit_test(commuting_updates_are_one_trace),
        cmocka_unit_test(a_failed_exchange_is_a_read),
        cmocka_unit_test(critical_sections_come_in_any_order),
        cmocka_unit_test(crossed_locks_deadlock),
        cmocka_unit_test(a_blocked_operation_is_tried_earlier),
        cmocka_unit_test(updates_of_an_awaited_cell_are_ordered),
        cmocka_unit_test(joining_orders_everything),
        cmocka_unit_test(threads_come_late),
        cmocka_unit_test(a_violation_needs_an_order_and_an_input),
        cmocka_unit_test(unordered_plain_stores_race),
        cmocka_unit_test(a_lock_prevents_the_race),
        cmocka_unit_test(plain_updates_race_although_they_commute),
        cmocka_unit_test(the_end_may_come_anywhere),
        cmocka_unit_test(a_long_execution_is_a_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
