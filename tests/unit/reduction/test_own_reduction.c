/* The template of docs/own-reduction.md, and the hook that it is plugged into: it keeps every verdict and
 * every class of executions, saves what it should, and variants of it that are wrong are found out. */
#include "clusters.c"

#include "model_files.h"
#include "random_programs.h"

#include "machine/setup.h"
#include "reduction/ample.h"
#include "reduction/persistent.h"
#include "thread_programs.h"

typedef void choose_function(void *data, const state *s, const transitions *enabled, indices *out);

static explore_options with_choice(match_kind match, choose_function *choose, void *data) {
    explore_options o = exploring(POR_AUTO, match);
    o.choose = choose;
    o.choose_data = data;
    return o;
}

/* --- clusters ------------------------------------------------------------------------------------------- */

static bool are_together(const char *source, const char *thread, const char *other) {
    fixture f = fixture_open(source);
    clusters *c = clusters_create(f.m);
    bool together = clusters_together(c, thread_named(&f, thread), thread_named(&f, other));
    clusters_destroy(c);
    fixture_close(&f);
    return together;
}

static void those_that_never_meet_are_apart(void **unused) {
    (void)unused;
    assert_false(
        are_together("int x, y; thread A{x = 1;} thread B{y = x == 0;} thread C{} main{start;}", "A", "C"));
    assert_false(are_together("int x; thread A{int k = x;} thread B{int k = x;} main{start;}", "A", "B"));
    assert_false(are_together("event e; thread A{notify e, 1;} thread B{wait e;} main{start;}", "A", "B"));
}

static void those_that_meet_are_together(void **unused) {
    (void)unused;
    static const char *const meeting[] = {
        "int x; thread A{x = 1;} thread B{int k = x;} main{start;}",
        "event e; thread A{notify e;} thread B{wait e;} main{start;}",
        "event e; thread A{notify e, 1;} thread B{cancel e;} main{start;}",
        "thread A{suspend B;} thread B{wait_time 1;} main{start;}",
        "int x, y; thread A{assume(x == 1);} thread B{assert(y == 0);} main{start;}",
        /* not in the steps that come first, but later */
        "int x; thread A{wait_time 1; x = 1;} thread B{wait_time 2; x = 2;} main{start;}",
        /* through others, declared in whatever order */
        "int x, y; thread A{x = 1;} thread C{y = x;} thread B{y = 1;} main{start;}",
        "int x, y, z; thread D{z = y;} thread A{x = 1;} thread B{z = 1;} thread C{y = x;} main{start;}",
    };
    for (size_t i = 0; i < sizeof meeting / sizeof *meeting; i++)
        if (!are_together(meeting[i], "A", "B")) fail_msg("apart in\n%s", meeting[i]);
}

/* --- savings -------------------------------------------------------------------------------------------- */

typedef struct counts {
    uint64_t executions, transitions, states;
    verdict verdict;
} counts;

static counts count_in(const fixture *f, const explore_options *o) {
    outcome out = search_fixture(f, o);
    assert_true(out.complete);
    assert_int_equal(out.reduction_errors, 0);
    counts n = {out.stats.executions, out.stats.transitions, out.stats.states, outcome_verdict(&out)};
    outcome_free(&out);
    return n;
}

static counts count_with(const char *source, bool reduced, search_order order, match_kind match) {
    fixture f = fixture_open(source);
    clusters *c = clusters_create(f.m);
    explore_options o = reduced ? with_choice(match, clusters_choose, c) : exploring(POR_NONE, match);
    o.order = order;
    o.check_reduction = true;
    counts n = count_in(&f, &o);
    clusters_destroy(c);
    fixture_close(&f);
    return n;
}

/* Four threads of one step each have 4! orders. In two unrelated pairs only the order within each pair
 * counts: 2! * 2!. The orders of one pair make a tree of 2 + 2 steps, and below each of its two leaves the
 * other pair makes the same: 4 + 2 * 4 steps of threads, against 4 + 12 + 24 + 24. */
