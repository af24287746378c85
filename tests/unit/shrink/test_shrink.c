/* Shrinking: schedules made longer by hand, with known optima; inputs with known minima; random programs, on
 * which the result must be what trying every schedule says. */
// clang-format off
#include "thread_programs.h"
#include "random_programs.h"
#include "random_threads.h"
// clang-format on

#include "explore/player.h"
#include "shrink/internal.h"

static const step_options plain = {0};

static shrink_budget plenty(void) {
    return (shrink_budget){.steps = 1000000};
}

/* --- counterexamples by hand ---------------------------------------------------------------------------- */

/* The path of a schedule, "0 1 1 2" by the numbers of threads (main is 0, then in order of creation; N is the
 * scheduler), each step to its first successor that goes on and the last one to the violation. */
static violation violate(fixture *f, violation_kind kind, const char *schedule) {
    violation v = {.kind = kind, .check = NO_INDEX};
    state *now = machine_initial(f->m, 0);
    for (const char *at = schedule; *at; at += strspn(at, " ")) {
        transition by = {*at == 'N' ? MACHINE_KERNEL : (uint32_t)(*at - '0'), 0};
        bool last = !at[1];
        at++;
        successors list = {0};
        machine_step(f->m, now, by, &plain, &list);
        size_t chosen = 0;
        while (chosen < list.size && (last ? !violation_is_reached(f->m, &v, NULL, &list.data[chosen])
                                           : list.data[chosen].end != STEP_STOPPED))
            chosen++;
        assert_true(chosen < list.size);
        vec_push(&v.path, ((path_step){by, (uint32_t)chosen}));
        state_release(f->m, now);
        now = state_share(list.data[chosen].to);
        successors_free(f->m, &list);
    }
    state_release(f->m, now);
    assert_true(violation_confirm(f->m, &v, &plain));
    return v;
}

static void violation_free(violation *v) {
    vec_free(&v->path);
    valuation_destroy(v->inputs);
}

static shrunk shrink(fixture *f, violation *v) {
    shrunk s;
    shrink_budget most = plenty();
    shrink_violation(f->m, v, &plain, &most, &s);
    assert_true(v->confirmed);
    assert_true(violation_replays_with(f->m, v, &plain, v->inputs));
    assert_int_equal(s.after.steps, v->path.size);
    return s;
}

static size_t steps_of(const violation *v, uint32_t thread) {
    size_t n = 0;
    for (size_t i = 0; i < v->path.size; i++) n += v->path.data[i].by.thread == thread;
    return n;
}

/* --- every schedule ------------------------------------------------------------------------------------- */

typedef struct every_schedule {
    fixture *f;
    const violation *wanted;
    size_t most_steps;
    shrink_cost best; /* the fewest switches, then the fewest steps */
    uint64_t steps;
} every_schedule;

static bool is_cheaper(shrink_cost a, shrink_cost b) {
    return a.switches < b.switches || (a.switches == b.switches && a.steps < b.steps);
}

static void try_schedules(every_schedule *e, const state *s, transition last, shrink_cost so_far) {
    transitions enabled = {0};
    successors list = {0};
    machine_enabled(e->f->m, s, &enabled);
    for (size_t i = 0; i < enabled.size; i++) {
        transition by = enabled.data[i];
        shrink_cost c = {so_far.switches + is_switch(last, by), so_far.steps + 1};
        if (c.steps > e->most_steps || !is_cheaper(c, e->best)) continue;
        successors_clear(e->f->m, &list);
        machine_step(e->f->m, s, by, &plain, &list);
        e->steps++;
        for (size_t k = 0; k < list.size; k++)
            if (violation_is_reached(e->f->m, e->wanted, NULL, &list.data[k])) {
                if (is_cheaper(c, e->best)) e->best = c;
            } else if (list.data[k].end == STEP_STOPPED) {
                try_schedules(e, list.data[k].to, by, c);
            }
    }
    successors_free(e->f->m, &list);
    vec_free(&enabled);
}

