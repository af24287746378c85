/* The explorer: step traces and state counts of the document, mutants that must fail, agreement of all reductions and
 * matchers, limits, outcomes. */
#include "core_fixture.h"
#include "ivl_listings.h"
#include "random_programs.h"

static const char *listing(const char *name) {
    for (int i = 0; i < IVL_LISTING_COUNT; i++)
        if (!strcmp(ivl_listings[i].name, name)) return ivl_listings[i].source;
    fail_msg("no listing %s", name);
    return NULL;
}

/* --- recording -------------------------------------------------------------------------------------------- */

typedef struct record {
    const fixture *f;
    text steps;      /* names of the threads in the order of execution; N, M; "!" after a violation, "-" after a failed assumption */
    uint64_t states; /* successors that are states of their own */
} record;

static void note_step(void *data, const state *from, transition by, const successor *to) {
    (void)from;
    record *r = data;
    const char *name = by.thread == MACHINE_KERNEL ? "N" : by.thread == 0 ? "M" : r->f->p->threads.data[by.thread].name;
    text_format(&r->steps, "%s%s", name, to->end == STEP_VIOLATION ? "!" : to->end == STEP_ASSUMED_AWAY ? "-" : "");
    r->states += to->end == STEP_STOPPED || to->end == STEP_FINISHED;
}

static outcome search_recorded(const fixture *f, explore_options o, record *r) {
    *r = (record){.f = f};
    o.observe = note_step;
    o.observe_data = r;
    return search_fixture(f, &o);
}

/* --- the document's examples --------------------------------------------------------------------------------- */

/* Listing 2.3: the states s0 .. s14. Ten of them are scheduling points, which are stored; the others are s0 before the
 * start, s6 and s13 after the simulation, s7 and s14 at the end. */
static void listing_2_3_has_15_states(void **unused) {
    (void)unused;
    fixture f = fixture_open(listing("2.3"));
    record r;
    outcome out = search_recorded(&f, exploring(POR_NONE, MATCH_CEQ), &r);
    assert_int_equal(1 + r.states, 15);
    assert_int_equal(out.stats.transitions, 14);
    assert_int_equal(out.stats.states, 10);
    assert_int_equal(out.stats.matched, 0);
    assert_string_equal(text_cstr(&r.steps), "MABNBNM" "BANBANM");
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
    text_free(&r.steps);
    outcome_free(&out);
    fixture_close(&f);
}

/* Table 2.1: dynamic reduction on Listing 2.8. A B C; back to s0, where B and C are to be tried; B A C; back to s4; C fails.
 * The scheduler's and main's last steps, which the document leaves out, stand between. */
static void table_2_1(void **unused) {
    (void)unused;
    fixture f = fixture_open(listing("2.8"));
    record r;
    outcome out = search_recorded(&f, exploring(POR_DPOR, MATCH_NONE), &r);
    assert_string_equal(text_cstr(&r.steps), "M" "ABC" "NM" "BAC" "NM" "C!");
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
    assert_string_equal(text_cstr(&r.steps), "M" "mastertransmit" "NM" "transmitmastertransmitmaster");
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
        if (steps.size != strlen(cases[i].trace)) fail_msg("%s: %s, not as short as %s", cases[i].name, text_cstr(&steps), cases[i].trace);
        text_free(&steps);
        outcome_free(&out);
        fixture_close(&f);
    }
}

/* --- mutants that must fail ------------------------------------------------------------------------------------- */

static void check_mutant(const char *what, const char *source, explore_options sound, explore_options mutant) {
    if (verdict_of(source, &sound) != VERDICT_UNSAFE) fail_msg("%s: the sound variant misses the error", what);
    if (verdict_of(source, &mutant) != VERDICT_SAFE) fail_msg("%s: the mutant finds the error, so it shows nothing", what);
}

static void without_the_proviso_steps_are_ignored(void **unused) {
    (void)unused;
    explore_options sound = exploring(POR_STUB, MATCH_CEQ), mutant = sound;
    mutant.proviso = false;
    check_mutant("ignoring problem", listing("3.1"), sound, mutant);
    /* conflicting-transition sets need no proviso here: a cycle within a delta cycle involves a disabled transition */
    explore_options ct = exploring(POR_CT, MATCH_CEQ);
    ct.proviso = false;
    assert_int_equal(verdict_of(listing("3.1"), &ct), VERDICT_UNSAFE);
}

static void without_the_effects_graph_dependencies_are_missed(void **unused) {
    (void)unused;
    explore_options sound = exploring(POR_DPOR, MATCH_CEQ), mutant = sound;
    mutant.stateful_effects = false;
    check_mutant("naive stateful dynamic reduction", listing("2.8"), sound, mutant);
}