static void two_pairs_take_turns_as_wholes(void **unused) {
    (void)unused;
    static const char *const source = "int x, y; thread A{x = 1;} thread C{y = 1;} thread B{x = 2;}\n"
                                      "thread D{y = 2;} main{start;}";
    for (int order = ORDER_DFS; order <= ORDER_BFS; order++) {
        counts all = count_with(source, false, (search_order)order, MATCH_NONE),
               fewer = count_with(source, true, (search_order)order, MATCH_NONE);
        assert_int_equal(all.executions, 24);
        assert_int_equal(fewer.executions, 4);
        /* what is not a thread's comes once before all of them, and once or more behind each execution */
        uint64_t behind = (all.transitions - 1 - 64) / 24;
        assert_int_equal(all.transitions, 1 + 64 + 24 * behind);
        assert_int_equal(fewer.transitions, 1 + 12 + 4 * behind);
    }
}

/* Five threads that never meet: one order, against 2^5 sets of those that have run. */
static void strangers_go_one_after_the_other(void **unused) {
    (void)unused;
    static const char *const source =
        "int a, b, c, d, e; thread A{a = 1;} thread B{b = 1;} thread C{c = 1;}\n"
        "thread D{d = 1;} thread E{e = 1;} main{start;}";
    counts all = count_with(source, false, ORDER_DFS, MATCH_CEQ),
           fewer = count_with(source, true, ORDER_DFS, MATCH_CEQ);
    assert_int_equal(fewer.executions, 1);
    assert_int_equal(all.states - fewer.states, 32 - 6);
}

/* --- agreement ------------------------------------------------------------------------------------------ */

typedef struct counted_clusters {
    clusters *clusters;
    uint64_t reduced; /* states in which something was left out */
} counted_clusters;

static void choose_and_count(void *data, const state *s, const transitions *enabled, indices *out) {
    counted_clusters *c = data;
    clusters_choose(c->clusters, s, enabled, out);
    c->reduced += out->size < enabled->size;
}

/* Violated checks, a bit for each; false: there was no end. */
static bool violated_checks(const fixture *f, const explore_options *o, uint64_t *out) {
    outcome found = search_fixture(f, o);
    assert_int_equal(found.reduction_errors, 0);
    *out = 0;
    for (size_t i = 0; i < found.violations.size; i++)
        *out |= found.violations.data[i].kind == VIOLATION_DEADLOCK
                    ? UINT64_C(1) << 63
                    : UINT64_C(1) << found.violations.data[i].check;
    bool complete = found.complete;
    outcome_free(&found);
    return complete;
}

static void violations_of_random_programs_stay(void **unused) {
    (void)unused;
    uint64_t seed = 21, reduced = 0;
    unsigned safe = 0, unsafe = 0;
    for (int i = 0; i < 300; i++) {
        char source[2048];
        random_shape shape = {.threads = 3 + i % 2,
                              .statements = 1 + i % 3, /* few, or everyone meets everyone */
                              .loops_per_cent = 30,
                              .assertions = true,
                              .assumptions = i % 4 == 0,
                              .suspensions = i % 3 == 0,
                              .inputs = i % 5 == 0};
        random_program(&seed, &shape, source, sizeof source);
        machine_options how = machine_default_options();
        how.checks_cut = true;
        fixture f = fixture_open_with(source, &how);
        counted_clusters c = {.clusters = clusters_create(f.m)};
        explore_options plain = exploring(POR_NONE, MATCH_CEQ),
                        own = with_choice(MATCH_CEQ, choose_and_count, &c);
        plain.all = own.all = true;
        plain.properties = own.properties |= PROPERTY_DEADLOCK;
        plain.max_transitions = 2000;
        own.max_transitions = 20000;
        own.check_reduction = i % 2;
        uint64_t expected, found;
        bool finite = violated_checks(&f, &plain, &expected);
        for (int order = ORDER_DFS; order <= ORDER_BFS && finite; order++) {
            own.order = (search_order)order;
            if (!violated_checks(&f, &own, &found) || found != expected)
                fail_msg("other violations, order %d, of\n%s", order, source);
        }
        safe += finite && !expected;
        unsafe += finite && expected;
        reduced += finite && c.reduced;
        clusters_destroy(c.clusters);
        fixture_close(&f);
    }
    assert_true(safe > 20);
    assert_true(unsafe > 20);
    assert_true(reduced > 50); /* programs in which it had any effect */
}

