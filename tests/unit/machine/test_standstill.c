/* Who is blocked for ever: alone, beside threads that spin, and beside threads that go on. */
// clang-format off
#include "thread_programs.h"
#include "random_programs.h"
#include "random_threads.h"
// clang-format on

#include "dpor/dpor.h"
#include "lazypor/lazypor.h"
#include "machine/record.h"
#include "machine/setup.h"

enum { X, Y, Z, LOCK, OTHER_LOCK };

static void put_jump(maker *k, uint32_t to) {
    put(k, INSTR_JUMP)->target[0] = to;
}

/* for (;;) { ... } closed by end_loop; what follows is never reached. */
static uint32_t begin_loop(maker *k) {
    uint32_t head = function_add_block(k->p, k->f);
    put_jump(k, head);
    k->block = head;
    return head;
}

static void end_loop(maker *k, uint32_t head) {
    put_jump(k, head);
    k->block = function_add_block(k->p, k->f);
}

/* --- threads -------------------------------------------------------------------------------------------- */

typedef void thread_code(maker *k);

static void waits_for_x(maker *k) {
    put_await(k, X, ARITH_EQ, 1);
    put_sync(k, SYNC_ATOMIC_END);
}

static void takes_lock(maker *k) {
    put_lock(k, LOCK);
    put_unlock(k, LOCK);
}

static void spins_on_y(maker *k) {
    put_spin(k, Y, 0);
}

static void spins_with_lock(maker *k) {
    put_lock(k, LOCK);
    put_spin(k, Y, 0);
    put_unlock(k, LOCK);
}

static void loops_silently_with_lock(maker *k) {
    put_lock(k, LOCK);
    end_loop(k, begin_loop(k));
}

/* Asks again and again, with the lock, and gives it back when told so. */
static void asks_with_lock(maker *k) {
    put_lock(k, LOCK);
    uint32_t head = begin_loop(k), after = function_add_block(k->p, k->f);
    put_load(k, Y);
    uint32_t again = put_compare(k, ARITH_EQ, put_input(k), 0);
    instruction *i = put(k, INSTR_BRANCH);
    i->a = operand_register(again, 1);
    i->target[0] = head;
    i->target[1] = after;
    k->block = after;
    put_unlock(k, LOCK);
}

static void shows_x_in_rounds(maker *k) {
    uint32_t head = begin_loop(k);
    put_store(k, X, operand_const(32, 1));
    put_store(k, X, operand_const(32, 0));
    end_loop(k, head);
}

static void changes_z_for_ever(maker *k) {
    uint32_t head = begin_loop(k);
    put_store(k, Z, operand_const(32, 1));
    put_store(k, Z, operand_const(32, 2));
    put_store(k, Z, operand_const(32, 3));
    end_loop(k, head);
}

/* --- programs ------------------------------------------------------------------------------------------- */

/* main starts them, waits for the first one, and ends the program. */
static maker threads_of(thread_code *first, thread_code *second) {
    maker k = maker_create(cell_names, CELLS + LOCKS);
    begin_function(&k, "first", FUNCTION_THREAD);
    first(&k);
    end_function(&k);
    if (second) {
        begin_function(&k, "second", FUNCTION_THREAD);
        second(&k);
        end_function(&k);
    }
    begin_main(&k);
    uint32_t joined = put_create(&k, 0);
    if (second) put_create(&k, 1);
    put_join(&k, joined);
    put_sync(&k, SYNC_END);
    return k;
}

typedef void explore_function(machine *m, const explore_options *options, outcome *out);

static verdict explored(maker *k, explore_function *run, search_order order, const machine_options *how) {
    fixture f = open_maker(k);
    if (how) {
        machine_destroy(f.m);
        f.m = machine_create(f.p, f.c, f.s, how);
    }
    explore_options o = explore_default_options();
    o.properties = PROPERTY_DEADLOCK;
    o.order = order;
    outcome out = {0};
    run(f.m, &o, &out);
    verdict v = outcome_verdict(&out);
    outcome_free(&out);
    fixture_close(&f);
    return v;
}

