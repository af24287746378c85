/* The same state, transition and options give the same successors, whatever a machine is asked in between. */
// clang-format off
#include "thread_programs.h"
#include "random_programs.h"
#include "random_threads.h"
// clang-format on

#include "explore/player.h"

enum { PROGRAMS = 60, LONGEST = 12 };

static void statement(maker *k, uint64_t *seed, const shape *s, uint32_t *local) {
    (void)s, (void)local;
    uint32_t cell = random_cell(seed);
    switch (random_below(seed, 4)) {
    case 0: put_add(k, cell, 1); break;
    case 1: put_compare_and_swap(k, cell, 0, 1); break;
    case 2: {
        fork_in_code fork = begin_if(k, put_compare(k, ARITH_EQ, put_input(k), random_below(seed, 3)));
        put_store(k, cell, operand_const(32, 2));
        end_if(k, fork);
        break;
    }
    default: put_assert(k, put_compare(k, ARITH_EQ, put_load(k, cell), random_below(seed, 3)));
    }
}

static const step_options ways[] = {{0},
                                    {.stops = STOP_LOOP_HEAD | STOP_EVERY_JOIN},
                                    {.stops = STOP_INSTRUCTION},
                                    {.continue_after_violation = true, .effects = true},
                                    {.keep_path = true},
                                    {.stay_awake = true},
                                    {.replay = true},
                                    {.threads = 2},
                                    {.addresses = ADDRESSES_DOWNWARDS},
                                    {.addresses = ADDRESSES_UPWARDS},
                                    {.record = true},
                                    {.abstract = true, .record = true},
                                    {.looks_ahead = true},
                                    {.effects = true, .early = true},
                                    {.watch_loops = true},
                                    {.defer_path_gc = true},
                                    {.stops = STOP_JOIN | STOP_CALL},
                                    {.one_way = true}};

enum { WAYS = sizeof ways / sizeof *ways };

static void assert_same_effect(const effect *a, const effect *b) {
    assert_int_equal(a->size, b->size);
    for (size_t i = 0; i < a->size; i++) {
        assert_int_equal(a->data[i].kind, b->data[i].kind);
        assert_int_equal(a->data[i].name, b->data[i].name);
        assert_int_equal(a->data[i].low, b->data[i].low);
        assert_int_equal(a->data[i].high, b->data[i].high);
    }
}

static void assert_same_way(const step_way *a, const step_way *b) {
    assert_int_equal(!a, !b);
    if (!a) return;
    assert_int_equal(a->marks.size, b->marks.size);
    for (size_t i = 0; i < a->marks.size; i++) {
        assert_int_equal(a->marks.data[i].kind, b->marks.data[i].kind);
        assert_int_equal(a->marks.data[i].number, b->marks.data[i].number);
    }
}

static void assert_same_place(const successor *a, const successor *b) {
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->uncertain, b->uncertain);
    assert_int_equal(a->why.kind, b->why.kind);
    if (a->end == STEP_VIOLATION) assert_int_equal(a->check, b->check);
    assert_true(state_identical(a->to, b->to));
}

static void assert_same(const successors *a, const successors *b) {
    assert_int_equal(a->size, b->size);
    for (size_t i = 0; i < a->size; i++) {
        assert_same_place(&a->data[i], &b->data[i]);
        assert_same_effect(&a->data[i].touched, &b->data[i].touched);
        assert_same_way(a->data[i].went, b->data[i].went);
        assert_int_equal(a->data[i].step.by.thread, b->data[i].step.by.thread);
        assert_int_equal(a->data[i].step.successor, i);
    }
}

/* To say which way a step went changes nothing about it. */
static void ask_for_way(machine *m, const state *s, transition by, const step_options *how) {
    successors plain = {0}, marked = {0};
    step_options with = *how;
    with.record = true;
    machine_step(m, s, by, how, &plain);
    machine_step(m, s, by, &with, &marked);
    assert_int_equal(plain.size, marked.size);
    for (size_t i = 0; i < plain.size; i++) {
        assert_same_place(&plain.data[i], &marked.data[i]);
        assert_same_effect(&plain.data[i].touched, &marked.data[i].touched);
        assert_non_null(marked.data[i].went);
    }
    successors_free(m, &plain);
    successors_free(m, &marked);
}

/* Steps of the first threads with all options, then the same in another order. */
static void ask_twice(machine *m, const state *s, const transitions *enabled) {
    successors first[WAYS] = {{0}}, second = {0};
    transition by = enabled->data[0], other = enabled->data[enabled->size - 1];
    for (unsigned i = 0; i < WAYS; i++) machine_step(m, s, by, &ways[i], &first[i]);
    for (unsigned i = WAYS; i-- > 0;) {
        machine_step(m, s, other, &ways[(i + 3) % WAYS], &second);
        successors_clear(m, &second);
        machine_step(m, s, by, &ways[i], &second);
        assert_same(&first[i], &second);
        successors_clear(m, &second);
        successors_free(m, &first[i]);
    }
    successors_free(m, &second);
}

static void options_leave_nothing_behind(void **unused) {
    (void)unused;
    for (uint64_t number = 1; number <= PROGRAMS; number++) {
        uint64_t seed = number;
        shape s = {.threads = 2 + random_below(&seed, 2), .statements = 3, .inputs = true, .locks = true};
        maker k = random_threads(&seed, &s, statement);
        fixture f = open_maker(&k);
        player p = player_begin(f.m, &ways[0]);
        transitions enabled = {0};
        for (int i = 0; i < LONGEST; i++) {
            machine_enabled(f.m, p.now, &enabled);
            if (!enabled.size) break;
            ask_twice(f.m, p.now, &enabled);
            ask_for_way(f.m, p.now, enabled.data[0], &ways[random_below(&seed, 4)]);
            player_look(&p, enabled.data[random_below(&seed, (unsigned)enabled.size)]);
            const successor *next = player_going_on(&p);
            if (!next) break;
            player_take(&p, next);
        }
        vec_free(&enabled);
        player_end(&p);
        fixture_close(&f);
    }
}

/* main creates three threads: with a bound of two it stands at the third creation, while others go on. */
static void a_bound_of_threads_holds_for_its_steps_alone(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    begin_function(&k, "adds", FUNCTION_THREAD);
    put_add(&k, 0, 1);
    end_function(&k);
    begin_main(&k);
    for (int i = 0; i < 3; i++) put_create(&k, 0);
    end_function(&k);
    fixture f = open_maker(&k);
    const uint32_t bounds[] = {0, 2, 0};
    for (int round = 0; round < 3; round++) {
        player p = player_begin(f.m, &(step_options){.threads = bounds[round]});
        while (state_thread_status(p.now, 0) == THREAD_RUNNABLE &&
               state_thread_status(p.now, 3) == THREAD_UNBORN)
            assert_true(player_go_on(&p, (transition){.thread = 0}));
        thread_status created = state_thread_status(p.now, 3);
        assert_int_equal(created, bounds[round] ? THREAD_UNBORN : THREAD_RUNNABLE);
        assert_true(bounds[round] ? state_thread_status(p.now, 0) == THREAD_STUCK : true);
        assert_true(player_go_on(&p, (transition){.thread = 1}));
        player_end(&p);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_leave_nothing_behind),
        cmocka_unit_test(a_bound_of_threads_holds_for_its_steps_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
