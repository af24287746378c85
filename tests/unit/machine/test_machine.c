/* The machine besides its scheduler: forks, assumptions, checks, limits, stops, pending operations,
 * names that commute, and replay with fixed inputs. */
#include "core_fixture.h"

#include "base/bits.h"
#include "machine/seen.h"
#include "machine/setup.h"
#include "machine/state.h"

/* --- symbolic execution --------------------------------------------------------------------------------- */

static void branches_fork_only_where_both_sides_are_possible(void **unused) {
    (void)unused;
    check_ends("int x = ?(int), y; thread A{if (x > 3) y = 1; else y = 2;}", 2, 0, 0);
    check_ends("int x = ?(int), y; thread A{if (x > 3) y = 1; else y = 2; if (x > 3) y += 1; else y += 2;}",
               2, 0, 0);
    check_ends("int x = ?(int), y; thread A{if (x > 3) y = 1; if (x > 5) y += 2;}", 3, 0, 0);
    check_ends("int x = 4, y; thread A{if (x > 3) y = 1; else y = 2;} thread B{x = 1;}", 1, 0, 0);
}

/* The condition of a decided branch adds nothing to the path. */
static void decided_branches_leave_no_trace(void **unused) {
    (void)unused;
    fixture f = fixture_open(
        "int x = ?(int), y; thread A{if (x > 3) y = 1; else y = 2; x += y;} main{assume(x == 7); start;}");
    state *s = walk(&f, "");
    assert_int_equal(s->path_count, 1);
    const term *only = state_path(s)[0];
    s = walk_from(&f, s, "A");
    assert_int_equal(s->path_count, 1);
    assert_ptr_equal(state_path(s)[0], only);
    assert_int_equal(cell(&f, s, "y"), 1);
    state_release(f.m, s);
    fixture_close(&f);
}

static void assumptions_end_paths_silently(void **unused) {
    (void)unused;
    check_ends("int x = ?(int); thread A{assume(x > 3); x += 1;}", 1, 0, 0);
    check_ends("int x = ?(int); thread A{assume(x > 3); assume(x < 3); x += 1;}", 0, 0, 1);
    check_ends("int x; thread A{assume(x == 1); x += 1;}", 0, 0, 1);
    check_ends("int x; thread A{assume(x == 0); x += 1;}", 1, 0, 0);
}

static void assertions_split_into_violated_and_held(void **unused) {
    (void)unused;
    check_ends("int x = ?(int); thread A{assert(x > 3); x += 1;}", 1, 1, 0);
    check_ends("int x; thread A{assert(x > 3); x += 1;}", 0, 1, 0);
    check_ends("int x; thread A{assert(x == 0); x += 1;}", 1, 0, 0);
    /* the first implies the second */
    check_ends("int x = ?(int); thread A{assert(x > 3); assert(x > 2); x += 1;}", 1, 1, 0);
    check_ends("int x = ?(int); thread A{assert(x > 3); assert(x > 5); x += 1;}", 1, 2, 0);
}