static void without_expansion_on_cycles_dependencies_are_missed(void **unused) {
    (void)unused;
    explore_options sound = exploring(POR_DPOR, MATCH_CEQ), mutant = sound;
    mutant.cycle_expansion = false;
    check_mutant("A-SDPOR", listing("4.2"), sound, mutant);
    mutant = sound;
    mutant.last_delta_cycle_test = true;
    check_mutant("the misprinted cycle test", listing("4.2"), sound, mutant);
    sound = exploring(POR_DPOR_STUB, MATCH_CEQ);
    mutant = sound;
    mutant.last_delta_cycle_test = true;
    check_mutant("the misprinted cycle test with static sets", listing("4.2"), sound, mutant);
}

static void without_enabling_sets_waking_is_missed(void **unused) {
    (void)unused;
    explore_options sound = exploring(POR_STUB, MATCH_CEQ), mutant = sound;
    mutant.necessary_enabling = false;
    check_mutant("necessary enabling sets", listing("2.6"), sound, mutant);
    sound = exploring(POR_STUB2, MATCH_CEQ);
    mutant = sound;
    mutant.necessary_enabling = false;
    check_mutant("necessary enabling sets (2)", listing("2.6"), sound, mutant);
}

/* Figure 5.2. C B is explored first; P and Q follow in both orders, and Q P ends in a match. When B Q C is matched with
 * C B Q, the step of A is reachable only through that match; without it nobody knows that A, before C, would have failed. */
static void without_edge_replacement_effects_are_lost(void **unused) {
    (void)unused;
    const char *source = "int z = 1, y, q, p, d, f; thread C{z = 0; d = 1;} thread B{y = 1; d = 1;} thread P{p = 1; f = 1;}\n"
                         "thread Q{q = 1; f = 1;} thread A{if (z == 1) if (y == 1) if (q == 1) if (p == 0) assert(false);}";
    explore_options sound = exploring(POR_DPOR, MATCH_CEQ), mutant = sound;
    mutant.edge_replacement = false;
    check_mutant("edge replacement", source, sound, mutant);
}

static void time_must_not_be_forgotten(void **unused) {
    (void)unused;
    explore_options sound = exploring(POR_NONE, MATCH_CEQ), mutant = sound;
    mutant.force_time_abstraction = true;
    check_mutant("@time", listing("5.3"), sound, mutant);
    /* Listing 5.4 with B declared first: at time 4 B stands where, had A run first, it would stand at time 0 */
    check_mutant("limit", "event e; int n = 1; thread B{if (n != 0) wait_time 4; wait_time 4; notify e, 3;} thread A{n = 0;}\n"
                          "thread C{wait e; assert false;} main{start 9;}", sound, mutant);
}

/* --- errors once made ------------------------------------------------------------------------------------------------ */

static const por_kind every_por[] = {POR_AUTO,     POR_NONE, POR_CT,       POR_STUB,     POR_STUB2,
                                     POR_STUB_MIN, POR_DPOR, POR_DPOR_HBR, POR_DPOR_STUB};
static const match_kind every_match[] = {MATCH_AUTO, MATCH_NONE,   MATCH_CEQ,    MATCH_PESM, MATCH_ESM,
                                         MATCH_ESM_HASH, MATCH_SBC_EQ, MATCH_SBC_CV, MATCH_ESS};

static void check_found_by_all(const char *what, const char *source, unsigned properties) {
    for (int p = 0; p < POR_KINDS; p++)
        for (int m = 0; m < MATCH_KINDS; m++) {
            explore_options o = exploring(every_por[p], every_match[m]);
            o.properties = properties;
            o.max_transitions = 20000;
            if (verdict_of(source, &o) != VERDICT_UNSAFE) fail_msg("%s: missed by %s, %s", what, por_name(every_por[p]), match_name(every_match[m]));
            if (every_match[m] == MATCH_NONE) continue;
            o.stops = STOP_LOOP_HEAD;
            if (verdict_of(source, &o) != VERDICT_UNSAFE)
                fail_msg("%s: missed by %s, %s with loop heads", what, por_name(every_por[p]), match_name(every_match[m]));
            o.stops = STOP_VISIBLE;
            o.order = ORDER_BFS;
            if (verdict_of(source, &o) != VERDICT_UNSAFE)
                fail_msg("%s: missed by %s, %s, breadth first", what, por_name(every_por[p]), match_name(every_match[m]));
        }
}