/* At most so many steps. */
static shrink_cost cheapest(fixture *f, const violation *v, size_t most_steps) {
    every_schedule e = {.f = f, .wanted = v, .most_steps = most_steps, .best = {SIZE_MAX, SIZE_MAX}};
    state *begin = machine_initial(f->m, 0);
    try_schedules(&e, begin, (transition){MACHINE_KERNEL, 0}, (shrink_cost){0, 0});
    state_release(f->m, begin);
    return e.best;
}

/* --- schedules ------------------------------------------------------------------------------------------ */

enum { X, Z };

/* a writes x twice, b asserts what is violated between the writes, c does what nobody looks at. */
static fixture open_noisy(void) {
    static const char *const cells[] = {"x", "z"};
    maker k = maker_create(cells, 2);
    begin_function(&k, "a", FUNCTION_THREAD);
    put_store(&k, X, operand_const(32, 1));
    put_store(&k, X, operand_const(32, 0));
    end_function(&k);
    begin_function(&k, "b", FUNCTION_THREAD);
    put_load(&k, Z);
    put_assert(&k, put_compare(&k, ARITH_EQ, put_load(&k, X), 0));
    end_function(&k);
    begin_function(&k, "c", FUNCTION_THREAD);
    for (uint32_t i = 1; i <= 4; i++) put_store(&k, Z, operand_const(32, i));
    end_function(&k);
    begin_main(&k);
    for (uint32_t t = 0; t < 3; t++) put_create(&k, t);
    end_function(&k);
    return open_maker(&k);
}

/* One step is one access. */
static const char noisy[] = "0 3 2 3 1 3 3 2";

static void what_nobody_looks_at_goes(void **unused) {
    (void)unused;
    fixture f = open_noisy();
    violation v = violate(&f, VIOLATION_CHECK, noisy);
    uint32_t check = v.check;
    shrink_cost best = cheapest(&f, &v, v.path.size);
    shrunk s = shrink(&f, &v);
    assert_int_equal(s.before.steps, 8);
    assert_int_equal(s.before.switches, 6);
    assert_int_equal(v.check, check);
    assert_int_equal(s.after.steps, 4); /* main, one of a, two of b */
    assert_int_equal(s.after.switches, 2);
    assert_int_equal(best.steps, 4);
    assert_int_equal(best.switches, 2);
    assert_int_equal(steps_of(&v, 3), 0);
    shrunk_free(&s);
    violation_free(&v);
    fixture_close(&f);
}

/* Delta debugging without the search: what is left, and with which inputs. */
static shrink_cost reduce(fixture *f, const violation *of, input_list *inputs) {
    violation v = *of;
    shrink_budget most = plenty();
    shrinker k = {.m = f->m, .v = &v, .most = &most, .until = most.steps};
    k.kernel = program_kernel(f->p);
    transitions schedule = {0};
    for (size_t i = 0; i < v.path.size; i++) vec_push(&schedule, v.path.data[i].by);
    execution e;
    input_list_read(&k, inputs);
    shrinker_fix_inputs(&k, v.inputs);
    assert_true(execution_follow(&k, NULL, 0, &schedule, shrink_cost_of(&v.path), &e));
    delta_reduce(&k, &e, inputs);
    shrinker_fix_inputs(&k, NULL);
    path found = {0};
    valuation *chosen = input_list_valuation(inputs);
    assert_true(schedule_to_path(&k, &e.steps, chosen, &found));
    assert_int_equal(found.size, e.cost.steps);
    shrink_cost cost = e.cost;
    valuation_destroy(chosen);
    vec_free(&found);
    vec_free(&schedule);
    execution_free(&k, &e);
    return cost;
}

static void delta_debugging_alone(void **unused) {
    (void)unused;
    fixture f = open_noisy();
    violation v = violate(&f, VIOLATION_CHECK, noisy);
    input_list inputs = {0};
    shrink_cost cost = reduce(&f, &v, &inputs);
    assert_int_equal(cost.steps, 4);
    assert_int_equal(cost.switches, 2);
    vec_free(&inputs);
    violation_free(&v);
    fixture_close(&f);
}

/* In `noisy` the last step depends on main, on the first store of c, which b's first load saw, on that load
 * and on a's first store. Whatever the order, steps that depend on each other come as they did, so
 * it fails again. */
