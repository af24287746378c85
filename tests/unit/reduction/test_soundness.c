/* Reductions and matchers must not lose errors: mutants that do, errors once made, agreement of all
 * combinations on the listings and on random programs. */
#include "machine/setup.h"
#include "model_files.h"
#include "random_programs.h"

/* --- mutants that must fail ----------------------------------------------------------------------------- */

static void check_mutant(const char *what, const char *source, explore_options sound,
                         explore_options mutant) {
    if (verdict_of(source, &sound) != VERDICT_UNSAFE)
        fail_msg("%s: the sound variant misses the error", what);
    if (verdict_of(source, &mutant) != VERDICT_SAFE)
        fail_msg("%s: the mutant finds the error, so it shows nothing", what);
}

static void without_the_proviso_steps_are_ignored(void **unused) {
    (void)unused;
    explore_options sound = exploring(POR_STUB, MATCH_CEQ), mutant = sound;
    mutant.proviso = false;
    check_mutant("ignoring problem", listing("3.1"), sound, mutant);
    /* conflicting-transition sets need no proviso here: a cycle within a delta cycle involves
     * a disabled transition */
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

/* Figure 5.2. C B is explored first; P and Q follow in both orders, and Q P ends in a match. When B Q C is
 * matched with C B Q, the step of A is reachable only through that match; without it nobody knows that A,
 * before C, would have failed. */
static void without_edge_replacement_effects_are_lost(void **unused) {
    (void)unused;
    const char *source =
        "int z = 1, y, q, p, d, f; thread C{z = 0; d = 1;} thread B{y = 1; d = 1;} thread P{p = 1; f = 1;}\n"
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
    /* Listing 5.4 with B declared first: at time 4 B stands where, had A run first, it would stand
     * at time 0 */
    check_mutant(
        "limit",
        "event e; int n = 1; thread B{if (n != 0) wait_time 4; wait_time 4; notify e, 3;} thread A{n = 0;}\n"
        "thread C{wait e; assert false;} main{start 9;}",
        sound, mutant);
}

/* --- errors once made ----------------------------------------------------------------------------------- */

static void check_found_by_all(const char *what, const char *source, unsigned properties) {
    for (int p = 0; p < POR_KINDS; p++)
        for (int m = 0; m < MATCH_KINDS; m++) {
            explore_options o = exploring((por_kind)p, (match_kind)m);
            o.properties = properties;
            o.max_transitions = 20000;
            if (!search_can(&o)) continue;
            if (verdict_of(source, &o) != VERDICT_UNSAFE)
                fail_msg("%s: missed by %s, %s", what, por_name((por_kind)p), match_name((match_kind)m));
            if (m == MATCH_NONE) continue;
            o.stops = STOP_LOOP_HEAD;
            if (search_can(&o) && verdict_of(source, &o) != VERDICT_UNSAFE)
                fail_msg("%s: missed by %s, %s with loop heads", what, por_name((por_kind)p),
                         match_name((match_kind)m));
            o.stops = STOP_VISIBLE;
            o.order = ORDER_BFS;
            if (search_can(&o) && verdict_of(source, &o) != VERDICT_UNSAFE)
                fail_msg("%s: missed by %s, %s, breadth first", what, por_name((por_kind)p),
                         match_name((match_kind)m));
        }
}

static void every_reduction_finds_these(void **unused) {
    (void)unused;
    unsigned usual = PROPERTY_ASSERT | PROPERTY_MEMORY;
    check_found_by_all("an assumption hides an assertion",
                       "int x = ?(int); thread A{assume(x > 0);} thread B{assert(x > 0);}", usual);
    check_found_by_all(
        "an assumption hides a wrong pointer",
        "int a[3]; thread A{assume(false);} thread B{int *p = &a[0]; int i = ?(int); p = p + i; *p = 1;}",
        usual);
    check_found_by_all("an assumption hides an access that begins in its object and ends behind it",
                       "char a[8]; thread A{assume(false);} thread B{int *p = (int *)&a[6]; int i = *p;}",
                       usual);
    check_found_by_all("an assumption hides an access that ends behind a local",
                       "thread A{assume(false);} thread B{char a[8]; int i = *(int *)&a[6];}", usual);
    check_found_by_all("an assumption hides a division",
                       "int x, y; thread A{assume(false);} thread B{y = 1 / x;} thread C{x = 0;}", usual);
    check_found_by_all("a suspension hides a thread that somebody could wake",
                       "event e; thread V{wait e; assert(false);} thread A{suspend V;} thread C{notify e;}",
                       usual);
    check_found_by_all(
        "an assumption cuts off a thread outside the static set before it shows its race",
        "event e; thread A{notify e;} thread B{assume(false);} thread C{wait e; assert(false);}", usual);
    check_found_by_all("what a failed assumption read is a dependency",
                       "int z = 1, y, d; thread C{z = 0; d = 1;} thread B{y = 1; d = 1;} thread A{assume(z "
                       "== 1); assert(y == 0);}",
                       usual);
    check_found_by_all("ordering by any enabling step",
                       "int x; event e; thread Q{wait e; x = 2;} thread A{x = 1; notify e;} thread C{notify "
                       "e;} main{start; assert(x != 1);}",
                       usual);
    check_found_by_all("an assertion that is not asked about hides a wrong pointer",
                       "int x; thread A{assert(x == 1);} thread B{int *p = null; *p = 1;}", PROPERTY_MEMORY);
    check_found_by_all("loops inside steps hide races from dynamic reduction",
                       "int a, b, i, j, k; thread A{i = 0; while (i < 1) i = i + 1; a = 1; b = 0;} thread "
                       "B{j = 0; while (j < 1) j = j + 1; if (a == 0) b = 1;}\n"
                       "thread C{k = 0; while (k < 1) k = k + 1; if (b > 0) assert(false);}",
                       usual);
    check_found_by_all("cancel and notify",
                       "event e; thread C{cancel e;} thread S{notify e, 1;} thread R{wait e; assert(false);}",
                       usual);
    check_found_by_all("a local whose frame is gone",
                       "int *g; void f(){int k = 1; g = &k; wait_time 0;} thread A{f();} thread B{wait_time "
                       "0; if (g != null) *g = 2;}",
                       usual);
}

/* The same for models that are cyclic, where a stateless search cannot end (but finds the error by depth or
 * not at all). */
static void loop_heads_do_not_stand_for_full_expansion(void **unused) {
    (void)unused;
    const char *source = "event eA, eB; thread A{do {wait eA; notify eB;} while (true);} thread B{do {wait "
                         "eB; notify eA;} while (true);}\n"
                         "thread S{wait_time 0; notify eA;} thread D{wait_time 0; assert false;}";
    for (int p = 0; p < POR_KINDS; p++)
        for (int stops = 0; stops < 2; stops++) {
            explore_options o = exploring((por_kind)p, MATCH_CEQ);
            o.stops = stops ? STOP_LOOP_HEAD : STOP_VISIBLE;
            if (search_can(&o) && verdict_of(source, &o) != VERDICT_UNSAFE)
                fail_msg("%s, stops %d", por_name((por_kind)p), stops);
        }
}

/* --- agreement on the listings -------------------------------------------------------------------------- */

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
                    bool usual = m == MATCH_AUTO, must_finish = usual && !order;
                    if (order && !usual && m != MATCH_CEQ) continue;
                    explore_options o = exploring((por_kind)p, (match_kind)m);
                    o.order = order ? ORDER_BFS : ORDER_DFS;
                    o.max_transitions = must_finish ? 1500 : 200;
                    if (!search_can(&o)) continue;
                    verdict is = hurried_verdict(ivl_listings[i].source, &o);
                    if (is != expected && (must_finish || is != VERDICT_UNKNOWN))
                        fail_msg("listing %s: %s, %s: %d", ivl_listings[i].name, por_name((por_kind)p),
                                 match_name((match_kind)m), (int)is);
                }
    }
}

