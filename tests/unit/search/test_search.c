/* The explorer: step traces and state counts of the document, limits, outcomes, determinism. */
#include "machine/seen.h"
#include "machine/setup.h"
#include "model_files.h"

/* --- recording ------------------------------------------------------------------------------------------ */

typedef struct record {
    const fixture *f;
    /* Names of the threads in the order of execution; N, M; "!" after a violation, "-" after
     * a failed assumption. */
    text steps;
    uint64_t states; /* successors that are states of their own */
} record;

static void note_step(void *data, const state *from, transition by, const successor *to) {
    (void)from;
    record *r = data;
    const char *name = by.thread == MACHINE_KERNEL ? "N"
                       : by.thread == 0            ? "M"
                                                   : r->f->p->threads.data[by.thread].name;
    text_format(&r->steps, "%s%s", name,
                to->end == STEP_VIOLATION      ? "!"
                : to->end == STEP_ASSUMED_AWAY ? "-"
                                               : "");
    r->states += to->end == STEP_STOPPED || to->end == STEP_FINISHED;
}

static outcome search_recorded(const fixture *f, explore_options o, record *r) {
    *r = (record){.f = f};
    o.observe = note_step;
    o.observe_data = r;
    return search_fixture(f, &o);
}

/* --- the document's examples ---------------------------------------------------------------------------- */

/* Listing 2.3: the states s0 .. s14. Ten of them are scheduling points, which are stored; the others are s0
 * before the start, s6 and s13 after the simulation, s7 and s14 at the end. */
static void listing_2_3_has_15_states(void **unused) {
    (void)unused;
    fixture f = fixture_open(listing("2.3"));
    record r;
    outcome out = search_recorded(&f, exploring(POR_NONE, MATCH_CEQ), &r);
    assert_int_equal(1 + r.states, 15);
    assert_int_equal(out.stats.transitions, 14);
    assert_int_equal(out.stats.states, 10);
    assert_int_equal(out.stats.matched, 0);
    assert_string_equal(text_cstr(&r.steps), "MABNBNM"
                                             "BANBANM");
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
    text_free(&r.steps);
    outcome_free(&out);
    fixture_close(&f);
}

/* Table 2.1: dynamic reduction on Listing 2.8. A B C; back to s0, where B and C are to be tried; B A C; back
 * to s4; C fails. The scheduler's and main's last steps, which the document leaves out, stand between. */
static void table_2_1(void **unused) {
    (void)unused;
    fixture f = fixture_open(listing("2.8"));
    record r;
    outcome out = search_recorded(&f, exploring(POR_DPOR, MATCH_NONE), &r);
    assert_string_equal(text_cstr(&r.steps), "M"
                                             "ABC"
                                             "NM"
                                             "BAC"
                                             "NM"
                                             "C!");
    assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
    assert_int_equal(out.violations.size, 1);
    assert_int_equal(out.violations.data[0].path.size, 3); /* main, B, C */
    assert_true(out.violations.data[0].confirmed);
    text_free(&r.steps);
    outcome_free(&out);
    fixture_close(&f);
}

/* Figure 6.2: s0 .. s6, of which s6 is s4 up to the name of the token. */
static void figure_6_2(void **unused) {
    (void)unused;
    fixture f = fixture_open(listing("6.6"));
    record r;
    outcome out = search_recorded(&f, exploring(POR_NONE, MATCH_ESM), &r);
    assert_string_equal(text_cstr(&r.steps), "M"
                                             "mastertransmit"
                                             "NM"
                                             "transmitmastertransmitmaster");
    assert_int_equal(out.stats.states, 6);
    assert_int_equal(out.stats.matched, 1);
    assert_int_equal(out.stats.transitions, 9);
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
    text_free(&r.steps);
    outcome_free(&out);
    fixture_close(&f);
}