static void every_reduction_finds_these(void **unused) {
    (void)unused;
    unsigned usual = PROPERTY_ASSERT | PROPERTY_MEMORY;
    check_found_by_all("an assumption hides an assertion", "int x = ?(int); thread A{assume(x > 0);} thread B{assert(x > 0);}", usual);
    check_found_by_all("an assumption hides a wrong pointer",
                       "int a[3]; thread A{assume(false);} thread B{int *p = &a[0]; int i = ?(int); p = p + i; *p = 1;}", usual);
    check_found_by_all("an assumption hides a division", "int x, y; thread A{assume(false);} thread B{y = 1 / x;} thread C{x = 0;}", usual);
    check_found_by_all("a suspension hides a thread that somebody could wake",
                       "event e; thread V{wait e; assert(false);} thread A{suspend V;} thread C{notify e;}", usual);
    check_found_by_all("what a failed assumption read is a dependency",
                       "int z = 1, y, d; thread C{z = 0; d = 1;} thread B{y = 1; d = 1;} thread A{assume(z == 1); assert(y == 0);}", usual);
    check_found_by_all("ordering by any enabling step",
                       "int x; event e; thread Q{wait e; x = 2;} thread A{x = 1; notify e;} thread C{notify e;} main{start; assert(x != 1);}", usual);
    check_found_by_all("an assertion that is not asked about hides a wrong pointer",
                       "int x; thread A{assert(x == 1);} thread B{int *p = null; *p = 1;}", PROPERTY_MEMORY);
    check_found_by_all("loops inside steps hide races from dynamic reduction",
                       "int a, b, i, j, k; thread A{i = 0; while (i < 1) i = i + 1; a = 1; b = 0;} thread B{j = 0; while (j < 1) j = j + 1; if (a == 0) b = 1;}\n"
                       "thread C{k = 0; while (k < 1) k = k + 1; if (b > 0) assert(false);}", usual);
    check_found_by_all("cancel and notify", "event e; thread C{cancel e;} thread S{notify e, 1;} thread R{wait e; assert(false);}", usual);
    check_found_by_all("a local whose frame is gone",
                       "int *g; void f(){int k = 1; g = &k; wait_time 0;} thread A{f();} thread B{wait_time 0; if (g != null) *g = 2;}", usual);
}

/* The same for models that are cyclic, where a stateless search cannot end (but finds the error by depth or not at all). */
static void loop_heads_do_not_stand_for_full_expansion(void **unused) {
    (void)unused;
    const char *source = "event eA, eB; thread A{do {wait eA; notify eB;} while (true);} thread B{do {wait eB; notify eA;} while (true);}\n"
                         "thread S{wait_time 0; notify eA;} thread D{wait_time 0; assert false;}";
    for (int p = 0; p < POR_KINDS; p++)
        for (int stops = 0; stops < 2; stops++) {
            explore_options o = exploring(every_por[p], MATCH_CEQ);
            o.stops = stops ? STOP_LOOP_HEAD : STOP_VISIBLE;
            if (verdict_of(source, &o) != VERDICT_UNSAFE) fail_msg("%s, stops %d", por_name(every_por[p]), stops);
        }
}

/* --- agreement on the listings ------------------------------------------------------------------------------------------- */

static verdict hurried_verdict(const char *source, const explore_options *o) {
    fixture f = fixture_open_hurried(source, NULL);
    outcome out = search_fixture(&f, o);
    verdict v = outcome_verdict(&out);
    outcome_free(&out);
    fixture_close(&f);
    return v;
}

static void all_combinations_agree_on_the_listings(void **unused) {
    (void)unused;
    static const char *const unsafe[] = {"2.2", "2.6", "2.7", "2.8", "3.1", "4.2", "5.3", "5.4"};
    for (int i = 0; i < IVL_LISTING_COUNT; i++) {
        verdict expected = VERDICT_SAFE;
        for (size_t k = 0; k < sizeof unsafe / sizeof *unsafe; k++)
            if (!strcmp(unsafe[k], ivl_listings[i].name)) expected = VERDICT_UNSAFE;
        for (int p = 0; p < POR_KINDS; p++)
            for (int m = 0; m < MATCH_KINDS; m++)
                for (int order = 0; order < 2; order++) {
                    bool usual = every_match[m] == MATCH_AUTO, must_finish = usual && !order;
                    if (order && !usual && every_match[m] != MATCH_CEQ) continue;
                    explore_options o = exploring(every_por[p], every_match[m]);
                    o.order = order ? ORDER_BFS : ORDER_DFS;
                    o.max_transitions = must_finish ? 1500 : 200;
                    verdict is = hurried_verdict(ivl_listings[i].source, &o);
                    if (is != expected && (must_finish || is != VERDICT_UNKNOWN))
                        fail_msg("listing %s: %s, %s: %d", ivl_listings[i].name, por_name(every_por[p]), match_name(every_match[m]), (int)is);
                }
    }
}

