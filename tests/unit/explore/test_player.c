/* Players, and prefixes: executions at random of a program whose threads create others and branch on inputs,
 * so that two machines that have seen other executions before number its threads differently. */
// clang-format off
#include "thread_programs.h"
#include "random_programs.h"
// clang-format on

#include "explore/player.h"
#include "explore/prefix.h"
#include "machine/naming.h"

static const step_options plain = {0};

enum { CELL_X, CELL_Y, CELL_Z, WALKS = 200 };

/* if (input == 3) x = 1; create(child); y += 1 */
static void put_creator(maker *k, const char *name, uint32_t child) {
    begin_function(k, name, FUNCTION_THREAD);
    fork_in_code fork = begin_if(k, put_compare(k, ARITH_EQ, put_input(k), 3));
    put_store(k, CELL_X, operand_const(32, 1));
    end_if(k, fork);
    put_create(k, child);
    put_add(k, CELL_Y, 1);
    end_function(k);
}

/* Functions 0 and 1 are created by 2 and 3, these by main; the last assertion fails if x is set by then. */
static maker creators(void) {
    static const char *const cells[] = {"x", "y", "z"};
    maker k = maker_create(cells, 3);
    for (int i = 0; i < 2; i++) {
        begin_function(&k, i ? "second" : "first", FUNCTION_THREAD);
        put_add(&k, CELL_Z, 1);
        end_function(&k);
    }
    put_creator(&k, "left", 0);
    put_creator(&k, "right", 1);
    begin_main(&k);
    put_create(&k, 2);
    put_create(&k, 3);
    put_assert(&k, put_compare(&k, ARITH_EQ, put_load(&k, CELL_X), 0));
    end_function(&k);
    return k;
}

static machine *another_machine(const fixture *f) {
    return machine_create(f->p, f->c, f->s, NULL);
}

/* Any steps to any successors, at most so many; ends behind one that does not go on. */
static player walk_at_random(machine *m, uint64_t seed, size_t most) {
    player p = player_begin(m, &plain);
    transitions enabled = {0};
    bool goes_on = true;
    while (goes_on && p.done.size < most) {
        machine_enabled(m, p.now, &enabled);
        if (!enabled.size) break;
        player_look(&p, enabled.data[random_below(&seed, (unsigned)enabled.size)]);
        assert_true(p.next.size);
        const successor *s = &p.next.data[random_below(&seed, (unsigned)p.next.size)];
        goes_on = s->end == STEP_STOPPED;
        player_take(&p, s);
    }
    vec_free(&enabled);
    return p;
}

static void what_was_done_can_be_followed(void **unused) {
    (void)unused;
    maker k = creators();
    fixture f = open_maker(&k);
    for (uint64_t seed = 1; seed <= WALKS; seed++) {
        player first = walk_at_random(f.m, seed, 6), again = player_begin(f.m, &plain);
        path_step last = {0};
        size_t steps = first.done.size;
        if (steps) last = first.done.data[--first.done.size];
        assert_true(player_follow_path(&again, &first.done));
        if (steps) {
            player_look(&again, last.by);
            player_take(&again, player_recorded(&again, last));
        }
        assert_int_equal(again.done.size, steps);
        assert_true(state_identical(first.now, again.now));
        assert_int_equal(state_hash(first.now, HASH_EXACT), state_hash(again.now, HASH_EXACT));
        player_end(&first);
        player_end(&again);
    }
    fixture_close(&f);
}

static void who_cannot_follow_stays_where_it_is(void **unused) {
    (void)unused;
    maker k = creators();
    fixture f = open_maker(&k);
    player p = player_begin(f.m, &plain);
    state *before = state_share(p.now);
    assert_false(player_follow(&p, (path_step){{0, 0}, 77}));
    assert_true(p.now == before && !p.done.size && !player_recorded(&p, (path_step){{0, 0}, 77}));
    assert_true(player_go_on(&p, (transition){.thread = 0}));
    assert_true(p.now != before && p.done.size == 1);
    player_move_to(&p, before);
    assert_true(p.now == before && !p.done.size);
    state_release(f.m, before);
    state *here = player_leave(&p);
    assert_true(here == before);
    state_release(f.m, here);
    fixture_close(&f);
}

/* --- which successor ------------------------------------------------------------------------------------ */