/* The error traces that the listings are there for. */
static void error_traces_of_the_listings(void **unused) {
    (void)unused;
    static const struct {
        const char *name, *trace;
    } cases[] = {{"2.6", "MDBDA!"}, {"2.7", "MDCDBD!"}, {"2.8", "MBC!"}, {"4.2", "MABCNABCNCA!"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f = fixture_open(listing(cases[i].name));
        explore_options o = exploring(POR_NONE, MATCH_CEQ);
        o.order = ORDER_BFS; /* shortest */
        outcome out = search_fixture(&f, &o);
        assert_int_equal(out.violations.size, 1);
        text steps = {0};
        const path *p = &out.violations.data[0].path;
        for (size_t k = 0; k < p->size; k++) {
            uint32_t t = p->data[k].by.thread;
            text_add(&steps, t == MACHINE_KERNEL ? "N" : t == 0 ? "M" : f.p->threads.data[t].name);
        }
        text_char(&steps, '!');
        if (steps.size != strlen(cases[i].trace))
            fail_msg("%s: %s, not as short as %s", cases[i].name, text_cstr(&steps), cases[i].trace);
        text_free(&steps);
        outcome_free(&out);
        fixture_close(&f);
    }
}

/* --- outcomes ------------------------------------------------------------------------------------------- */

static void all_violations_are_found_on_request(void **unused) {
    (void)unused;
    const char *source = "int x = ?(int); thread A{assert(x != 1); assert(x != 2);} thread B{wait_time 1; "
                         "assert(x != 3); assert(x == x);}";
    for (int p = 0; p < POR_KINDS; p++)
        for (int all = 0; all < 2; all++) {
            explore_options o = exploring((por_kind)p, MATCH_AUTO);
            if (!search_can(&o)) continue;
            machine_options how = machine_default_options();
            how.checks_cut = all;
            fixture f = fixture_open_with(source, &how);
            o.all = all;
            outcome out = search_fixture(&f, &o);
            assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
            assert_int_equal(out.violations.size, all ? 3 : 1);
            assert_int_equal(out.complete, all);
            for (size_t i = 0; i < out.violations.size; i++) {
                assert_true(out.violations.data[i].confirmed);
                for (size_t k = 0; k < i; k++)
                    assert_int_not_equal(out.violations.data[i].check, out.violations.data[k].check);
            }
            outcome_free(&out);
            fixture_close(&f);
        }
}

static void check_doubt(const char *source, const explore_options *o, const char *reason) {
    fixture f = fixture_open(source);
    outcome out = search_fixture(&f, o);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNKNOWN);
    bool found = false;
    for (size_t i = 0; i < out.doubts.size; i++)
        found |= !strcmp(reason_words(out.doubts.data[i].why), reason);
    if (!found) fail_msg("no doubt '%s'", reason);
    outcome_free(&out);
    fixture_close(&f);
}

static bool always(void *data) {
    (void)data;
    return true;
}

static void limits_make_the_verdict_unknown(void **unused) {
    (void)unused;
    const char *source = "int x; thread A{while (true){x += 1; wait_time 1;}} thread B{while "
                         "(true){wait_time 1; assert(x >= 0);}}";
    explore_options o = exploring(POR_STUB, MATCH_AUTO);
    o.max_transitions = 50;
    check_doubt(source, &o, "transition limit");
    o = exploring(POR_STUB, MATCH_AUTO);
    o.max_states = 20;
    check_doubt(source, &o, "state limit");
    o = exploring(POR_STUB, MATCH_AUTO);
    o.max_depth = 10;
    check_doubt(source, &o, "depth limit");
    o = exploring(POR_STUB, MATCH_AUTO);
    o.interrupted = always;
    check_doubt(source, &o, "interrupted");
    o = exploring(POR_STUB, MATCH_AUTO);
    o.bytes = 1;
    check_doubt(source, &o, "memory limit");
    o = exploring(POR_STUB, MATCH_AUTO);
    check_doubt("int x; thread A{while (true) x = 1;} thread B{assert(true);}", &o,
                "endless loop without a scheduling point");
    o.properties = PROPERTY_ASSERT;
    check_doubt("int x, y; thread A{y = 1 / x;} thread B{assert(y == 0); x = 0;}", &o,
                "path ended at a violation of a property that is not checked");
}

/* What lies behind a step that cannot be finished is lost, but not what others could do before it. */
static void a_limit_does_not_hide_errors_of_others(void **unused) {
    (void)unused;
    for (int p = 0; p < POR_KINDS; p++) {
        explore_options o = exploring((por_kind)p, MATCH_AUTO);
        if (!search_can(&o)) continue;
        assert_int_equal(verdict_of("int x; thread A{while (true) x = 1;} thread B{assert(false);}", &o),
                         VERDICT_UNSAFE);
    }
}

