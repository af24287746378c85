/* The template of docs/own-engine.md: its verdicts are those of engine search, on models and on random
 * programs, its counterexamples are as short as those of a breadth-first search, and an engine that forgets
 * something is found out. */
#include "mine.c"

#include "machine/setup.h"
#include "model_files.h"
#include "random_programs.h"
#include "thread_programs.h"

static outcome explored_by(const explorer *e, const fixture *f, const explore_options *o) {
    outcome out = {0};
    e->run(f->m, o, &out);
    return out;
}

static explore_options breadth_first(void) {
    explore_options o = exploring(POR_NONE, MATCH_CEQ);
    o.order = ORDER_BFS;
    return o;
}

/* --- on models ------------------------------------------------------------------------------------------ */

static unsigned decided, undecided;

static void compare_with_search(const char *name, const char *source) {
    fixture f = fixture_open_hurried(source, NULL);
    explore_options o = breadth_first();
    o.max_transitions = 1500;
    outcome own = explored_by(&explorer_mine, &f, &o), theirs = explored_by(&explorer_search, &f, &o);
    verdict a = outcome_verdict(&own), b = outcome_verdict(&theirs);
    if (a != b && a != VERDICT_UNKNOWN && b != VERDICT_UNKNOWN) fail_msg("another verdict of %s", name);
    if (a == VERDICT_UNSAFE && b == VERDICT_UNSAFE)
        assert_int_equal(own.violations.data[0].path.size, theirs.violations.data[0].path.size);
    if (a == VERDICT_UNKNOWN) assert_true(own.doubts.size > 0);
    decided += a != VERDICT_UNKNOWN;
    undecided += a == VERDICT_UNKNOWN;
    outcome_free(&own);
    outcome_free(&theirs);
    fixture_close(&f);
}

static void models_have_the_verdicts_of_search(void **unused) {
    (void)unused;
    each_model(compare_with_search);
    assert_true(decided > 20 && undecided > 5);
}

/* --- on random programs --------------------------------------------------------------------------------- */

/* Bit i: check i is violated; false: not all was explored. */
static bool violated_checks(const explorer *e, const fixture *f, uint64_t *out) {
    explore_options o = breadth_first();
    o.all = true;
    o.max_transitions = 3000;
    outcome found = explored_by(e, f, &o);
    *out = 0;
    for (size_t i = 0; i < found.violations.size; i++) *out |= UINT64_C(1) << found.violations.data[i].check;
    bool complete = found.complete;
    outcome_free(&found);
    return complete;
}

static fixture random_fixture(uint64_t *seed, int i, char source[2048]) {
    random_shape shape = {.threads = 2 + i % 3,
                          .statements = 5,
                          .loops_per_cent = 30,
                          .assertions = true,
                          .suspensions = i % 3 == 0,
                          .inputs = i % 4 == 0};
    random_program(seed, &shape, source, 2048);
    machine_options how = machine_default_options();
    how.checks_cut = true;
    return fixture_open_with(source, &how);
}

static unsigned count_disagreements(const explorer *e, unsigned *safe, unsigned *unsafe) {
    uint64_t seed = 31;
    unsigned wrong = 0;
    for (int i = 0; i < 400; i++) {
        char source[2048];
        fixture f = random_fixture(&seed, i, source);
        uint64_t expected, found;
        bool known = violated_checks(&explorer_search, &f, &expected) && violated_checks(e, &f, &found);
        wrong += known && found != expected;
        *safe += known && !expected;
        *unsafe += known && expected != 0;
        fixture_close(&f);
    }
    return wrong;
}

static void violations_of_random_programs_are_all_found(void **unused) {
    (void)unused;
    unsigned safe = 0, unsafe = 0;
    assert_int_equal(count_disagreements(&explorer_mine, &safe, &unsafe), 0);
    assert_true(safe > 20 && unsafe > 20);
}

/* Wrong: of several enabled steps only the first is made. */
static void run_lazily(machine *m, const explore_options *how, outcome *out) {
    mine x = {.machine = m, .options = *how, .out = out};
    if (!explorer_settle(&explorer_mine, m, &x.options, out)) return;
    begin(&x);
    state *first = machine_initial(m, 0);
    add_state(&x, first, 0);
    state_release(m, first);
    for (; x.turn < x.queue.size && !x.judge.stop; x.turn++) {
        machine_enabled(m, x.queue.data[x.turn].s, &x.enabled);
        if (x.enabled.size) make_step(&x, x.enabled.data[0]);
    }
    out->complete = true;
    end(&x);
}

static void an_engine_that_leaves_steps_out_is_found_out(void **unused) {
    (void)unused;
    explorer wrong = explorer_mine;
    wrong.run = run_lazily;
    unsigned safe = 0, unsafe = 0;
    assert_true(count_disagreements(&wrong, &safe, &unsafe) > 5);
}

/* --- preemptive programs -------------------------------------------------------------------------------- */

/* Two threads that each add to one cell without a lock, and one that looks at the sum. */
static void preemptive_programs_have_all_their_states(void **unused) {
    (void)unused;
    static const char *const cells[] = {"x", "y"}, *const names[] = {"a", "b"};
    maker k = maker_create(cells, 2);
    for (uint32_t t = 0; t < 2; t++) {
        begin_function(&k, names[t], FUNCTION_THREAD);
        put_store(&k, 0, operand_const(32, t));
        put_store(&k, 1, operand_const(32, t));
        end_function(&k);
    }
    begin_main(&k);
    put_create(&k, 0);
    put_create(&k, 1);
    end_function(&k);
    fixture f = fixture_of_program(k.p, NULL, 0);
    explore_options o = breadth_first();
    outcome own = explored_by(&explorer_mine, &f, &o), theirs = explored_by(&explorer_search, &f, &o);
    assert_int_equal(outcome_verdict(&own), VERDICT_SAFE);
    assert_int_equal(own.stats.transitions, theirs.stats.transitions);
    outcome_free(&own);
    outcome_free(&theirs);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_have_the_verdicts_of_search),
        cmocka_unit_test(violations_of_random_programs_are_all_found),
        cmocka_unit_test(an_engine_that_leaves_steps_out_is_found_out),
        cmocka_unit_test(preemptive_programs_have_all_their_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