/* One step: it fails with input 0, goes on all the same, and then goes one of two ways. */
static maker one_step(void) {
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    begin_function(&k, "a", FUNCTION_THREAD);
    uint32_t number = put_input(&k);
    put_assert(&k, put_compare(&k, ARITH_NE, number, 0));
    fork_in_code small = begin_if(&k, put_compare(&k, ARITH_ULT, number, 5));
    put_add(&k, 0, 1);
    end_if(&k, small);
    put_add(&k, 0, 2);
    end_function(&k);
    begin_main(&k);
    put_create(&k, 0);
    put_add(&k, 0, 1);
    end_function(&k);
    return k;
}

static void inputs_lead_past_what_fails(void **unused) {
    (void)unused;
    maker k = one_step();
    fixture f = open_maker(&k);
    valuation *zero = valuation_create();
    player p = player_begin(f.m, &(step_options){.continue_after_violation = true, .inputs = zero});
    assert_true(player_go_on(&p, (transition){.thread = 0}));
    player_look_at_thread(&p, 1);
    size_t others = 7;
    assert_int_equal(p.next.size, 2);
    const successor *s = player_with_inputs(&p, &others);
    assert_true(s && s == player_going_on(&p) && s->end == STEP_STOPPED && !others);
    p.how.continue_after_violation = false;
    player_look_at_thread(&p, 1);
    assert_int_equal(p.next.size, 1);
    assert_null(player_with_inputs(&p, &others));
    assert_int_equal(others, 0);
    p.how.inputs = NULL;
    player_look_at_thread(&p, 1);
    assert_int_equal(p.next.size, 3);
    assert_true(player_with_inputs(&p, &others) && others == 1);
    player_end(&p);
    valuation_destroy(zero);
    fixture_close(&f);
}

static void a_step_is_repeated_by_where_it_led(void **unused) {
    (void)unused;
    maker k = one_step();
    fixture f = open_maker(&k);
    player p = player_begin(f.m, &plain);
    assert_true(player_go_on(&p, (transition){.thread = 0}));
    player_look_at_thread(&p, 1);
    unsigned ways = 0;
    for (size_t i = 0; i < p.next.size; i++) {
        const successor *s = &p.next.data[i];
        assert_true(player_repeated(&p, s->to) == (s->end == STEP_STOPPED ? s : NULL));
        ways += s->end == STEP_STOPPED;
    }
    assert_int_equal(ways, 2);
    player_end(&p);
    fixture_close(&f);
}

/* --- prefixes ------------------------------------------------------------------------------------------- */

static void print(machine *m, const path *steps, text *out) {
    assert_true(prefix_print(m, steps, &plain, out));
}

static bool is_like(const fixture *f, machine *here, const state *a, machine *there, const state *b) {
    static const char *const cells[] = {"x", "y", "z"};
    unsigned alive[2] = {0, 0};
    const state *both[] = {a, b};
    for (int i = 0; i < 2; i++)
        for (uint32_t t = 0; t < state_thread_count(both[i]); t++)
            alive[i] += state_thread_status(both[i], t) == THREAD_RUNNABLE;
    fixture first = *f, second = *f;
    first.m = here;
    second.m = there;
    bool same = alive[0] == alive[1] && state_path_count(a) == state_path_count(b);
    for (int i = 0; i < 3; i++) same &= cell(&first, a, cells[i]) == cell(&second, b, cells[i]);
    return same;
}

static void a_prefix_means_the_same_elsewhere(void **unused) {
    (void)unused;
    maker k = creators();
    fixture f = open_maker(&k);
    unsigned renumbered = 0, forked = 0;
    for (uint64_t seed = 1; seed <= WALKS; seed++) {
        machine *here = another_machine(&f), *there = another_machine(&f);
        player before = walk_at_random(there, seed + WALKS, 20); /* it numbers threads as it meets them */
        player one = walk_at_random(here, seed, 20), other = player_begin(there, &plain);
        text first = {0}, second = {0};
        print(here, &one.done, &first);
        assert_true(prefix_follow(&other, text_cstr(&first)));
        assert_int_equal(one.done.size, other.done.size);
        for (size_t i = 0; i < one.done.size; i++) {
            renumbered += one.done.data[i].by.thread != other.done.data[i].by.thread;
            forked += one.done.data[i].successor > 0;
        }
        assert_true(is_like(&f, here, one.now, there, other.now));
        print(there, &other.done, &second);
        assert_string_equal(text_cstr(&first), text_cstr(&second));
        text_free(&first);
        text_free(&second);
        player_end(&before);
        player_end(&one);
        player_end(&other);
        machine_destroy(here);
        machine_destroy(there);
    }
    assert_true(renumbered > 0 && forked > 0); /* or nothing was tried */
    fixture_close(&f);
}