static void a_bounded_visited_set_costs_time_only(void **unused) {
    (void)unused;
    const char *source = "int x, y; thread A{for (int i = 0; i < 9; i += 1){x = i; wait_time 1;}} thread "
                         "B{for (int i = 0; i < 9; i += 1){y = x; wait_time 1;}}";
    explore_options o = exploring(POR_NONE, MATCH_CEQ);
    fixture f = fixture_open(source);
    outcome plain = search_fixture(&f, &o);
    o.visited_bytes = 6000;
    outcome bounded = search_fixture(&f, &o);
    assert_int_equal(outcome_verdict(&plain), VERDICT_SAFE);
    assert_int_equal(outcome_verdict(&bounded), VERDICT_SAFE);
    assert_int_equal(plain.stats.evicted, 0);
    assert_true(bounded.stats.evicted > 0);
    assert_true(bounded.stats.transitions >= plain.stats.transitions);
    outcome_free(&plain);
    outcome_free(&bounded);
    fixture_close(&f);
}

static void deadlocks_are_a_property(void **unused) {
    (void)unused;
    const char *source = "event e; thread A{wait e;} thread B{notify e;}"; /* B first: A waits for ever */
    for (int p = 0; p < POR_KINDS; p++)
        for (int m = 0; m < MATCH_KINDS; m++) {
            explore_options o = exploring((por_kind)p, (match_kind)m);
            if (!search_can(&o)) continue;
            assert_int_equal(verdict_of(source, &o), VERDICT_SAFE);
            o.properties = PROPERTY_DEADLOCK;
            assert_int_equal(verdict_of(source, &o), VERDICT_UNSAFE);
            assert_int_equal(verdict_of("event e; thread A{wait e, 3;} thread B{notify e;}", &o),
                             VERDICT_SAFE);
            /* an assertion that fails is absent while only deadlocks are asked about */
            assert_int_equal(verdict_of("event e; thread A{assert(false); wait e;} thread B{}", &o),
                             VERDICT_UNSAFE);
        }
}

static void confirmed_violations_carry_inputs(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = ?(int), y = ?(int); thread A{assume(x > 10); if (x * 2 == 44) assert(y "
                             "!= 7);} thread B{y += 1;}");
    explore_options o = exploring(POR_AUTO, MATCH_AUTO);
    outcome out = search_fixture(&f, &o);
    assert_int_equal(out.violations.size, 1);
    const violation *v = &out.violations.data[0];
    assert_true(v->confirmed);
    assert_non_null(v->inputs);
    state *s = machine_initial(f.m, 0); /* the inputs of main, in order */
    successors list = {0};
    step_options how = {0};
    machine_step(f.m, s, (transition){0, 0}, &how, &list);
    uint64_t x_value, y_value;
    assert_true(valuation_get(v->inputs, cell_term(&f, list.data[0].to, "x"), &x_value));
    assert_true(valuation_get(v->inputs, cell_term(&f, list.data[0].to, "y"), &y_value));
    assert_int_equal((uint32_t)(x_value * 2), 44);
    assert_int_equal(machine_check(f.m, v->check)->kind, CHECK_ASSERTION);
    successors_free(f.m, &list);
    state_release(f.m, s);
    outcome_free(&out);
    fixture_close(&f);
}

/* Vacuity is told from what the machine noted: which checks were ever executed. */
static void unreached_checks_are_known(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x; thread A{assert(x == 0); if (x > 0) assert(x > 1);} thread "
                             "B{assume(false); assert(x == 2);} thread C{x = 0;}");
    explore_options o = exploring(POR_AUTO, MATCH_AUTO);
    outcome out = search_fixture(&f, &o);
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
    unsigned reached = 0;
    for (uint32_t i = 0; i < machine_check_count(f.m); i++) reached += seen_reached(&out.seen, i);
    assert_int_equal(machine_check_count(f.m), 3);
    assert_int_equal(reached, 1);
    outcome_free(&out);
    fixture_close(&f);
}

