/* Chains of states with one successor: how many states are stored (worked out by hand), that paths contain
 * every step, that endless loops end.
 *
 * In all programs main creates a thread and waits for its end, so only one thread can run at any time. These
 * states are scheduling points: S0 at main's beginning, S1 where main waits, then those of the thread before
 * each of its stores, E where it has ended, and M where main is about to leave. */
#include "machine/setup.h"
#include "thread_programs.h"

static const char *const cells[] = {"x", "y", "z"};
enum { X, Y, Z, CELL_COUNT };

static fixture with_main(maker *k, bool sleep_spins) {
    begin_main(k);
    put_join(k, put_create(k, 0));
    end_function(k);
    machine_options how = machine_default_options();
    how.sleep_spins = sleep_spins;
    return fixture_of_program(k->p, &how, 0);
}

static maker begin_thread(void) {
    maker k = maker_create(cells, CELL_COUNT);
    begin_function(&k, "a", FUNCTION_THREAD);
    return k;
}

static void put_number(maker *k, uint32_t cell, uint32_t number) {
    put_store(k, cell, operand_const(32, number));
}

static void put_jump(maker *k, uint32_t block) {
    put(k, INSTR_JUMP)->target[0] = block;
    k->block = block;
}

/* cell = input ? a : b, in two branches. */
static void put_one_of(maker *k, uint32_t cell, uint32_t a, uint32_t b) {
    uint32_t first = function_add_block(k->p, k->f), second = function_add_block(k->p, k->f);
    uint32_t after = function_add_block(k->p, k->f);
    uint32_t condition = put_compare(k, ARITH_EQ, put_input(k), 0);
    instruction *i = put(k, INSTR_BRANCH);
    i->a = operand_register(condition, 1);
    i->target[0] = first;
    i->target[1] = second;
    k->block = first;
    put_number(k, cell, a);
    put(k, INSTR_JUMP)->target[0] = after;
    k->block = second;
    put_number(k, cell, b);
    put_jump(k, after);
}

static statistics explored(const fixture *f, uint64_t chain, search_order order, visited_kind visited) {
    explore_options o = exploring(POR_NONE, MATCH_CEQ);
    o.chain = chain;
    o.order = order;
    o.visited = visited;
    o.max_transitions = 100000;
    outcome out = search_fixture(f, &o);
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
    statistics s = out.stats;
    outcome_free(&out);
    return s;
}

/* Breadth first the state at the very beginning is not stored. */
static void assert_states(const fixture *f, uint64_t chain, uint64_t expected) {
    for (int visited = VISITED_FULL; visited <= VISITED_COMPACT; visited++) {
        assert_int_equal(explored(f, chain, ORDER_DFS, (visited_kind)visited).states, expected);
        assert_int_equal(explored(f, chain, ORDER_BFS, (visited_kind)visited).states, expected - 1);
    }
}

/* Figure 4.11: a choice, three statements, a choice. Without chains: S0, S1; before each of three stores, for
 * both values of x; before the store to y, E and M for all four combinations. With them: S0; S1 and the last
 * state before the second choice, where there is a choice; and the four final states. */
static void only_states_with_a_choice_are_stored(void **unused) {
    (void)unused;
    maker k = begin_thread();
    put_one_of(&k, X, 1, 2);
    put_number(&k, Z, 5);
    put_number(&k, Z, 6);
    put_one_of(&k, Y, 3, 4);
    end_function(&k);
    fixture f = with_main(&k, true);
    assert_states(&f, 0, 2 + 3 * 2 + 3 * 4);
    assert_states(&f, 100, 1 + 1 + 2 + 4);
    assert_states(&f, 1, 1 + 1 + 2 + 4);
    /* every transition is made once: of S0 and S1, of three states for both, of three for all four */
    statistics s = explored(&f, 100, ORDER_DFS, VISITED_FULL);
    assert_int_equal(explored(&f, 0, ORDER_DFS, VISITED_FULL).transitions, s.transitions);
    /* into S1; into the second and third state of each x; into E and M */
    assert_int_equal(s.chained, 0 + 2 * 2 + 4 * 2);
    fixture_close(&f);
}