static void causes_come_first(void **unused) {
    (void)unused;
    fixture f = open_noisy();
    violation v = violate(&f, VIOLATION_CHECK, noisy);
    shrink_budget most = plenty();
    shrinker k = {.m = f.m, .v = &v, .most = &most, .until = most.steps, .kernel = program_kernel(f.p)};
    transitions schedule = {0}, plan = {0};
    for (size_t i = 0; i < v.path.size; i++) vec_push(&schedule, v.path.data[i].by);
    execution e, again;
    assert_true(execution_follow(&k, NULL, 0, &schedule, shrink_cost_of(&v.path), &e));
    for (int all = 0; all < 2; all++) {
        vec_clear(&plan);
        causes_plan(&k, &e, !all, &plan);
        assert_int_equal(plan.size, all ? 8 : 5);
        assert_true(execution_follow(&k, NULL, 0, &plan, e.cost, &again));
        /* main, c, a, b, b, or all three of a, b and c in another order. */
        assert_int_equal(again.cost.steps, 5);
        if (!all) assert_int_equal(again.cost.switches, 3);
        execution_free(&k, &again);
    }
    execution_free(&k, &e);
    vec_free(&schedule);
    vec_free(&plan);
    violation_free(&v);
    fixture_close(&f);
}

/* main creates 1 and 2, who read Z and create one thread each, which fails. */
static fixture open_nested(void) {
    static const char *const cells[] = {"x", "z"};
    maker k = maker_create(cells, 2);
    begin_function(&k, "leaf", FUNCTION_THREAD);
    put_assert(&k, put_compare(&k, ARITH_NE, put_load(&k, X), 0));
    end_function(&k);
    begin_function(&k, "middle", FUNCTION_THREAD);
    put_load(&k, Z);
    put_create(&k, 0);
    end_function(&k);
    begin_main(&k);
    put_create(&k, 1);
    put_create(&k, 1);
    end_function(&k);
    return open_maker(&k);
}

/* Number 3 was met first as what 2 creates, and here is born behind number 4. */
static void causes_of_who_is_born_late(void **unused) {
    (void)unused;
    fixture f = open_nested();
    player p = player_begin(f.m, &plain);
    assert_true(player_go_on(&p, (transition){.thread = 0}) && player_go_on(&p, (transition){.thread = 2}));
    player_end(&p);
    violation v = violate(&f, VIOLATION_CHECK, "0 1 2 3");
    shrink_budget most = plenty();
    shrinker k = {.m = f.m, .v = &v, .most = &most, .until = most.steps, .kernel = program_kernel(f.p)};
    transitions schedule = {0}, plan = {0};
    for (size_t i = 0; i < v.path.size; i++) vec_push(&schedule, v.path.data[i].by);
    execution e, again;
    assert_true(execution_follow(&k, NULL, 0, &schedule, shrink_cost_of(&v.path), &e));
    causes_plan(&k, &e, true, &plan);
    assert_int_equal(plan.size, 3);
    assert_int_equal(plan.data[1].thread, 2);
    assert_true(execution_follow(&k, NULL, 0, &plan, e.cost, &again));
    execution_free(&k, &again);
    execution_free(&k, &e);
    vec_free(&schedule);
    vec_free(&plan);
    violation_free(&v);
    fixture_close(&f);
}

/* A round that is left out takes its inputs along: what the fourth round drew is then drawn by the first. */
static void rounds_go_with_their_inputs(void **unused) {
    (void)unused;
    fixture f = fixture_open("thread A { while (true) { int i = ?(int); assert i != 9; wait_time 1; } }\n"
                             "main { start; }\n");
    violation v = violate(&f, VIOLATION_CHECK, "0 1 N 1 N 1 N 1");
    input_list inputs = {0};
    shrink_cost cost = reduce(&f, &v, &inputs);
    assert_int_equal(cost.steps, 2);
    assert_int_equal(inputs.size, 1);
    assert_int_equal(inputs.data[0].number, 9);
    assert_int_equal((uint32_t)inputs.data[0].symbol->value, 0); /* the first of its thread */
    vec_free(&inputs);
    violation_free(&v);
    fixture_close(&f);
}