static void results_are_deterministic(void **unused) {
    (void)unused;
    for (int i = 0; i < IVL_LISTING_COUNT; i++) {
        text steps[2] = {{0}, {0}};
        statistics stats[2];
        for (int k = 0; k < 2; k++) {
            fixture f = fixture_open_hurried(ivl_listings[i].source, NULL);
            record r;
            explore_options o = exploring(POR_DPOR_STUB, MATCH_AUTO);
            o.max_transitions = 500;
            outcome out = search_recorded(&f, o, &r);
            steps[k] = r.steps;
            stats[k] = out.stats;
            outcome_free(&out);
            fixture_close(&f);
        }
        assert_string_equal(text_cstr(&steps[0]), text_cstr(&steps[1]));
        assert_int_equal(stats[0].states, stats[1].states);
        assert_int_equal(stats[0].transitions, stats[1].transitions);
        assert_int_equal(stats[0].matched, stats[1].matched);
        assert_int_equal(stats[0].solver_queries, stats[1].solver_queries);
        text_free(&steps[0]);
        text_free(&steps[1]);
    }
}

static void breadth_first_finds_shortest(void **unused) {
    (void)unused;
    const char *source = "int x; thread A{while (true){wait_time 1; x += 1; assert(x < 9);}} thread "
                         "B{wait_time 2; assert(false);}";
    fixture f = fixture_open(source);
    explore_options o = exploring(POR_NONE, MATCH_CEQ);
    o.order = ORDER_BFS;
    outcome out = search_fixture(&f, &o);
    assert_int_equal(out.violations.size, 1);
    assert_int_equal(out.violations.data[0].path.size, 7); /* M, A and B, N, A, N, B */
    assert_true(out.violations.data[0].confirmed);
    outcome_free(&out);
    fixture_close(&f);
}

static void what_ran_is_named(void **unused) {
    (void)unused;
    fixture f = fixture_open("thread A{}");
    for (int p = 0; p < POR_KINDS; p++) {
        por_kind back;
        assert_true(por_from_name(por_name((por_kind)p), &back));
        assert_int_equal(back, p);
        explore_options o = exploring((por_kind)p, MATCH_ESM);
        if (!search_can(&o)) continue;
        outcome out = search_fixture(&f, &o);
        assert_string_equal(out.engine, "search");
        assert_string_equal(out.match, "esm");
        assert_string_equal(out.por, p == POR_AUTO ? "stub-min" : por_name((por_kind)p));
        outcome_free(&out);
    }
    for (int m = 0; m < MATCH_KINDS; m++) {
        match_kind back;
        assert_true(match_from_name(match_name((match_kind)m), &back));
        assert_int_equal(back, m);
    }
    por_kind p;
    match_kind m;
    assert_false(por_from_name("nothing", &p));
    assert_false(match_from_name("", &m));
    fixture_close(&f);
}

static void a_doubt_stands_once(void **unused) {
    (void)unused;
    outcome o = {.complete = true};
    assert_int_equal(outcome_verdict(&o), VERDICT_SAFE);
    outcome_doubt(&o, REASON_SOLVER, (position){1, 2});
    outcome_doubt(&o, REASON_SOLVER, (position){1, 2});
    outcome_doubt(&o, REASON_SOLVER, (position){1, 3});
    outcome_doubt(&o, REASON_DEPTH, (position){1, 3});
    for (int i = 0; i < 4; i++) { /* whoever wrote them, and wherever they are kept */
        char words[] = "one thing";
        if (i & 1) strcpy(words, "another");
        outcome_add_doubt(&o, (doubt){.why = {REASON_NOT_MODELLED, words}});
        if (i < 2) o.doubts.data[o.doubts.size - 1].why.words = i ? "another" : "one thing";
    }
    assert_int_equal(o.doubts.size, 5);
    assert_int_equal(outcome_verdict(&o), VERDICT_UNKNOWN);
    outcome_free(&o);
    o = (outcome){.complete = false};
    assert_int_equal(outcome_verdict(&o), VERDICT_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listing_2_3_has_15_states),
        cmocka_unit_test(table_2_1),
        cmocka_unit_test(figure_6_2),
        cmocka_unit_test(error_traces_of_the_listings),
        cmocka_unit_test(all_violations_are_found_on_request),
        cmocka_unit_test(limits_make_the_verdict_unknown),
        cmocka_unit_test(a_limit_does_not_hide_errors_of_others),
        cmocka_unit_test(a_bounded_visited_set_costs_time_only),
        cmocka_unit_test(deadlocks_are_a_property),
        cmocka_unit_test(confirmed_violations_carry_inputs),
        cmocka_unit_test(unreached_checks_are_known),
        cmocka_unit_test(results_are_deterministic),
        cmocka_unit_test(breadth_first_finds_shortest),
        cmocka_unit_test(what_ran_is_named),
        cmocka_unit_test(a_doubt_stands_once),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