/* The scheduler goes several ways that leave the same marks: who is due first, of three cases. */
static void ways_without_marks_are_told_apart(void **unused) {
    (void)unused;
    fixture f = fixture_open("int a = ?(int);\nint b = ?(int);\nint x = 0;\n"
                             "thread p { wait_time a; x = 1; wait_time 5; }\n"
                             "thread q { wait_time b; x = 2; wait_time 5; }\n"
                             "main { assume(a > 0 && a < 10 && b > 0 && b < 10); start; }\n");
    unsigned alike = 0;
    for (uint64_t seed = 1; seed <= WALKS; seed++) {
        player one = walk_at_random(f.m, seed, 12), other = player_begin(f.m, &plain);
        text way = {0};
        print(f.m, &one.done, &way);
        assert_true(prefix_follow(&other, text_cstr(&way)));
        assert_int_equal(one.done.size, other.done.size);
        for (size_t i = 0; i < one.done.size; i++) {
            assert_int_equal(one.done.data[i].successor, other.done.data[i].successor);
            alike += one.done.data[i].by.thread == MACHINE_KERNEL && one.done.data[i].successor > 0;
        }
        assert_true(state_identical(one.now, other.now));
        text_free(&way);
        player_end(&one);
        player_end(&other);
    }
    assert_true(alike > 0);
    fixture_close(&f);
}

static void names_of_threads_are_read_back(void **unused) {
    (void)unused;
    maker k = creators();
    fixture f = open_maker(&k);
    player p = walk_at_random(f.m, 5, 40);
    text name = {0};
    uint32_t thread;
    for (uint32_t t = 0; t < state_thread_count(p.now); t++) {
        text_shorten(&name, 0);
        machine_print_thread(f.m, t, &name);
        const char *at = text_cstr(&name);
        assert_true(machine_read_thread(f.m, &at, &thread) && !*at && thread == t);
    }
    assert_int_equal(state_thread_count(p.now), 5);
    static const char *const nobody[] = {"",      ".",    "1",         "0.",           "0.7",
                                         "0.0.1", "main", "scheduler", "0.99999999999"};
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++) {
        const char *at = nobody[i];
        assert_false(machine_read_thread(f.m, &at, &thread) && !*at);
    }
    text_free(&name);
    player_end(&p);
    fixture_close(&f);
}

/* Each text that is not what was written either leads nowhere or to an execution of the program. */
static void broken_prefixes_are_refused(void **unused) {
    (void)unused;
    maker k = creators();
    fixture f = open_maker(&k);
    player p = walk_at_random(f.m, 9, 20);
    text whole = {0};
    print(f.m, &p.done, &whole);
    uint64_t seed = 3;
    unsigned refused = 0;
    for (size_t i = 0; i < whole.size; i++) {
        char *copy = mem_copy_string(text_cstr(&whole));
        if (random_below(&seed, 2))
            copy[i] = "0123456789abcdef.:/@ -?+\n"[random_below(&seed, 25)];
        else
            copy[i] = 0;
        player other = player_begin(f.m, &plain);
        bool follows = prefix_follow(&other, copy);
        refused += !follows;
        text again = {0};
        print(f.m, &other.done, &again);
        text_free(&again);
        player_end(&other);
        mem_free(copy);
    }
    assert_true(refused > whole.size / 2);
    player_end(&p);
    text_free(&whole);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_done_can_be_followed),
        cmocka_unit_test(who_cannot_follow_stays_where_it_is),
        cmocka_unit_test(inputs_lead_past_what_fails),
        cmocka_unit_test(a_step_is_repeated_by_where_it_led),
        cmocka_unit_test(a_prefix_means_the_same_elsewhere),
        cmocka_unit_test(ways_without_marks_are_told_apart),
        cmocka_unit_test(names_of_threads_are_read_back),
        cmocka_unit_test(broken_prefixes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