/* Stronger than verdicts: without matching, exactly the classes of executions of no reduction. */
static void every_class_of_executions_stays(void **unused) {
    (void)unused;
    uint64_t seed = 5;
    unsigned compared = 0;
    for (int i = 0; i < 100; i++) {
        char source[2048];
        random_shape shape = {.threads = 3 + i % 2, .statements = 2, .suspensions = i % 2};
        random_program(&seed, &shape, source, sizeof source);
        fixture f = fixture_open(source);
        counted_clusters c = {.clusters = clusters_create(f.m)};
        explore_options plain = exploring(POR_NONE, MATCH_NONE),
                        own = with_choice(MATCH_NONE, choose_and_count, &c);
        plain.dump_traces = own.dump_traces = true;
        plain.max_transitions = own.max_transitions = 4000;
        outcome all = search_fixture(&f, &plain), fewer = search_fixture(&f, &own);
        if (all.complete) {
            assert_true(fewer.complete);
            assert_int_equal(fewer.trace_classes.size, all.trace_classes.size);
            for (size_t k = 0; k < all.trace_classes.size; k++)
                assert_true(fewer.trace_classes.data[k] == all.trace_classes.data[k]);
            compared += c.reduced != 0;
        }
        outcome_free(&all);
        outcome_free(&fewer);
        clusters_destroy(c.clusters);
        fixture_close(&f);
    }
    assert_true(compared > 20);
}

static void compare_verdicts(const char *name, const char *source) {
    fixture f = fixture_open_hurried(source, NULL);
    clusters *c = clusters_create(f.m);
    explore_options plain = exploring(POR_NONE, MATCH_CEQ), own = with_choice(MATCH_CEQ, clusters_choose, c);
    plain.max_transitions = own.max_transitions = 1500;
    outcome all = search_fixture(&f, &plain), fewer = search_fixture(&f, &own);
    verdict a = outcome_verdict(&all), b = outcome_verdict(&fewer);
    if (a != VERDICT_UNKNOWN && b != VERDICT_UNKNOWN && a != b) fail_msg("another verdict of %s", name);
    if (all.complete && !fewer.complete && b != VERDICT_UNSAFE) fail_msg("no end of %s", name);
    outcome_free(&all);
    outcome_free(&fewer);
    clusters_destroy(c);
    fixture_close(&f);
}

static void models_keep_their_verdicts(void **unused) {
    (void)unused;
    each_model(compare_verdicts);
}

/* --- variants that are wrong ---------------------------------------------------------------------------- */

/* B waits until C wakes it, and then spoils what A looks at: wrong only in the order B C B A. */
static const char *const woken_spoiler =
    "int x; event e; thread A{assert(x == 0);} thread B{wait e; x = 1;} thread C{notify e;} main{start;}";

typedef struct direct_only {
    const segments *segments;
} direct_only;

static bool meet_directly(const segments *all, uint32_t thread, uint32_t other) {
    for (uint32_t i = 0; i < all->list.size; i++)
        for (uint32_t j = 0; j < all->list.size; j++)
            if (all->list.data[i].thread == thread && all->list.data[j].thread == other &&
                segments_interact(all, i, j))
                return true;
    return false;
}

/* The first thread and those it meets itself, but not those whom these meet. */
static void choose_direct_only(void *data, const state *s, const transitions *enabled, indices *out) {
    const direct_only *d = data;
    (void)s;
    for (uint32_t i = 0; i < enabled->size; i++)
        if (!i || meet_directly(d->segments, enabled->data[0].thread, enabled->data[i].thread))
            vec_push(out, i);
}

/* Clusters by what is written and read alone. */
static clusters *create_without_events(const fixture *f) {
    const segments *all = machine_segments(f->m);
    clusters *c = create_apart(f->p->threads.size);
    for (uint32_t i = 0; i < all->list.size; i++)
        for (uint32_t j = 0; j < i; j++) {
            const effect *a = &all->list.data[i].touches, *b = &all->list.data[j].touches;
            for (size_t k = 0; k < a->size; k++)
                for (size_t l = 0; l < b->size; l++)
                    if (a->data[k].kind <= ACCESS_UPDATE && access_conflict(&a->data[k], &b->data[l]))
                        join_clusters(c, all->list.data[i].thread, all->list.data[j].thread);
        }
    return c;
}

/* Without matching: breadth first, a state is expanded fully where orders come together, which can make up
 * for a wrong choice. */