/* b waits until a has stored: a's step cannot go, however little its value matters. */
static void what_enables_others_stays(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x", "z"};
    maker k = maker_create(cells, 2);
    begin_function(&k, "a", FUNCTION_THREAD);
    put_store(&k, Z, operand_const(32, 7));
    put_store(&k, X, operand_const(32, 1));
    end_function(&k);
    begin_function(&k, "b", FUNCTION_THREAD);
    put_await(&k, X, ARITH_EQ, 1);
    put_sync(&k, SYNC_ATOMIC_END);
    put_assert(&k, put_compare(&k, ARITH_EQ, put_load(&k, Z), 0));
    end_function(&k);
    begin_main(&k);
    put_create(&k, 0);
    put_create(&k, 1);
    put_store(&k, Z, operand_const(32, 5));
    end_function(&k);
    fixture f = open_maker(&k);
    violation v = violate(&f, VIOLATION_CHECK, "0 1 0 1 2 2");
    shrunk s = shrink(&f, &v);
    assert_int_equal(steps_of(&v, 1), 2);
    assert_int_equal(steps_of(&v, 0), 1);
    assert_int_equal(s.after.steps, 5);
    assert_int_equal(s.after.switches, 2);
    shrunk_free(&s);
    violation_free(&v);
    fixture_close(&f);
}

static void nothing_changes_without_budget(void **unused) {
    (void)unused;
    fixture f = open_noisy();
    violation v = violate(&f, VIOLATION_CHECK, noisy);
    shrink_budget none = {.steps = 0};
    shrunk s;
    shrink_violation(f.m, &v, &plain, &none, &s);
    assert_int_equal(v.path.size, 8);
    assert_int_equal(s.after.switches, s.before.switches);
    assert_true(v.confirmed);
    assert_true(violation_replays_with(f.m, &v, &plain, v.inputs));
    shrunk_free(&s);
    violation_free(&v);
    fixture_close(&f);
}

/* --- what matters --------------------------------------------------------------------------------------- */

/* Two threads read x and then write one more: an update is lost only if one is interrupted in between. */
static void the_switch_between_read_and_write(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    static const char *const names[] = {"a", "b"};
    for (int t = 0; t < 2; t++) {
        begin_function(&k, names[t], FUNCTION_THREAD);
        uint32_t old = put_load(&k, X), new = new_register(&k, 32);
        instruction *i = put(&k, INSTR_ARITH);
        i->arith = ARITH_ADD;
        i->dst = new;
        i->a = operand_register(old, 32);
        i->b = operand_const(32, 1);
        put_store(&k, X, operand_register(new, 32));
        end_function(&k);
    }
    begin_main(&k);
    uint32_t a = put_create(&k, 0), b = put_create(&k, 1);
    put_join(&k, a);
    put_join(&k, b);
    put_assert(&k, put_compare(&k, ARITH_EQ, put_load(&k, X), 2));
    end_function(&k);
    fixture f = open_maker(&k);
    violation v = violate(&f, VIOLATION_CHECK, "0 1 2 1 2 0 0 0");
    shrunk s = shrink(&f, &v);
    assert_int_equal(s.after.switches, 4); /* main, one, the other, one, main */
    size_t necessary = 0;
    for (size_t i = 0; i < s.switches.size; i++)
        if (s.switches.data[i] == SWITCH_NECESSARY) {
            necessary++;
            assert_int_equal(i, 2); /* after main's step and the read */
        }
    assert_int_equal(necessary, 1);
    assert_int_equal(vec_last(&s.switches), SWITCH_NONE);
    shrunk_free(&s);
    violation_free(&v);
    fixture_close(&f);
}