static void going_on_after_a_violation_forgets_it(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = ?(int); thread A{assert(x > 3); assert(x > 2); x += 1;} main{start;}");
    state *s = walk(&f, "");
    successors list = {0};
    step_options how = {.continue_after_violation = true};
    machine_step(f.m, s, (transition){1, 0}, &how, &list);
    assert_int_equal(list.size, 3); /* both can fail: the first is as if it were absent */
    for (size_t i = 0; i < list.size; i++)
        if (list.data[i].end == STEP_STOPPED) assert_int_equal(list.data[i].to->path_count, 0);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

static void a_violation_names_its_check_and_place(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x;\nthread A{x = 1;\n  assert(x == 2);}\nmain{start;}");
    state *s = walk(&f, "");
    assert_false(seen_reached(machine_seen_so_far(f.m), 0));
    successors list = {0};
    step_list(&f, s, "A", &list);
    assert_int_equal(list.size, 1);
    assert_int_equal(list.data[0].end, STEP_VIOLATION);
    assert_int_equal(list.data[0].place.line, 3);
    assert_int_equal(machine_check(f.m, list.data[0].check)->kind, CHECK_ASSERTION);
    assert_int_equal(cell(&f, list.data[0].to, "x"), 1); /* the state is the one at the check */
    assert_true(seen_reached(machine_seen_so_far(f.m), 0));
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

/* Pieces of execution: a step of k successors has 1 + 2 forks of them, counted once each. */
static void parts_count_the_pieces_after_forks(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = ?(int), y; thread A{if (x == 1) y = 1; else if (x == 2) y = 2; else if "
                             "(x == 3) y = 3; x = y;}");
    state *s = walk(&f, "");
    successors list = {0};
    step_list(&f, s, "A", &list);
    assert_int_equal(list.size, 4);
    uint64_t parts = 0;
    for (size_t i = 0; i < list.size; i++) parts += list.data[i].parts;
    assert_int_equal(parts, 2 * 3);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- path condition and registers ----------------------------------------------------------------------- */

static void conjuncts_about_dead_inputs_are_dropped(void **unused) {
    (void)unused;
    const char *source =
        "int x = ?(int), y = ?(int), z; thread A{int k = ?(int); assume(k > 3); assume(x > y); z = 1;}\n"
        "thread B{assume(y > 7); y = 0;} thread C{x = 0;}";
    fixture f = fixture_open(source);
    state *s = walk(&f, "A");
    assert_int_equal(s->path_count, 1); /* k is gone, x > y stays */
    s = walk_from(&f, s, "B");
    assert_int_equal(s->path_count, 2); /* the old y is linked with x: what is known of it stays too */
    s = walk_from(&f, s, "C");
    assert_int_equal(s->path_count, 0);
    state_release(f.m, s);
    fixture_close(&f);

    machine_options keep = machine_default_options();
    keep.path_gc = false;
    f = fixture_open_with(source, &keep);
    s = walk(&f, "A B C");
    assert_int_equal(s->path_count, 3);
    state_release(f.m, s);
    fixture_close(&f);
}

/* Dropping them later gives what dropping them at once gives. */
static void collection_can_be_put_off(void **unused) {
    (void)unused;
    fixture f =
        fixture_open("int x = ?(int), y; thread A{int k = ?(int); assume(k > 3); assume(x > 7); y = 1;}");
    state *s = walk(&f, "");
    transition by = {thread_named(&f, "A"), 0};
    successors now = {0}, later = {0};
    machine_step(f.m, s, by, &(step_options){0}, &now);
    machine_step(f.m, s, by, &(step_options){.defer_path_gc = true}, &later);
    assert_int_equal(now.size, later.size);
    for (size_t i = 0; i < now.size; i++) {
        assert_int_equal(now.data[i].end, later.data[i].end);
        if (now.data[i].end != STEP_STOPPED) continue;
        assert_int_equal(now.data[i].to->path_count, 1);
        assert_int_equal(later.data[i].to->path_count, 2);
        machine_collect_path(f.m, later.data[i].to);
        assert_true(state_identical(now.data[i].to, later.data[i].to));
    }
    successors_free(f.m, &now);
    successors_free(f.m, &later);
    state_release(f.m, s);
    fixture_close(&f);
}

/* Who asks for one way gets it as ever, or nothing. */
static void one_way_or_none(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = ?(int), y; thread A{if (x > 3) y = 1; else y = 2; y += 1;}"
                             "thread B{if (y > 3) y = 1; else y = 2; y += 1;}");
    state *s = walk(&f, "");
    successors all = {0}, one = {0};
    transition a = {thread_named(&f, "A"), 0}, b = {thread_named(&f, "B"), 0};
    machine_step(f.m, s, a, &(step_options){0}, &all);
    machine_step(f.m, s, a, &(step_options){.one_way = true}, &one);
    assert_int_equal(all.size, 2);
    assert_int_equal(one.size, 0);
    successors_clear(f.m, &all);
    machine_step(f.m, s, b, &(step_options){0}, &all);
    machine_step(f.m, s, b, &(step_options){.one_way = true}, &one);
    assert_int_equal(all.size, 1);
    assert_int_equal(one.size, 1);
    assert_true(state_identical(all.data[0].to, one.data[0].to));
    successors_free(f.m, &all);
    successors_free(f.m, &one);
    state_release(f.m, s);
    fixture_close(&f);
}

/* Listing 6.8: without that, each delta cycle adds to the path and no state is ever seen again. */
static void listing_6_8_comes_back(void **unused) {
    (void)unused;
    const char *source = "int f(){int z = ?(int); if (z < 5) return 1; else return -1;} int abs(int "
                         "x){return x < 0 ? -x : x;}\n"
                         "thread A{while (true){int a = f(); a = abs(a); wait_time 0;}}";
    fixture f = fixture_open(source);
    state *once = walk(&f, "A:0"), *twice = walk(&f, "A:0 N A:1");
    assert_int_equal(once->path_count, 0);
    assert_true(state_hash(once, HASH_EXACT) == state_hash(twice, HASH_EXACT));
    state_release(f.m, once);
    state_release(f.m, twice);
    fixture_close(&f);
}

static void weaker_bounds_are_dropped(void **unused) {
    (void)unused;
    fixture f = fixture_open("uint x = ?(uint); thread A{assume(x > 3); assume(x < 100); assume(x > 5); "
                             "assume(x < 200); x += 1;} main{start;}");
    state *s = walk(&f, "A");
    valuation *v = valuation_create();
    const term *input = cell_term(&f, s, "x")->support->symbol[0];
    for (uint64_t n = 0; n < 300; n++) { /* whatever is kept means 5 < x < 100 */
        bool holds = true;
        valuation_set(v, input, n);
        for (uint32_t i = 0; i < s->path_count; i++) holds &= term_evaluate(f.c, state_path(s)[i], v) == 1;
        assert_int_equal(holds, n > 5 && n < 100);
    }
    assert_true(s->path_count <= 3);
    valuation_destroy(v);
    state_release(f.m, s);
    fixture_close(&f);
}

static void dead_registers_are_forgotten(void **unused) {
    (void)unused;
    const char *source =
        "int x; event e; thread A{int k = ?(int); x = k; wait e; int m = ?(int); x += m; wait e; x += m;}";
    for (int clear = 0; clear < 2; clear++) {
        machine_options how = machine_default_options();
        how.clear_dead = clear;
        fixture f = fixture_open_with(source, &how);
        state *s = walk(&f, "A");
        unsigned symbolic = 0;
        for (uint32_t i = 0; i < s->threads[1]->value_count; i++)
            symbolic += s->threads[1]->values[i].bits && !term_is_const(s->threads[1]->values[i].bits);
        if (clear)
            assert_int_equal(symbolic, 0);
        else
            assert_true(symbolic > 0);
        state_release(f.m, s);
        fixture_close(&f);
    }
}

/* --- limits --------------------------------------------------------------------------------------------- */

static void check_limit(const char *source, const machine_options *how, const char *reason, uint32_t line) {
    fixture f = fixture_open_with(source, how);
    state *s = walk(&f, "");
    successors list = {0};
    step_list(&f, s, "A", &list);
    assert_true(list.size >= 1);
    bool found = false;
    for (size_t i = 0; i < list.size; i++) {
        if (list.data[i].end != STEP_LIMIT) continue;
        found = true;
        assert_string_equal(reason_words(list.data[i].why), reason);
        if (line)
            assert_int_equal(list.data[i].place.line, line);
        else
            assert_int_not_equal(list.data[i].place.line, 0); /* wherever one of the paths was just then */
    }
    assert_true(found);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

static bool yes(void *data) {
    (void)data;
    return true;
}

static void steps_never_run_for_ever(void **unused) {
    (void)unused;
    machine_options how = machine_default_options();
    check_limit("int x;\nthread A{\n  while (true) x = 1;}", &how, "endless loop without a scheduling point",
                3);
    check_limit("int x;\nthread A{\n  while (true) x = 1 - x;}", &how,
                "endless loop without a scheduling point", 3);
    how.step_instructions = 2000;
    check_limit("int x;\nthread A{\n  while (true) x += 1;}", &how, "step limit", 3);
    how = machine_default_options();
    how.call_depth = 50;
    check_limit("int x;\nvoid down(){\n  x += 1; down();}\nthread A{down();}", &how, "call depth limit", 3);
    how = machine_default_options();
    how.step_forks = 20;
    check_limit("int x;\nthread A{\n  while (?(bool)) x += 1;}", &how, "too many paths within one step", 0);
    how = machine_default_options();
    how.interrupted = yes;
    check_limit("int x;\nthread A{\n  while (true) x += 1;}", &how, "interrupted", 3);
}

static void long_but_finite_loops_end(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x; thread A{for (int i = 0; i < 5000; i += 1) x = i % 7;}");
    state *s = walk(&f, "A");
    assert_int_equal(cell(&f, s, "x"), 4999 % 7);
    state_release(f.m, s);
    fixture_close(&f);
}

static void recursion_returns(void **unused) {
    (void)unused;
    fixture f = fixture_open(
        "int x; int sum(int n){if (n == 0) return 0; return n + sum(n - 1);} thread A{x = sum(100);}");
    state *s = walk(&f, "A");
    assert_int_equal(cell(&f, s, "x"), 5050);
    assert_int_equal(s->threads[1]->status, THREAD_ENDED);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- stops ---------------------------------------------------------------------------------------------- */

/* Runs A alone with these stops until it waits or ends; the number of stops inside its step. */
static unsigned stops_on_the_way(const char *source, unsigned stops) {
    fixture f = fixture_open(source);
    state *s = walk(&f, "");
    step_options how = {.stops = stops};
    unsigned count = 0;
    for (;;) {
        successors list = {0};
        machine_step(f.m, s, (transition){1, 0}, &how, &list);
        assert_int_equal(list.size, 1);
        assert_int_equal(list.data[0].end, STEP_STOPPED);
        state_release(f.m, s);
        s = state_share(list.data[0].to);
        successors_free(f.m, &list);
        if (s->scheduler->running == NO_INDEX) break;
        assert_int_equal(s->scheduler->running, 1);
        assert_enabled(&f, s, "A"); /* nobody else may interrupt */
        count++;
    }
    assert_int_equal(cell(&f, s, "x"), 3);
    state_release(f.m, s);
    fixture_close(&f);
    return count;
}

static void stops_inside_a_step(void **unused) {
    (void)unused;
    const char *source =
        "int x; void inc(){x += 1;} thread A{for (int i = 0; i < 3; i += 1) inc();} thread B{x = 0;}";
    assert_int_equal(stops_on_the_way(source, STOP_VISIBLE), 0);
    /* Entering the loop and three times round. */
    assert_int_equal(stops_on_the_way(source, STOP_LOOP_HEAD), 4);
    assert_int_equal(stops_on_the_way(source, STOP_CALL), 6); /* three calls, three returns */
    assert_true(stops_on_the_way(source, STOP_INSTRUCTION) > 15);
}

/* --- pending operations --------------------------------------------------------------------------------- */

static bool may_touch(const fixture *f, const pending *p, const char *what) {
    text out = {0};
    effect_print(f->p, p->may_touch, &out);
    bool found = strstr(text_cstr(&out), what) != NULL;
    text_free(&out);
    return found;
}

static void pending_tells_of_every_live_thread(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x, y; event e; thread A{x = 1; wait e; y = 2;} thread B{notify e;} thread "
                             "C{suspend A;} thread D{y = 1;}");
    uint32_t a = thread_named(&f, "A"), b = thread_named(&f, "B");
    state *s = walk(&f, "");
    pending next;
    machine_pending(f.m, s, a, &next);
    assert_true(next.live && next.enabled && !next.suspended);
    assert_true(may_touch(&f, &next, "write x") && may_touch(&f, &next, "wait e") &&
                !may_touch(&f, &next, "write y"));
    s = walk_from(&f, s, "A");
    machine_pending(f.m, s, a, &next); /* blocked */
    assert_true(next.live && !next.enabled);
    assert_true(may_touch(&f, &next, "write y") && !may_touch(&f, &next, "write x"));
    assert_int_equal(next.wakes_on->size, 1);
    assert_int_equal(next.wakes_on->data[0].name, event_named(&f, "e"));
    pending enabler;
    machine_pending(f.m, s, b, &enabler);
    assert_true(bits_has(next.enabled_by, enabler.segment));
    s = walk_from(&f, s, "C B");
    machine_pending(f.m, s, a, &next);
    assert_true(next.live && !next.enabled && next.suspended);
    machine_pending(f.m, s, b, &next);
    assert_false(next.live);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- names commute -------------------------------------------------------------------------------------- */

static void check_same_state(const char *source, const char *one, const char *other) {
    fixture f = fixture_open(source);
    state *a = walk(&f, one), *b = walk(&f, other);
    assert_true(state_identical(a, b));
    for (int k = 0; k < HASH_KINDS; k++)
        assert_true(state_hash(a, (hash_kind)k) == state_hash(b, (hash_kind)k));
    state_release(f.m, a);
    state_release(f.m, b);
    fixture_close(&f);
}

static void independent_steps_commute_literally(void **unused) {
    (void)unused;
    check_same_state("int x, y; thread A{x = ?(int); int k = ?(int); x += k;} thread B{y = ?(int);}", "A B",
                     "B A");
    check_same_state(
        "int *p, *q; thread A{p = new int; *p = 1; p = new int;} thread B{q = new int; *q = ?(int);}", "A B",
        "B A");
    check_same_state(
        "int x, y; event e, g; thread A{notify e, 2; x += 1; wait g;} thread B{notify g, 2; x += 5; wait e;}",
        "A B", "B A");
    check_same_state("int x = ?(int), y = ?(int); thread A{assume(x > 3);} thread B{assume(y > 4);}", "A B",
                     "B A");
    check_same_state("int x = ?(int), y, z; thread A{if (x > 3) y = 1; else y = 2;} thread B{if (x > 3) z = "
                     "1; else z = 2;}",
                     "A:0 B", "B:0 A");
    check_same_state("int x = ?(int); thread A{x += 3;} thread B{x += ?(int);} thread C{x -= 1;}", "A B C",
                     "C B A");
    check_same_state("int a[2]; thread A{int b[3]; b[1] = 4; a[0] = b[1]; int *p = &b[0]; *p = 1;} thread "
                     "B{int b[3]; b[1] = 5; a[1] = b[1];}",
                     "A B", "B A");
}

/* --- replay --------------------------------------------------------------------------------------------- */

static void fixed_inputs_make_a_run_concrete(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x, y; thread A{x = ?(int); y = ?(int); if (x > y) y = 0;}");
    state *s = walk(&f, "A:0");
    const term *x = cell_term(&f, s, "x");
    assert_true(term_is_symbol(x));
    state_release(f.m, s);
    valuation *v = valuation_create();
    valuation_set(v, x, 17);
    f.inputs = v;
    s = walk(&f, "A");
    assert_int_equal(cell(&f, s, "x"), 17);
    assert_int_equal(cell(&f, s, "y"), 0); /* not mentioned: 0 */
    state_release(f.m, s);
    f.inputs = NULL;
    s = walk(&f, "");
    successors list = {0};
    step_list(&f, s, "A", &list);
    assert_int_equal(list.size, 2);
    successors_free(f.m, &list);
    state_release(f.m, s);
    valuation_destroy(v);
    fixture_close(&f);
}

/* The same state, transition and options give the same successors in the same order. */
static void steps_are_deterministic(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = ?(int), y; thread A{if (x == 1) y = 1; else if (x > 7) y = 2; else y = "
                             "3; assert(x != 9); x += y;}");
    state *s = walk(&f, "");
    successors first = {0}, second = {0};
    step_list(&f, s, "A", &first);
    step_list(&f, s, "A", &second);
    assert_int_equal(first.size, second.size);
    for (size_t i = 0; i < first.size; i++) {
        assert_int_equal(first.data[i].end, second.data[i].end);
        assert_true(state_identical(first.data[i].to, second.data[i].to));
    }
    successors_free(f.m, &first);
    successors_free(f.m, &second);
    state_release(f.m, s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_fork_only_where_both_sides_are_possible),
        cmocka_unit_test(decided_branches_leave_no_trace),
        cmocka_unit_test(assumptions_end_paths_silently),
        cmocka_unit_test(assertions_split_into_violated_and_held),
        cmocka_unit_test(going_on_after_a_violation_forgets_it),
        cmocka_unit_test(a_violation_names_its_check_and_place),
        cmocka_unit_test(parts_count_the_pieces_after_forks),
        cmocka_unit_test(conjuncts_about_dead_inputs_are_dropped),
        cmocka_unit_test(collection_can_be_put_off),
        cmocka_unit_test(one_way_or_none),
        cmocka_unit_test(listing_6_8_comes_back),
        cmocka_unit_test(weaker_bounds_are_dropped),
        cmocka_unit_test(dead_registers_are_forgotten),
        cmocka_unit_test(steps_never_run_for_ever),
        cmocka_unit_test(long_but_finite_loops_end),
        cmocka_unit_test(recursion_returns),
        cmocka_unit_test(stops_inside_a_step),
        cmocka_unit_test(pending_tells_of_every_live_thread),
        cmocka_unit_test(independent_steps_commute_literally),
        cmocka_unit_test(fixed_inputs_make_a_run_concrete),
        cmocka_unit_test(steps_are_deterministic),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