/* --- random programs ------------------------------------------------------------------------------------------------------- */

/* Trace classes: stateless, every reduction explores exactly the classes of full exploration. */
static void reductions_keep_every_trace_class(void **unused) {
    (void)unused;
    uint64_t seed = 7;
    unsigned compared = 0;
    for (int i = 0; i < 120; i++) {
        char source[2048];
        random_shape shape = {.threads = 3 + i % 2, .statements = 3, .suspensions = i % 2, .inputs = i % 3 == 0};
        random_program(&seed, &shape, source, sizeof source);
        outcome all = {0};
        for (int p = POR_NONE; p < POR_KINDS; p++) {
            fixture f = fixture_open(source);
            explore_options o = exploring((por_kind)p, MATCH_NONE);
            o.dump_traces = true;
            o.max_transitions = 6000;
            outcome out = search_fixture(&f, &o);
            fixture_close(&f);
            if (p == POR_NONE) {
                all = out;
                if (!out.complete) break;
                compared++;
                continue;
            }
            bool same = out.trace_classes.size == all.trace_classes.size &&
                        (!all.trace_classes.size || !memcmp(out.trace_classes.data, all.trace_classes.data, all.trace_classes.size * sizeof(uint64_t)));
            if (!same) fail_msg("%s: %zu of %zu classes of\n%s", por_name((por_kind)p), out.trace_classes.size, all.trace_classes.size, source);
            outcome_free(&out);
        }
        outcome_free(&all);
    }
    assert_true(compared > 60);
}

/* Verdicts and the sets of violated assertions, with cycles, assumptions and matching. */
static void reductions_keep_every_violation(void **unused) {
    (void)unused;
    static const match_kind some_match[] = {MATCH_CEQ, MATCH_AUTO};
    uint64_t seed = 12;
    unsigned unsafe = 0, safe = 0;
    for (int i = 0; i < 300; i++) {
        char source[2048];
        random_shape shape = {.threads = 3 + i % 2, .statements = 4, .loops_per_cent = 40, .assertions = true, .assumptions = i % 2, .suspensions = i % 3 == 0,
                              .inputs = i % 4 == 0};
        random_program(&seed, &shape, source, sizeof source);
        machine_options how = machine_default_options();
        how.checks_cut = true;
        uint64_t expected = 0;
        bool finite = true; /* two threads may wake each other for ever at one time and count the while */
        for (int p = POR_NONE; p < POR_KINDS && finite; p++)
            for (int m = 0; m < 2 && finite; m++) {
                fixture f = fixture_open_with(source, &how);
                explore_options o = exploring((por_kind)p, some_match[m]);
                o.all = true;
                o.max_transitions = p == POR_NONE ? 2000 : 20000;
                outcome out = search_fixture(&f, &o);
                uint64_t violated = 0;
                for (size_t k = 0; k < out.violations.size; k++) {
                    assert_true(out.violations.data[k].confirmed);
                    violated |= UINT64_C(1) << out.violations.data[k].check;
                }
                if (p == POR_NONE && m == 0) {
                    finite = out.complete;
                    expected = violated;
                    unsafe += finite && violated;
                    safe += finite && !violated;
                }
                if (finite && (violated != expected || !out.complete))
                    fail_msg("%s, %s: another set of violations of\n%s", por_name((por_kind)p), match_name(some_match[m]), source);
                outcome_free(&out);
                fixture_close(&f);
            }
    }
    assert_true(unsafe > 25 && safe > 25);
}

/* --- outcomes ----------------------------------------------------------------------------------------------------------------- */

