/* Kernels of which a thread has two transitions: explorers that leave some executions out find what is found
 * without them, and what is found is followed again by everybody.
 *
 * No kernel of the project has such threads. Here the rules are those of the project, but a thread of which a
 * register holds the number COIN may go on with COIN + 1 in its place. */
// clang-format off
#include "thread_programs.h"
#include "random_programs.h"
#include "random_threads.h"
// clang-format on

#include "lazypor/lazypor.h"
#include "machine/kernel.h"
#include "report/trace/trace.h"
#include "sampling/sampling.h"
#include "shrink/shrink.h"

enum { COIN = 5 };

/* --- the rules ------------------------------------------------------------------------------------------ */

static bool is_coin(value v) {
    return v.bits && !v.base && term_is_const(v.bits) && v.bits->width == 32 && v.bits->value == COIN;
}

static bool has_coin(const thread_part *t) {
    bool some = false;
    for (uint32_t k = 0; k < t->value_count; k++) some |= is_coin(t->values[k]);
    return some;
}

static void turn_coins(run *r, context *c, uint32_t thread) {
    thread_part *t = state_own_thread(c->s, thread);
    for (uint32_t k = 0; k < t->value_count; k++)
        if (is_coin(t->values[k])) t->values[k].bits = term_const(r->m->terms, 32, COIN + 1);
}

static uint32_t count_choices(const machine *m, const state *s, uint32_t thread, const kernel *rules) {
    bool begins = thread < s->thread_count && s->scheduler->running == NO_INDEX;
    return begins && has_coin(s->threads[thread]) ? 2 : rules->choices(m, s, thread);
}

static uint32_t preemptive_choices(const machine *m, const state *s, uint32_t thread) {
    return count_choices(m, s, thread, &preemptive_kernel);
}

static uint32_t systemc_choices(const machine *m, const state *s, uint32_t thread) {
    return count_choices(m, s, thread, &systemc_kernel);
}

static void begin_preemptive(run *r, context *c, transition t) {
    if (t.choice) turn_coins(r, c, t.thread);
    preemptive_kernel.begin_step(r, c, t);
}

static void begin_systemc(run *r, context *c, transition t) {
    bool turns = t.choice && t.thread != MACHINE_KERNEL;
    if (turns) turn_coins(r, c, t.thread);
    systemc_kernel.begin_step(r, c, turns ? (transition){t.thread, 0} : t);
}

static kernel preemptive_coins, systemc_coins;

static int make_kernels(void **unused) {
    (void)unused;
    preemptive_coins = preemptive_kernel;
    preemptive_coins.choices = preemptive_choices;
    preemptive_coins.begin_step = begin_preemptive;
    systemc_coins = systemc_kernel;
    systemc_coins.choices = systemc_choices;
    systemc_coins.begin_step = begin_systemc;
    return 0;
}

static fixture open_threads(program *p) {
    machine_options options = machine_default_options();
    options.checks_cut = true;
    fixture f = fixture_of_program(p, &options, 0);
    f.m->kernel = &preemptive_coins;
    return f;
}

static fixture open_processes(const char *source) {
    machine_options options = machine_default_options();
    options.checks_cut = true;
    fixture f = fixture_open_with(source, &options);
    f.m->kernel = &systemc_coins;
    return f;
}

/* --- programs ------------------------------------------------------------------------------------------- */

static uint32_t put_coin(maker *k) {
    uint32_t r = new_register(k, 32);
    instruction *i = put(k, INSTR_ARITH);
    i->arith = ARITH_ADD;
    i->dst = r;
    i->a = operand_const(32, COIN);
    i->b = operand_const(32, 0);
    return r;
}

static void put_statement(maker *k, uint64_t *seed, const shape *s, uint32_t *local) {
    (void)s, (void)local;
    uint32_t cell = random_cell(seed);
    switch (random_below(seed, 3)) {
    case 0: put_store(k, cell, operand_register(put_coin(k), 32)); break;
    case 1: put_add(k, cell, 1); break;
    default: put_assert(k, put_compare(k, ARITH_NE, put_load(k, cell), COIN + random_below(seed, 3))); break;
    }
}

static program *random_coins(uint64_t *seed, unsigned number) {
    shape s = {
        .threads = 2 + number % 2, .statements = 3 - number % 2, .locks = number % 3 == 0, .joins = true};
    return random_threads(seed, &s, put_statement).p;
}

/* --- what is found -------------------------------------------------------------------------------------- */

static uint64_t checks_of(const outcome *out) {
    uint64_t checks = 0;
    for (size_t i = 0; i < out->violations.size; i++) {
        assert_true(out->violations.data[i].confirmed && out->violations.data[i].check < 64);
        checks |= UINT64_C(1) << out->violations.data[i].check;
    }
    return checks;
}

static explore_options all_with(por_kind por) {
    explore_options o = explore_default_options();
    o.por = por;
    o.all = true;
    return o;
}