/* Processes of one delta cycle: only their order can matter. */
static void the_order_of_processes(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = 0; int z = 0;\n"
                             "thread A { x = 1; }\nthread B { z = 1; }\nthread C { assert x == 0; }\n"
                             "main { start; }\n");
    violation v = violate(&f, VIOLATION_CHECK, "0 2 1 3");
    shrunk s = shrink(&f, &v);
    assert_int_equal(s.after.steps, 3); /* B need not come first */
    assert_int_equal(steps_of(&v, 2), 0);
    assert_int_equal(vec_last(&s.switches), SWITCH_NECESSARY);
    shrunk_free(&s);
    violation_free(&v);
    fixture_close(&f);
}

typedef struct expected_order {
    const char *source, *walk;
    size_t necessary; /* of those that follow each other */
    const char *orders;
} expected_order;

/* Whoever was ready and came much later, or never: which order decides, and where no single one does. */
static void orders_of_processes_that_do_not_follow_each_other(void **unused) {
    (void)unused;
    static const expected_order list[] = {
        /* the check comes first, and B never */
        {"int x = 0; thread A { assert x == 1; } thread B { x = 1; } main { start; }", "0 1", 0, "1<2 "},
        /* B is ready only when C has woken it, and A must have come by then */
        {"int x = 0; event e; thread A { x = 1; } thread B { wait e; assert x == 0; }"
         "thread C { notify e; } main { start; }",
         "0 2 1 3 2", 0, "1<3 2<2 "},
        /* both would have to come earlier */
        {"int x = 0; int y = 0; thread A { assert x == 1 && y == 1; } thread B { x = 1; }"
         "thread C { y = 1; } main { start; }",
         "0 1", 0, ""},
        /* B is suspended before it has run, and comes in a later delta cycle */
        {"int x = 0; event e; thread A { suspend B; wait_time 1; notify e; wait_time 4; resume B; }"
         "thread B { wait e; x = 1; } main { start; assert x == 1; }",
         "0 1 N 1 N 1 N 2 N 0", 0, "1<2 "},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fixture f = fixture_open(list[i].source);
        violation v = violate(&f, VIOLATION_CHECK, list[i].walk);
        shrunk s = shrink(&f, &v);
        text said = {0};
        for (size_t k = 0; k < s.orders.size; k++)
            text_format(&said, "%zu<%u ", s.orders.data[k].step, s.orders.data[k].thread);
        size_t necessary = 0;
        for (size_t k = 0; k < s.switches.size; k++) necessary += s.switches.data[k] == SWITCH_NECESSARY;
        assert_string_equal(text_cstr(&said), list[i].orders);
        assert_int_equal(necessary, list[i].necessary);
        assert_true(s.orders_known);
        assert_true(s.orders_tried > 0);
        text_free(&said);
        shrunk_free(&s);
        violation_free(&v);
        fixture_close(&f);
    }
}

/* --- inputs --------------------------------------------------------------------------------------------- */

typedef struct expected_need {
    const char *condition; /* asserted of x and y */
    int64_t x, y;
    need_kind kind; /* of x */
    int64_t low, high;
} expected_need;

static int64_t value_of(const violation *v, const input_need *n) {
    uint64_t number;
    valuation_get(v->inputs, n->symbol, &number);
    return term_signed(n->symbol->width, number);
}