static void all_violations_are_found_on_request(void **unused) {
    (void)unused;
    const char *source = "int x = ?(int); thread A{assert(x != 1); assert(x != 2);} thread B{wait_time 1; assert(x != 3); assert(x == x);}";
    for (int p = 0; p < POR_KINDS; p++)
        for (int all = 0; all < 2; all++) {
            machine_options how = machine_default_options();
            how.checks_cut = all;
            fixture f = fixture_open_with(source, &how);
            explore_options o = exploring(every_por[p], MATCH_AUTO);
            o.all = all;
            outcome out = search_fixture(&f, &o);
            assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
            assert_int_equal(out.violations.size, all ? 3 : 1);
            assert_int_equal(out.complete, all);
            for (size_t i = 0; i < out.violations.size; i++) {
                assert_true(out.violations.data[i].confirmed);
                for (size_t k = 0; k < i; k++) assert_int_not_equal(out.violations.data[i].check, out.violations.data[k].check);
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
    for (size_t i = 0; i < out.doubts.size; i++) found |= !strcmp(out.doubts.data[i].reason, reason);
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
    const char *source = "int x; thread A{while (true){x += 1; wait_time 1;}} thread B{while (true){wait_time 1; assert(x >= 0);}}";
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
    check_doubt("int x; thread A{while (true) x = 1;} thread B{assert(true);}", &o, "endless loop without a scheduling point");
    o.properties = PROPERTY_ASSERT;
    check_doubt("int x, y; thread A{y = 1 / x;} thread B{assert(y == 0); x = 0;}", &o, "path ended at a violation of a property that is not checked");
}

/* What lies behind a step that cannot be finished is lost, but not what others could do before it. */
static void a_limit_does_not_hide_errors_of_others(void **unused) {
    (void)unused;
    for (int p = 0; p < POR_KINDS; p++) {
        explore_options o = exploring(every_por[p], MATCH_AUTO);
        assert_int_equal(verdict_of("int x; thread A{while (true) x = 1;} thread B{assert(false);}", &o), VERDICT_UNSAFE);
    }
}

static void a_bounded_visited_set_costs_time_only(void **unused) {
    (void)unused;
    const char *source = "int x, y; thread A{for (int i = 0; i < 9; i += 1){x = i; wait_time 1;}} thread B{for (int i = 0; i < 9; i += 1){y = x; wait_time 1;}}";
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
            explore_options o = exploring(every_por[p], every_match[m]);
            assert_int_equal(verdict_of(source, &o), VERDICT_SAFE);
            o.properties = PROPERTY_DEADLOCK;
            assert_int_equal(verdict_of(source, &o), VERDICT_UNSAFE);
            assert_int_equal(verdict_of("event e; thread A{wait e, 3;} thread B{notify e;}", &o), VERDICT_SAFE);
            /* an assertion that fails is absent while only deadlocks are asked about */
            assert_int_equal(verdict_of("event e; thread A{assert(false); wait e;} thread B{}", &o), VERDICT_UNSAFE);
        }
}

static void confirmed_violations_carry_inputs(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = ?(int), y = ?(int); thread A{assume(x > 10); if (x * 2 == 44) assert(y != 7);} thread B{y += 1;}");
    explore_options o = exploring(POR_AUTO, MATCH_AUTO);
    outcome out = search_fixture(&f, &o);
    assert_int_equal(out.violations.size, 1);
    const violation *v = &out.violations.data[0];
    assert_true(v->confirmed);
    assert_non_null(v->inputs);
    state *s = machine_initial(f.m); /* the inputs of main, in order */
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
    fixture f = fixture_open("int x; thread A{assert(x == 0); if (x > 0) assert(x > 1);} thread B{assume(false); assert(x == 2);} thread C{x = 0;}");
    explore_options o = exploring(POR_AUTO, MATCH_AUTO);
    outcome out = search_fixture(&f, &o);
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
    unsigned reached = 0;
    for (uint32_t i = 0; i < machine_check_count(f.m); i++) reached += machine_check_reached(f.m, i);
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
    const char *source = "int x; thread A{while (true){wait_time 1; x += 1; assert(x < 9);}} thread B{wait_time 2; assert(false);}";
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
    outcome_doubt(&o, "why", (position){1, 2});
    outcome_doubt(&o, "why", (position){1, 2});
    outcome_doubt(&o, "why", (position){1, 3});
    assert_int_equal(o.doubts.size, 2);
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
        cmocka_unit_test(without_the_proviso_steps_are_ignored),
        cmocka_unit_test(without_the_effects_graph_dependencies_are_missed),
        cmocka_unit_test(without_expansion_on_cycles_dependencies_are_missed),
        cmocka_unit_test(without_enabling_sets_waking_is_missed),
        cmocka_unit_test(without_edge_replacement_effects_are_lost),
        cmocka_unit_test(time_must_not_be_forgotten),
        cmocka_unit_test(every_reduction_finds_these),
        cmocka_unit_test(loop_heads_do_not_stand_for_full_expansion),
        cmocka_unit_test(all_combinations_agree_on_the_listings),
        cmocka_unit_test(reductions_keep_every_trace_class),
        cmocka_unit_test(reductions_keep_every_violation),
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