/* What the searches, which match states, say of it. */
static void searches_say(verdict wanted, thread_code *first, thread_code *second) {
    for (int order = ORDER_DFS; order <= ORDER_BFS; order++) {
        maker k = threads_of(first, second);
        assert_int_equal(explored(&k, search_run, order, NULL), wanted);
    }
}

static void all_say(verdict wanted, thread_code *first, thread_code *second) {
    searches_say(wanted, first, second);
    maker k = threads_of(first, second);
    assert_int_equal(explored(&k, dpor_run, ORDER_DFS, NULL), wanted);
    k = threads_of(first, second);
    assert_int_equal(explored(&k, lazypor_run, ORDER_DFS, NULL), wanted);
}

/* --- tests ---------------------------------------------------------------------------------------------- */

static void nobody_moves(void **unused) {
    (void)unused;
    all_say(VERDICT_UNSAFE, waits_for_x, NULL);
    all_say(VERDICT_SAFE, takes_lock, takes_lock);
}

static void others_spin(void **unused) {
    (void)unused;
    all_say(VERDICT_UNSAFE, waits_for_x, spins_on_y);
    all_say(VERDICT_UNSAFE, takes_lock, spins_with_lock);
    all_say(VERDICT_UNSAFE, takes_lock, loops_silently_with_lock);
}

static void to_wait_for_a_spinning_thread_is_no_deadlock(void **unused) {
    (void)unused;
    all_say(VERDICT_SAFE, spins_on_y, NULL);
    all_say(VERDICT_SAFE, spins_on_y, takes_lock);
}

/* The lock may come back in the next round, whatever this one was told. */
static void rounds_that_ask_prove_nothing(void **unused) {
    (void)unused;
    searches_say(VERDICT_SAFE, takes_lock, asks_with_lock);
}

static void what_a_round_shows_can_be_seen(void **unused) {
    (void)unused;
    searches_say(VERDICT_SAFE, waits_for_x, shows_x_in_rounds);
}

static void others_go_on(void **unused) {
    (void)unused;
    searches_say(VERDICT_UNSAFE, waits_for_x, changes_z_for_ever);
    searches_say(VERDICT_SAFE, takes_lock, changes_z_for_ever);
}

static void the_end_of_the_program_ends_waiting_unless_asked(void **unused) {
    (void)unused;
    machine_options strict = machine_default_options();
    strict.blocked_at_exit = true;
    explore_function *const runs[] = {search_run, dpor_run, lazypor_run};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        maker k = threads_of(takes_lock, waits_for_x);
        assert_int_equal(explored(&k, runs[i], ORDER_DFS, NULL), VERDICT_SAFE);
        k = threads_of(takes_lock, waits_for_x);
        assert_int_equal(explored(&k, runs[i], ORDER_DFS, &strict), VERDICT_UNSAFE);
        k = threads_of(takes_lock, spins_on_y);
        assert_int_equal(explored(&k, runs[i], ORDER_DFS, &strict), VERDICT_SAFE);
    }
}

static void the_end_of_the_program_is_noted(void **unused) {
    (void)unused;
    for (int waits = 0; waits < 2; waits++) {
        maker k = threads_of(takes_lock, waits ? waits_for_x : takes_lock);
        fixture f = open_maker(&k);
        found r = run_dpor(&f, POR_OPTIMAL, PROPERTY_DEADLOCK, false);
        const blocked_thread *blocked = &r.out.seen.blocked_at_exit;
        assert_int_equal(blocked->known, waits);
        if (waits) assert_string_equal(machine_thread_name(f.m, blocked->thread), "second");
        found_free(&r);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_moves),
        cmocka_unit_test(others_spin),
        cmocka_unit_test(to_wait_for_a_spinning_thread_is_no_deadlock),
        cmocka_unit_test(rounds_that_ask_prove_nothing),
        cmocka_unit_test(what_a_round_shows_can_be_seen),
        cmocka_unit_test(others_go_on),
        cmocka_unit_test(the_end_of_the_program_ends_waiting_unless_asked),
        cmocka_unit_test(the_end_of_the_program_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