/* Figure 4.12: y = 1; z = 2; and so on for ever. Six states without chains: S0, S1, before either store in
 * the first round and in all others. A chain is cut at the jump back, always in the same state. */
static void endless_loops_end(void **unused) {
    (void)unused;
    maker k = begin_thread();
    uint32_t head = function_add_block(k.p, k.f);
    put_jump(&k, head);
    put_number(&k, Y, 1);
    put_number(&k, Z, 2);
    put(&k, INSTR_JUMP)->target[0] = head;
    fixture f = with_main(&k, false);
    assert_states(&f, 0, 6);
    static const uint64_t lengths[] = {1, 2, 3, 4, 5, 100, 1001};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) assert_states(&f, lengths[i], 2);
    fixture_close(&f);
}

/* Figure 4.13: for (i = 0; i < ROUNDS; i++) y = 7; where i is the thread's own, so a round is one transition
 * to the same place. A1 is the state before the second store and so on. */
static void chains_are_cut_at_jumps_back(void **unused) {
    (void)unused;
    enum { ROUNDS = 20 };
    maker k = begin_thread();
    uint32_t i = new_register(&k, 32);
    instruction *n = put(&k, INSTR_MOVE);
    n->dst = i;
    n->a = operand_const(32, 0);
    uint32_t head = function_add_block(k.p, k.f), body = function_add_block(k.p, k.f);
    uint32_t after = function_add_block(k.p, k.f);
    put_jump(&k, head);
    uint32_t goes_on = put_compare(&k, ARITH_NE, i, ROUNDS);
    n = put(&k, INSTR_BRANCH);
    n->a = operand_register(goes_on, 1);
    n->target[0] = body;
    n->target[1] = after;
    k.block = body;
    put_number(&k, Y, 7);
    n = put(&k, INSTR_ARITH);
    n->arith = ARITH_ADD;
    n->dst = i;
    n->a = operand_register(i, 32);
    n->b = operand_const(32, 1);
    put(&k, INSTR_JUMP)->target[0] = head;
    k.block = after;
    end_function(&k);
    fixture f = with_main(&k, true);
    assert_states(&f, 0, 2 + ROUNDS + 2);
    assert_states(&f, 1, 1 + (ROUNDS - 1) + 1); /* S0, A1 .. A19, M */
    assert_states(&f, 5, 6);                    /* S0, A3, A8, A13, A18, M */
    assert_states(&f, 1000000, 2);              /* S0, M */
    assert_int_equal(explored(&f, 1000000, ORDER_DFS, VISITED_FULL).chained, ROUNDS + 2);
    fixture_close(&f);
}

static void assert_path(const fixture *f, violation_kind kind, size_t steps) {
    static const uint64_t lengths[] = {0, 1, 2, 100};
    for (int order = ORDER_DFS; order <= ORDER_BFS; order++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            explore_options o = exploring(POR_NONE, MATCH_CEQ);
            o.chain = lengths[i];
            o.order = (search_order)order;
            o.properties = PROPERTY_ASSERT | PROPERTY_DEADLOCK;
            outcome out = search_fixture(f, &o);
            assert_int_equal(out.violations.size, 1);
            assert_int_equal(out.violations.data[0].kind, kind);
            assert_true(out.violations.data[0].confirmed);
            assert_int_equal(out.violations.data[0].path.size, steps);
            outcome_free(&out);
        }
}

/* One step of main, then the stores, the first of which is the thread's beginning. */
static void paths_contain_every_step(void **unused) {
    (void)unused;
    maker k = begin_thread();
    for (uint32_t n = 0; n < 4; n++) put_number(&k, X, n);
    put_one_of(&k, Y, 1, 2);
    for (uint32_t n = 0; n < 3; n++) put_number(&k, Z, n);
    put_assert(&k, put_compare(&k, ARITH_EQ, put_load(&k, Y), 2)); /* loading is a step of its own */
    end_function(&k);
    fixture f = with_main(&k, true);
    assert_path(&f, VIOLATION_CHECK, 1 + 4 + 1 + 3 + 1);
    fixture_close(&f);
}