static uint64_t found_by(const explorer *e, const fixture *f, const explore_options *how) {
    outcome out = {0};
    e->run(f->m, how, &out);
    if (!out.complete) fail_msg("%s with reduction %d does not end", e->name, how->por);
    uint64_t checks = checks_of(&out);
    outcome_free(&out);
    return checks;
}

typedef struct way { /* to explore */
    const explorer *e;
    por_kind por;
} way;

/* Returns what is violated. */
static uint64_t compare(const fixture *f, const way *ways, size_t count, const char *what) {
    explore_options plain = all_with(POR_NONE);
    uint64_t expected = found_by(&explorer_search, f, &plain);
    for (size_t k = 0; k < count; k++) {
        explore_options how = all_with(ways[k].por);
        uint64_t found = found_by(ways[k].e, f, &how);
        if (found != expected)
            fail_msg("%s with reduction %d: %llx instead of %llx of\n%s", ways[k].e->name, ways[k].por,
                     (unsigned long long)found, (unsigned long long)expected, what);
    }
    return expected;
}

static void reductions_of_threads_leave_no_choice_out(void **unused) {
    (void)unused;
    static const way ways[] = {{&explorer_search, POR_AMPLE},
                               {&explorer_dpor, POR_PERSISTENT},
                               {&explorer_dpor, POR_SOURCE},
                               {&explorer_dpor, POR_OPTIMAL},
                               {&explorer_lazypor, POR_AUTO}};
    uint64_t seed = 3;
    unsigned unsafe = 0;
    for (unsigned i = 0; i < 50; i++) {
        fixture f = open_threads(random_coins(&seed, i));
        text what = {0};
        program_print(f.p, &what);
        unsafe += compare(&f, ways, sizeof ways / sizeof *ways, text_cstr(&what)) != 0;
        text_free(&what);
        fixture_close(&f);
    }
    assert_true(unsafe > 15);
}

static int random_coin_statement(uint64_t *seed, char *out, size_t size) {
    static const char *const variables = "xyz";
    char v = variables[random_below(seed, 3)], w = variables[random_below(seed, 3)];
    unsigned number = random_below(seed, 3);
    switch (random_below(seed, 8)) {
    case 0:
    case 1: return snprintf(out, size, "%c = k; ", v);
    case 2: return snprintf(out, size, "%c = %c; ", v, w);
    case 3: return snprintf(out, size, "notify e%u; ", number);
    case 4: return snprintf(out, size, "wait e%u; ", number);
    case 5: return snprintf(out, size, "wait_time 0; k = %u; ", number ? (unsigned)COIN : 0);
    default: return snprintf(out, size, "assert(%c != %u); ", v, COIN + number);
    }
}

static void random_processes(uint64_t *seed, unsigned threads, char *out, size_t size) {
    int used = snprintf(out, size, "int x, y = 1, z = 2; event e0, e1, e2;\n");
    for (unsigned t = 0; t < threads; t++) {
        used +=
            snprintf(out + used, size - (size_t)used, "thread %c{int k = %d; wait_time 0; ", 'A' + t, COIN);
        for (unsigned count = 1 + random_below(seed, 4); count; count--)
            used += random_coin_statement(seed, out + used, size - (size_t)used);
        used += snprintf(out + used, size - (size_t)used, "y += k; }\n");
    }
    snprintf(out + used, size - (size_t)used, "main{start 3;}\n");
}

static void reductions_of_processes_leave_no_choice_out(void **unused) {
    (void)unused;
    static const way ways[] = {{&explorer_search, POR_CT},       {&explorer_search, POR_STUB},
                               {&explorer_search, POR_STUB_MIN}, {&explorer_search, POR_DPOR},
                               {&explorer_search, POR_DPOR_HBR}, {&explorer_search, POR_DPOR_STUB}};
    uint64_t seed = 8;
    unsigned unsafe = 0;
    for (unsigned i = 0; i < 80; i++) {
        char source[2048];
        random_processes(&seed, 2 + i % 2, source, sizeof source);
        fixture f = open_processes(source);
        unsafe += compare(&f, ways, sizeof ways / sizeof *ways, source) != 0;
        fixture_close(&f);
    }
    assert_true(unsafe > 20);
}

/* --- what is found is followed -------------------------------------------------------------------------- */

static const step_options plain = {0};

static violation find(const explorer *e, const fixture *f, const explore_options *how) {
    outcome out = {0};
    e->run(f->m, how, &out);
    assert_int_equal(out.violations.size, 1);
    violation v = out.violations.data[0];
    out.violations.size = 0;
    outcome_free(&out);
    assert_true(v.confirmed);
    return v;
}

static void violation_free(violation *v) {
    vec_free(&v->path);
    valuation_destroy(v->inputs);
}

static unsigned coins_on(const path *steps) {
    unsigned coins = 0;
    for (size_t i = 0; i < steps->size; i++)
        coins += steps->data[i].by.thread != MACHINE_KERNEL && steps->data[i].by.choice == 1;
    return coins;
}

