/* The reduction checker: it finds a planted wrong independence, and none in the models. */
#include "model_files.h"
#include "random_programs.h"

#include "base/bits.h"
#include "reduction/checker.h"

/* The errors and pairs seen in the state after these steps; with `plant`, the analysis is made to call all
 * segments independent first. */
static uint64_t look(const char *source, const char *steps, bool plant, uint64_t *pairs) {
    fixture f = fixture_open(source);
    state *s = walk(&f, steps);
    if (plant) {
        const segments *g = machine_segments(f.m);
        memset(g->dependent, 0, g->list.size * g->words * sizeof *g->dependent);
    }
    transitions enabled = {0};
    machine_enabled(f.m, s, &enabled);
    checker *c = checker_create(f.m);
    *pairs = 0;
    uint64_t errors = checker_look(c, s, &enabled, pairs);
    checker_destroy(c);
    vec_free(&enabled);
    state_release(f.m, s);
    fixture_close(&f);
    return errors;
}

static void independent_pairs_are_tried_and_right(void **unused) {
    (void)unused;
    uint64_t pairs;
    assert_int_equal(look("int x, y; thread A{x = 1;} thread B{y = 2;}", "", false, &pairs), 0);
    assert_int_equal(pairs, 1);
    assert_int_equal(look("int x; thread A{x = 1;} thread B{x = 2;}", "", false, &pairs), 0);
    assert_int_equal(pairs, 0); /* nobody called these independent */
    assert_int_equal(
        look("int x, y, z; thread A{x += 1;} thread B{x += 2;} thread C{y = z;}", "", false, &pairs), 0);
    assert_int_equal(pairs, 3);
}

/* Independence seen at run time counts too: the pointer might have been anything, but is not. */
static void what_was_touched_is_enough(void **unused) {
    (void)unused;
    uint64_t pairs;
    assert_int_equal(
        look("int x, y; int *p; thread A{*p = 1;} thread B{y = 2;} main{p = &x; start;}", "", false, &pairs),
        0);
    assert_int_equal(pairs, 1);
}

static void paths_may_split_along_other_lines_first(void **unused) {
    (void)unused;
    uint64_t pairs;
    const char *source = "int x = ?(int), a, b; thread A{if (x > 3) a = 1; else a = 2;} thread B{if (x > 5) "
                         "b = 1; else b = 2;}";
    assert_int_equal(look(source, "", false, &pairs), 0);
    assert_int_equal(pairs, 1);
    assert_int_equal(look("uint d = ?(uint), g = ?(uint); event e; thread A{notify e, d;} thread B{notify e, "
                          "g;} main{assume(d > 0 && g > 0); start;}",
                          "", false, &pairs),
                     0);
    assert_int_equal(pairs, 1);
}

static void planted_errors_are_found(void **unused) {
    (void)unused;
    static const struct {
        const char *source, *steps;
    } cases[] = {
        {"int x, y; thread A{x = 1;} thread B{y = x;}", ""},
        {"int x; thread A{x = 1;} thread B{x = 2;}", ""},
        {"int x = 1; thread A{x += 1;} thread B{x *= 2;}", ""},
        {"event e; thread A{wait e;} thread B{notify e;}", ""},
        {"event e; thread A{notify e, 0;} thread B{cancel e;}", ""},
        {"event e; thread A{notify e, 0;} thread B{notify e;}", ""},
        {"int x; thread A{suspend B;} thread B{x = 1;}", ""},
        {"thread A{suspend B;} thread B{suspend A;}", ""},
        {"thread A{suspend C;} thread B{resume C;} thread C{wait_time 9;}", "C"},
        {"int x; int *p; thread A{*p = 1;} thread B{x = 2;} main{p = &x; start;}", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t pairs;
        if (look(cases[i].source, cases[i].steps, false, &pairs))
            fail_msg("false alarm: %s", cases[i].source);
        if (!look(cases[i].source, cases[i].steps, true, &pairs)) fail_msg("not found: %s", cases[i].source);
        assert_true(pairs > 0);
    }
}

static uint64_t pairs_in_all;

static void check_program(const char *name, const char *source, uint64_t transitions) {
    fixture f = fixture_open_hurried(source, NULL);
    explore_options o = exploring(POR_NONE, MATCH_ESM_HASH);
    o.check_reduction = true;
    o.max_transitions = transitions;
    o.max_depth = 40;
    outcome out = search_fixture(&f, &o);
    if (out.reduction_errors) fail_msg("%s: %u wrong pairs", name, (unsigned)out.reduction_errors);
    pairs_in_all += out.stats.reduction_checks;
    outcome_free(&out);
    fixture_close(&f);
}

static void check_model(const char *name, const char *source) {
    check_program(name, source, 600);
}

static void the_models_have_no_wrong_pairs(void **unused) {
    (void)unused;
    each_model(check_model);
    assert_true(pairs_in_all > 900);
}

static void random_programs_have_no_wrong_pairs(void **unused) {
    (void)unused;
    uint64_t seed = 31;
    pairs_in_all = 0;
    for (int i = 0; i < 500; i++) {
        char source[2048];
        random_shape shape = {.threads = 3 + i % 2,
                              .statements = 4,
                              .loops_per_cent = 30,
                              .assumptions = true,
                              .suspensions = true,
                              .inputs = i % 2};
        random_program(&seed, &shape, source, sizeof source);
        check_program(source, source, 300);
    }
    assert_true(pairs_in_all > 4000);
}

/* A search that finds an error of the reduction must not say `safe`. */
static void an_error_is_a_doubt(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x, y; thread A{x = 1;} thread B{y = x;}");
    const segments *g = machine_segments(f.m);
    memset(g->dependent, 0, g->list.size * g->words * sizeof *g->dependent);
    explore_options o = exploring(POR_NONE, MATCH_CEQ);
    o.check_reduction = true;
    outcome out = search_fixture(&f, &o);
    assert_true(out.reduction_errors > 0);
    assert_int_equal(outcome_verdict(&out), VERDICT_ERROR);
    outcome_free(&out);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_pairs_are_tried_and_right),
        cmocka_unit_test(what_was_touched_is_enough),
        cmocka_unit_test(paths_may_split_along_other_lines_first),
        cmocka_unit_test(planted_errors_are_found),
        cmocka_unit_test(the_models_have_no_wrong_pairs),
        cmocka_unit_test(random_programs_have_no_wrong_pairs),
        cmocka_unit_test(an_error_is_a_doubt),
    };
    return cmocka_run_group_tests_name("checker", tests, NULL, NULL);
}