static void deadlocks_at_the_end_of_a_chain_are_found(void **unused) {
    (void)unused;
    maker k = begin_thread();
    put_number(&k, X, 1);
    put_number(&k, X, 2);
    put_await(&k, Y, ARITH_EQ, 1); /* nobody ever stores there */
    put_sync(&k, SYNC_ATOMIC_END);
    end_function(&k);
    fixture f = with_main(&k, true);
    assert_path(&f, VIOLATION_DEADLOCK, 1 + 2);
    fixture_close(&f);
}

/* Main waits for what nobody will ever do while the thread goes round, also where nothing is stored
 * on the way. */
static void threads_blocked_beside_a_loop_are_found(void **unused) {
    (void)unused;
    maker k = begin_thread();
    uint32_t head = function_add_block(k.p, k.f);
    put_jump(&k, head);
    put_number(&k, X, 1);
    put_number(&k, X, 2);
    put(&k, INSTR_JUMP)->target[0] = head;
    begin_main(&k);
    put_create(&k, 0);
    put_await(&k, Y, ARITH_EQ, 1);
    put_sync(&k, SYNC_ATOMIC_END);
    end_function(&k);
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        machine_options how = machine_default_options();
        how.sleep_spins = sleeps;
        fixture f = {.p = k.p, .c = terms_create()};
        f.s = solver_create(f.c, NULL);
        f.m = machine_create(k.p, f.c, f.s, &how);
        static const uint64_t lengths[] = {0, 1, 3, 100};
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            explore_options o = exploring(POR_AMPLE, MATCH_AUTO);
            o.chain = lengths[i];
            o.properties = PROPERTY_DEADLOCK;
            outcome out = search_fixture(&f, &o);
            assert_int_equal(out.violations.size, 1);
            assert_true(out.violations.data[0].confirmed);
            outcome_free(&out);
        }
        machine_destroy(f.m);
        solver_destroy(f.s);
        terms_destroy(f.c);
    }
    program_destroy(k.p);
}

/* The machine is asked to hurry at its k-th look, whenever that is: also while a path is made again for a
 * violation that was found. Nobody goes on from where it was interrupted. */
typedef struct {
    uint64_t asked, at;
} alarm_clock;

static bool rings(void *data) {
    alarm_clock *a = data;
    return a->asked++ >= a->at;
}

static void nobody_goes_on_from_an_interrupted_step(void **unused) {
    (void)unused;
    static const char source[] =
        "event e; int x, y;\n"
        "void split() {int a = ?(int); if (a > 3) {x += 1;} if (a > 5) {x += 2;} if (a > 7) {x += 4;}}\n"
        "thread A{split(); wait_time 0; split(); wait_time 0; split(); wait_time 0; y += 1; split(); wait "
        "e;}\n"
        "thread B{wait_time 0; wait_time 0; split(); wait_time 0; y *= 2; wait e;}\n"
        "main{start;}";
    alarm_clock a = {0, UINT64_MAX};
    machine_options how = machine_default_options();
    how.interrupted = rings;
    how.interrupted_data = &a;
    fixture f = fixture_open_with(source, &how);
    uint64_t looks = UINT64_MAX;
    for (a.at = UINT64_MAX; a.at == UINT64_MAX || a.at < looks; a.at++) {
        a.asked = 0;
        explore_options o = exploring(POR_NONE, MATCH_CEQ);
        o.chain = 100;
        o.all = true;
        o.properties = PROPERTY_ASSERT | PROPERTY_DEADLOCK;
        outcome out = search_fixture(&f, &o);
        assert_int_not_equal(outcome_verdict(&out), VERDICT_SAFE);
        if (a.at == UINT64_MAX) { /* nothing was interrupted */
            looks = a.asked;
            assert_true(looks > 10);
            assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
        }
        outcome_free(&out);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_states_with_a_choice_are_stored),
        cmocka_unit_test(endless_loops_end),
        cmocka_unit_test(chains_are_cut_at_jumps_back),
        cmocka_unit_test(paths_contain_every_step),
        cmocka_unit_test(deadlocks_at_the_end_of_a_chain_are_found),
        cmocka_unit_test(threads_blocked_beside_a_loop_are_found),
        cmocka_unit_test(nobody_goes_on_from_an_interrupted_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