/* Shrinks it, and tells it. Returns how many inputs the step drew in which the coin was turned. */
static size_t inputs_behind_coin(const fixture *f, violation *v) {
    shrunk s;
    shrink_violation(f->m, v, &plain, &(shrink_budget){.steps = 100000}, &s);
    assert_true(v->confirmed && violation_replays_with(f->m, v, &plain, v->inputs));
    assert_int_equal(coins_on(&v->path), 1);
    trace t = {0};
    trace_request wanted = {.path = &v->path,
                            .inputs = v->inputs,
                            .end = ENDS_IN_CHECK,
                            .violated = *machine_check(f->m, v->check),
                            .shrunk = &s};
    trace_build(f->m, &wanted, &t);
    assert_true(t.followed);
    size_t inputs = 0, coins = 0;
    for (size_t i = 0; i < t.steps.size; i++) {
        if (t.steps.data[i].id == MACHINE_KERNEL || t.steps.data[i].choice != 1) continue;
        coins++;
        inputs += t.steps.data[i].inputs.size;
    }
    assert_int_equal(coins, 1);
    trace_free(&t);
    shrunk_free(&s);
    return inputs;
}

/* Fails only if the coin is turned, and the input is 7. */
static program *needs_coin(void) {
    maker k = maker_create(cell_names, CELLS);
    begin_function(&k, "a", FUNCTION_THREAD);
    uint32_t coin = put_coin(&k);
    put_store(&k, 0, operand_register(coin, 32));
    fork_in_code turned = begin_if(&k, put_compare(&k, ARITH_EQ, coin, COIN + 1));
    put_store(&k, 1, operand_register(put_input(&k), 32));
    end_if(&k, turned);
    end_function(&k);
    begin_main(&k);
    put_join(&k, put_create(&k, 0));
    put_assert(&k, put_compare(&k, ARITH_NE, put_load(&k, 1), 7));
    end_function(&k);
    return k.p;
}

static void threads_go_as_they_were_recorded(void **unused) {
    (void)unused;
    static const explorer *const finders[] = {&explorer_search, &explorer_sampling};
    for (size_t i = 0; i < sizeof finders / sizeof *finders; i++) {
        fixture f = open_threads(needs_coin());
        explore_options how = explore_default_options();
        how.max_transitions = 1000;
        violation v = find(finders[i], &f, &how);
        assert_int_equal(inputs_behind_coin(&f, &v), 1);
        violation_free(&v);
        fixture_close(&f);
    }
}

/* Fails if the coin was turned, however far the thread has gone on since. */
static program *goes_on_behind_coin(void) {
    maker k = maker_create(cell_names, CELLS);
    begin_function(&k, "a", FUNCTION_THREAD);
    put_store(&k, 0, operand_register(put_coin(&k), 32));
    put_add(&k, 1, 1);
    end_function(&k);
    begin_main(&k);
    put_create(&k, 0);
    put_assert(&k, put_compare(&k, ARITH_NE, put_load(&k, 0), COIN + 1));
    end_function(&k);
    return k.p;
}

/* Whether a thread can go on has nothing to do with how its last step went. */
static void a_switch_behind_a_choice_is_not_forced(void **unused) {
    (void)unused;
    fixture f = open_threads(goes_on_behind_coin());
    explore_options how = explore_default_options();
    violation v = find(&explorer_search, &f, &how);
    shrunk s;
    shrink_violation(f.m, &v, &plain, &(shrink_budget){.steps = 100000}, &s);
    assert_int_equal(coins_on(&v.path), 1);
    for (size_t i = 1; i < v.path.size; i++)
        if (v.path.data[i - 1].by.choice) assert_int_equal(s.switches.data[i], SWITCH_FREE);
    shrunk_free(&s);
    violation_free(&v);
    fixture_close(&f);
}

static void processes_go_as_they_were_recorded(void **unused) {
    (void)unused;
    fixture f =
        open_processes("int x, y; event e;"
                       "thread A {int k = 5; wait_time 0; x = k; if (k == 6) y = ?(int); notify e, 1;}"
                       "thread B {wait e; assert(y != 7);} thread C {wait_time 0; x += 1;}"
                       "main {start;}");
    explore_options how = explore_default_options();
    violation v = find(&explorer_search, &f, &how);
    assert_int_equal(inputs_behind_coin(&f, &v), 1);
    violation_free(&v);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_of_threads_leave_no_choice_out),
        cmocka_unit_test(reductions_of_processes_leave_no_choice_out),
        cmocka_unit_test(threads_go_as_they_were_recorded),
        cmocka_unit_test(a_switch_behind_a_choice_is_not_forced),
        cmocka_unit_test(processes_go_as_they_were_recorded),
    };
    return cmocka_run_group_tests(tests, make_kernels, NULL);
}