static void small_inputs(void **unused) {
    (void)unused;
    static const expected_need list[] = {
        {"x < 100 || x > 200", 100, 0, NEED_RANGE, 100, 200},
        {"x > 0 - 5", -5, 0, NEED_RANGE, INT32_MIN, -5},
        {"x < 1000000000", 1000000000, 0, NEED_RANGE, 1000000000, INT32_MAX},
        {"x == 7", 0, 0, NEED_NOT, 7, 7},
        {"x != 0 - 3", -3, 0, NEED_RANGE, -3, -3},
        {"x * x != 49", 7, 0, NEED_AMONG, 0, 0},
        {"x <= y || y <= 3", 5, 4, NEED_RANGE, 5, INT32_MAX},
        {"x == 0 && x == 1", 0, 0, NEED_NOTHING, 0, 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char source[400];
        snprintf(source, sizeof source,
                 "int z = 0;\nthread A { int x = ?(int); int y = ?(int); z = x + y; assert %s; }\n"
                 "main { start; }\n",
                 list[i].condition);
        fixture f = fixture_open(source);
        violation v = violate(&f, VIOLATION_CHECK, "0 1");
        shrunk s = shrink(&f, &v);
        assert_true(s.needs_known);
        if (list[i].kind == NEED_NOTHING) {
            for (size_t k = 0; k < s.needs.size; k++) assert_int_equal(s.needs.data[k].kind, NEED_NOTHING);
        } else {
            const input_need *x = &s.needs.data[0];
            assert_int_equal(value_of(&v, x), list[i].x);
            assert_true(x->smallest);
            assert_int_equal(x->kind, list[i].kind);
            if (x->kind != NEED_AMONG) {
                assert_int_equal(term_signed(32, x->low), list[i].low);
                assert_int_equal(term_signed(32, x->high), list[i].high);
            }
            assert_int_equal(s.needs.size, list[i].y ? 2 : 1); /* y is in no condition: any value */
            if (list[i].y) assert_int_equal(value_of(&v, &s.needs.data[1]), list[i].y);
        }
        shrunk_free(&s);
        violation_free(&v);
        fixture_close(&f);
    }
}

/* --- random programs ------------------------------------------------------------------------------------ */

static void random_access(maker *k, uint64_t *seed, const shape *s, uint32_t *local) {
    uint32_t to = random_cell(seed), number = random_below(seed, 3);
    switch (random_below(seed, s->inputs ? 7 : 6)) {
    case 0: put_store(k, to, operand_const(32, number)); break;
    case 1: *local = put_load(k, to); break;
    case 2: put_add(k, to, 1); break;
    case 3: put_assert(k, put_compare(k, ARITH_NE, put_load(k, to), number + 1)); break;
    case 4: put_store(k, to, *local == NO_INDEX ? operand_const(32, 2) : operand_register(*local, 32)); break;
    case 5: put_compare_and_swap(k, to, number, number + 1); break;
    default: *local = put_input(k); break;
    }
}

/* What a depth-first search finds becomes what trying all schedules of at most as many steps says. */
static void as_every_schedule_says(void **unused) {
    (void)unused;
    unsigned violated = 0, smaller = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
        shape s = {.threads = 2 + seed % 2, .statements = 3, .locks = seed % 4 == 0, .inputs = seed % 3 == 0};
        maker k = random_threads(&random, &s, random_access);
        fixture f = open_maker(&k);
        explore_options o = explore_default_options();
        o.por = POR_NONE;
        o.properties = PROPERTY_ASSERT | PROPERTY_DEADLOCK;
        outcome out = {0};
        search_run(f.m, &o, &out);
        if (out.violations.size && out.violations.data[0].path.size <= 10) {
            violation *v = &out.violations.data[0];
            step_options how = {.stops = out.stops};
            size_t found = v->path.size;
            shrink_cost best = cheapest(&f, v, found), before = shrink_cost_of(&v->path);
            shrunk to;
            shrink_budget most = plenty();
            shrink_violation(f.m, v, &how, &most, &to);
            violated++;
            smaller += costs_less(to.after, before);
            assert_true(v->confirmed && costs_at_most(to.after, before));
            if (to.after.switches != best.switches || to.after.steps != best.steps)
                fail_msg("seed %lu: %zu switches and %zu steps instead of %zu and %zu", (unsigned long)seed,
                         to.after.switches, to.after.steps, best.switches, best.steps);
            shrunk_free(&to);
        }
        outcome_free(&out);
        fixture_close(&f);
    }
    assert_true(violated > 60 && smaller > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_looks_at_goes),
        cmocka_unit_test(delta_debugging_alone),
        cmocka_unit_test(causes_come_first),
        cmocka_unit_test(causes_of_who_is_born_late),
        cmocka_unit_test(rounds_go_with_their_inputs),
        cmocka_unit_test(what_enables_others_stays),
        cmocka_unit_test(nothing_changes_without_budget),
        cmocka_unit_test(the_switch_between_read_and_write),
        cmocka_unit_test(the_order_of_processes),
        cmocka_unit_test(orders_of_processes_that_do_not_follow_each_other),
        cmocka_unit_test(small_inputs),
        cmocka_unit_test(as_every_schedule_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