static verdict verdict_by(const fixture *f, choose_function *choose, void *data, search_order order) {
    explore_options o = with_choice(MATCH_NONE, choose, data);
    o.order = order;
    outcome out = search_fixture(f, &o);
    verdict v = outcome_verdict(&out);
    outcome_free(&out);
    return v;
}

static void wrong_variants_are_found_out(void **unused) {
    (void)unused;
    fixture f = fixture_open(woken_spoiler);
    explore_options plain = exploring(POR_NONE, MATCH_CEQ);
    outcome all = search_fixture(&f, &plain);
    assert_int_equal(outcome_verdict(&all), VERDICT_UNSAFE);
    outcome_free(&all);
    clusters *without_events = create_without_events(&f);
    direct_only direct = {machine_segments(f.m)};
    for (int order = ORDER_DFS; order <= ORDER_BFS; order++) {
        assert_int_equal(verdict_by(&f, choose_direct_only, &direct, (search_order)order), VERDICT_SAFE);
        assert_int_equal(verdict_by(&f, clusters_choose, without_events, (search_order)order), VERDICT_SAFE);
    }
    clusters_destroy(without_events);
    clusters *right = clusters_create(f.m);
    for (int order = ORDER_DFS; order <= ORDER_BFS; order++)
        assert_int_equal(verdict_by(&f, clusters_choose, right, (search_order)order), VERDICT_UNSAFE);
    clusters_destroy(right);
    fixture_close(&f);
}

/* --- the hook ------------------------------------------------------------------------------------------- */

static void choose_stubborn(void *data, const state *s, const transitions *enabled, indices *out) {
    persistent_compute(data, s, enabled, 0, out);
}

static void choose_ample(void *data, const state *s, const transitions *enabled, indices *out) {
    uint32_t one = ample_find(data, s, enabled);
    if (one != NO_INDEX) vec_push(out, one); /* none: everything */
}

static void assert_same_counts(const fixture *f, por_kind built_in, choose_function *choose, void *data) {
    for (int order = ORDER_DFS; order <= ORDER_BFS; order++) {
        explore_options theirs = exploring(built_in, MATCH_CEQ), own = with_choice(MATCH_CEQ, choose, data);
        theirs.order = own.order = (search_order)order;
        counts a = count_in(f, &theirs), b = count_in(f, &own);
        assert_int_equal(a.transitions, b.transitions);
        assert_int_equal(a.states, b.states);
        assert_int_equal(a.executions, b.executions);
        assert_int_equal(a.verdict, b.verdict);
    }
}

/* Built-in sets, handed over from outside, lead the same way as from inside. */
static void the_hook_is_as_good_as_what_is_built_in(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x, y, z; event e; thread A{x = 1; notify e; wait_time 1; z = x;}\n"
                             "thread B{y = 1; wait e; y = x;} thread C{while (true){z = 1; wait_time 1;}}\n"
                             "main{start 3;}");
    persistent *sets = persistent_create(f.m, POR_STUB_MIN, true);
    assert_same_counts(&f, POR_STUB_MIN, choose_stubborn, sets);
    persistent_destroy(sets);
    fixture_close(&f);
}

/* Two threads that count in cells of their own, and one more step that both are about. */
static fixture counting_threads(void) {
    static const char *const cells[] = {"x", "y", "both"}, *const names[] = {"a", "b"};
    maker k = maker_create(cells, 3);
    for (uint32_t t = 0; t < 2; t++) {
        begin_function(&k, names[t], FUNCTION_THREAD);
        put_store(&k, t, operand_const(32, 1));
        put_store(&k, t, operand_const(32, 2));
        put_store(&k, 2, operand_const(32, t));
        end_function(&k);
    }
    begin_main(&k);
    put_create(&k, 0);
    put_create(&k, 1);
    end_function(&k);
    return fixture_of_program(k.p, NULL, 0);
}

static void the_hook_knows_preemptive_programs(void **unused) {
    (void)unused;
    fixture f = counting_threads();
    explore_options plain = exploring(POR_NONE, MATCH_CEQ);
    counts all = count_in(&f, &plain);
    ample *one = ample_create(f.m, STOP_VISIBLE);
    assert_same_counts(&f, POR_AMPLE, choose_ample, one);
    explore_options own = with_choice(MATCH_CEQ, choose_ample, one);
    assert_true(count_in(&f, &own).transitions < all.transitions);
    ample_destroy(one);
    clusters *c = clusters_create(f.m); /* takes everything */
    assert_same_counts(&f, POR_NONE, clusters_choose, c);
    clusters_destroy(c);
    fixture_close(&f);
}