/* --- random programs ------------------------------------------------------------------------------------ */

/* Trace classes: stateless, every reduction explores exactly the classes of full exploration. */
static void reductions_keep_every_trace_class(void **unused) {
    (void)unused;
    uint64_t seed = 7;
    unsigned compared = 0;
    for (int i = 0; i < 120; i++) {
        char source[2048];
        random_shape shape = {
            .threads = 3 + i % 2, .statements = 3, .suspensions = i % 2, .inputs = i % 3 == 0};
        random_program(&seed, &shape, source, sizeof source);
        outcome all = {0};
        for (int p = POR_NONE; p < POR_KINDS; p++) {
            explore_options o = exploring((por_kind)p, MATCH_NONE);
            if (!search_can(&o)) continue;
            fixture f = fixture_open(source);
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
                        (!all.trace_classes.size || !memcmp(out.trace_classes.data, all.trace_classes.data,
                                                            all.trace_classes.size * sizeof(uint64_t)));
            if (!same)
                fail_msg("%s: %zu of %zu classes of\n%s", por_name((por_kind)p), out.trace_classes.size,
                         all.trace_classes.size, source);
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
        random_shape shape = {.threads = 3 + i % 2,
                              .statements = 4,
                              .loops_per_cent = 40,
                              .assertions = true,
                              .assumptions = i % 2,
                              .suspensions = i % 3 == 0,
                              .inputs = i % 4 == 0};
        random_program(&seed, &shape, source, sizeof source);
        machine_options how = machine_default_options();
        how.checks_cut = true;
        uint64_t expected = 0;
        bool finite = true; /* two threads may wake each other for ever at one time and count the while */
        for (int p = POR_NONE; p < POR_KINDS && finite; p++)
            for (int m = 0; m < 2 && finite; m++) {
                explore_options o = exploring((por_kind)p, some_match[m]);
                if (!search_can(&o)) continue;
                fixture f = fixture_open_with(source, &how);
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
                    fail_msg("%s, %s: another set of violations of\n%s", por_name((por_kind)p),
                             match_name(some_match[m]), source);
                outcome_free(&out);
                fixture_close(&f);
            }
    }
    assert_true(unsafe > 25 && safe > 25);
}

int main(void) {
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("soundness", tests, NULL, NULL);
}