static void choose_by_list(void *data, const state *s, const transitions *enabled, indices *out) {
    (void)s, (void)enabled;
    const indices *list = data;
    for (size_t i = 0; i < list->size; i++) vec_push(out, list->data[i]);
}

/* A choice that is none must not hide anything. */
static void nonsense_counts_as_everything(void **unused) {
    (void)unused;
    static const struct {
        uint32_t numbers[2];
        size_t count;
    } nonsense[] = {{{0, 0}, 0}, {{7, 0}, 1}, {{1, 0}, 2}, {{0, 0}, 2}};
    fixture f = fixture_open("int x; thread A{x = 1;} thread B{x = 2;} thread C{x = 3;} main{start;}");
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        indices list = {0};
        for (size_t k = 0; k < nonsense[i].count; k++) vec_push(&list, nonsense[i].numbers[k]);
        assert_same_counts(&f, POR_NONE, choose_by_list, &list);
        vec_free(&list);
    }
    fixture_close(&f);
}

static void choose_never(void *data, const state *s, const transitions *enabled, indices *out) {
    (void)s, (void)enabled, (void)out;
    *(bool *)data = true;
}

static void the_hook_rests_where_there_is_no_reduction(void **unused) {
    (void)unused;
    fixture f = fixture_open(woken_spoiler);
    bool called = false;
    explore_options o = with_choice(MATCH_CEQ, choose_never, &called);
    o.por = POR_NONE;
    outcome out = search_fixture(&f, &o);
    assert_false(called);
    assert_string_equal(out.por, "none");
    outcome_free(&out);
    fixture_close(&f);
}

static bool is_refused(const fixture *f, const explore_options *how, const explorer *by) {
    outcome out = {0};
    by->run(f->m, how, &out);
    bool refused = out.doubts.size == 1 && out.doubts.data[0].why.kind == REASON_NOT_POSSIBLE;
    assert_true(!refused || (!out.stats.transitions && outcome_verdict(&out) == VERDICT_UNKNOWN));
    outcome_free(&out);
    return refused;
}

static void the_hook_is_refused_where_it_has_no_place(void **unused) {
    (void)unused;
    fixture f = fixture_open(woken_spoiler), threads = counting_threads();
    bool called = false;
    explore_options o = with_choice(MATCH_CEQ, choose_never, &called);
    assert_false(is_refused(&f, &o, &explorer_search));
    assert_true(called);
    called = false;
    o.por = POR_DPOR; /* another reduction was asked for */
    assert_true(is_refused(&f, &o, &explorer_search));
    o.por = POR_AUTO;
    o.stops = STOP_STATEMENT;
    assert_true(is_refused(&f, &o, &explorer_search));
    o.stops = STOP_LOOP_HEAD;
    assert_false(is_refused(&f, &o, &explorer_search));
    o.order = ORDER_BFS;
    called = false;
    assert_true(is_refused(&f, &o, &explorer_search));
    o = with_choice(MATCH_AUTO, choose_never, &called);
    assert_true(is_refused(&threads, &o, &explorer_dpor));
    assert_false(called);
    fixture_close(&f);
    fixture_close(&threads);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_never_meet_are_apart),
        cmocka_unit_test(those_that_meet_are_together),
        cmocka_unit_test(two_pairs_take_turns_as_wholes),
        cmocka_unit_test(strangers_go_one_after_the_other),
        cmocka_unit_test(violations_of_random_programs_stay),
        cmocka_unit_test(every_class_of_executions_stays),
        cmocka_unit_test(models_keep_their_verdicts),
        cmocka_unit_test(wrong_variants_are_found_out),
        cmocka_unit_test(the_hook_is_as_good_as_what_is_built_in),
        cmocka_unit_test(the_hook_knows_preemptive_programs),
        cmocka_unit_test(nonsense_counts_as_everything),
        cmocka_unit_test(the_hook_rests_where_there_is_no_reduction),
        cmocka_unit_test(the_hook_is_refused_where_it_has_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
