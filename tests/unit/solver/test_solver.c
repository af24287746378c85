/* Satisfiability: answers, models and cores against brute force, layers, budgets, the second opinion. */
#include "base/clock.h"
#include "random_terms.h"
#include "solver/query.h"
#include "solver/solver.h"
#include "solver/z3.h"
#include "term_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOLS = 5, LONGEST = 6 };

/* --- brute force ---------------------------------------------------------------------------------------- */

typedef struct world {
    terms *c;
    const term *symbols[SYMBOLS]; /* 3 + 3 + 2 + 2 + 1 bits */
    valuation *v;
} world;

static world open_world(void) {
    static const unsigned widths[SYMBOLS] = {3, 3, 2, 2, 1};
    world w = {.c = terms_create(), .v = valuation_create()};
    for (unsigned i = 0; i < SYMBOLS; i++) w.symbols[i] = term_symbol(w.c, widths[i], i + 1, NULL, 0);
    return w;
}

static void close_world(world *w) {
    valuation_destroy(w->v);
    terms_destroy(w->c);
}

static bool satisfiable(world *w, const term *const *conditions, size_t count) {
    for (unsigned code = 0; code < 1u << 11; code++) {
        unsigned rest = code;
        for (int i = 0; i < SYMBOLS; i++) {
            valuation_set(w->v, w->symbols[i], rest & term_mask(w->symbols[i]->width));
            rest >>= w->symbols[i]->width;
        }
        bool all = true;
        for (size_t i = 0; i < count && all; i++) all = term_evaluate(w->c, conditions[i], w->v);
        if (all) return true;
    }
    return false;
}

static size_t random_conjunction(world *w, random_source *r, const term **conditions) {
    size_t count = 1 + random_below(r, LONGEST);
    for (size_t i = 0; i < count; i++) {
        cookbook book = {.symbols = w->symbols, .symbol_count = SYMBOLS};
        conditions[i] = made(&book, random_recipe(w->c, &book, r, 1, 1 + (int)random_below(r, 3)));
    }
    return count;
}

static void check_model(world *w, solver *s, const term *const *conditions, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_int_equal(term_evaluate(w->c, conditions[i], solver_model(s)), 1);
}

static void check_core(world *w, solver *s, const term *const *conditions, bool minimise) {
    const term *subset[LONGEST];
    const solver_core *core = solver_unsat_core(s, minimise);
    assert_true(core->size > 0);
    for (size_t i = 0; i < core->size; i++) {
        assert_true(i == 0 || core->data[i - 1] < core->data[i]);
        subset[i] = conditions[core->data[i]];
    }
    assert_false(satisfiable(w, subset, core->size));
    if (!minimise) return;
    for (size_t drop = 0; drop < core->size; drop++) { /* every one of them is needed */
        const term *rest[LONGEST];
        size_t left = 0;
        for (size_t i = 0; i < core->size; i++)
            if (i != drop) rest[left++] = subset[i];
        assert_true(satisfiable(w, rest, left));
    }
}

static void compare_with_brute_force(const solver_options *options, bool simplify, uint64_t seed,
                                     int rounds) {
    world w = open_world();
    random_source r = {seed};
    solver *s = solver_create(w.c, options);
    terms_set_simplify(w.c, simplify);
    for (int round = 0; round < rounds; round++) {
        const term *conditions[LONGEST];
        size_t count = random_conjunction(&w, &r, conditions);
        bool expected = satisfiable(&w, conditions, count);
        assert_int_equal(solver_check(s, conditions, count), expected ? SOLVER_SAT : SOLVER_UNSAT);
        if (expected)
            check_model(&w, s, conditions, count);
        else
            check_core(&w, s, conditions, round % 2);
        if (satisfiable(&w, conditions, count - 1))
            assert_int_equal(solver_check_extension(s, conditions, count - 1, conditions[count - 1]),
                             expected ? SOLVER_SAT : SOLVER_UNSAT);
    }
    assert_int_equal(solver_stats(s)->disagreements, 0);
    assert_int_equal(solver_stats(s)->unknown, 0);
    solver_destroy(s);
    close_world(&w);
}

/* Every combination of the layers, with and without simplification. */
static void all_layers_agree(void **state) {
    (void)state;
    for (unsigned mask = 0; mask < 32; mask++) {
        solver_options options = solver_default_options();
        options.slicing = mask & 1;
        options.model_reuse = mask & 2;
        options.cache = mask & 4;
        options.incremental = mask & 8;
        compare_with_brute_force(&options, mask & 16, 1000 + mask, mask & 8 ? 150 : 40);
    }
}

static void long_sessions_stay_right(void **state) {
    (void)state;
    compare_with_brute_force(NULL, true, 5, 3000);
}

/* --- layers --------------------------------------------------------------------------------------------- */

static void plain_contradictions_need_no_solver(void **state) {
    fixture *f = *state;
    solver *s = solver_create(f->c, NULL);
    const term *a = term_ult(f->c, f->x, f->y), *b = term_slt(f->c, f->y, f->z);
    const term *conditions[] = {b, a, term_not(f->c, a)};
    assert_int_equal(solver_check(s, conditions, 3), SOLVER_UNSAT);
    const solver_core *core = solver_unsat_core(s, false);
    assert_int_equal(core->size, 2);
    assert_int_equal(core->data[0], 1);
    assert_int_equal(core->data[1], 2);
    assert_int_equal(solver_check(s, NULL, 0), SOLVER_SAT);
    const term *no = term_false(f->c);
    assert_int_equal(solver_check(s, &no, 1), SOLVER_UNSAT);
    assert_int_equal(solver_stats(s)->by_sat, 0);
    assert_int_equal(solver_stats(s)->trivial, 3);
    solver_destroy(s);
}

static void slicing_skips_unrelated_conditions(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    solver *s = solver_create(c, NULL);
    const term *hard = term_eq(c, term_mul(c, term_mul(c, f->x, f->x), f->y), number(f, 12345));
    const term *path[] = {hard, term_ult(c, f->z, number(f, 10))};
    assert_int_equal(solver_check_extension(s, path, 2, term_eq(c, f->z, number(f, 11))), SOLVER_UNSAT);
    assert_int_equal(solver_check_extension(s, path, 2, term_eq(c, f->z, number(f, 3))), SOLVER_SAT);
    assert_int_equal(solver_stats(s)->by_sat, 0); /* the product was never looked at */
    solver_destroy(s);
}

static void models_and_cores_are_used_again(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    solver *s = solver_create(c, NULL);
    const term *a = term_eq(c, term_add(c, term_mul(c, f->x, f->y), f->x), number(f, 30)),
               *b = term_ult(c, f->y, f->x);
    const term *both[] = {a, b},
               *impossible[] = {term_ult(c, f->x, f->y), term_ult(c, f->y, f->z), term_ult(c, f->z, f->x)};
    assert_int_equal(solver_check(s, both, 2), SOLVER_SAT);
    uint64_t solved = solver_stats(s)->by_sat;
    assert_int_equal(solver_check(s, both, 1), SOLVER_SAT);
    assert_int_equal(solver_stats(s)->by_sat, solved);
    assert_int_equal(solver_stats(s)->by_model, 1);
    assert_int_equal(solver_check(s, impossible, 3), SOLVER_UNSAT);
    solved = solver_stats(s)->by_sat;
    const term *more[] = {impossible[2], a, impossible[1], impossible[0]};
    assert_int_equal(solver_check(s, more, 4), SOLVER_UNSAT);
    assert_int_equal(solver_stats(s)->by_sat, solved);
    assert_int_equal(solver_stats(s)->by_cache, 1);
    solver_destroy(s);
}

static void components_are_told_apart(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    conjunct_list list = {0};
    marks seen = {0}, scratch = {0};
    size_t clash[2];
    marks_forget(&seen);
    const term *u = term_symbol(c, 32, 4, NULL, 0);
    const term *conditions[] = {term_ult(c, f->x, number(f, 5)), term_ult(c, f->y, f->z),
                                term_ult(c, f->x, number(f, 5)), term_slt(c, u, f->x),
                                term_slt(c, f->z, number(f, 9))};
    for (size_t i = 0; i < 5; i++) assert_true(query_add(&list, &seen, conditions[i], i, clash));
    assert_int_equal(list.size, 4); /* the repeated one is dropped */
    assert_int_equal(slice_components(&list, &scratch, true), 2);
    static const size_t expected[] = {0, 1, 0, 1};
    for (size_t i = 0; i < 4; i++) assert_int_equal(list.data[i].component, expected[i]);
    assert_int_equal(slice_components(&list, &scratch, false), 1);
    assert_false(query_add(&list, &seen, term_not(c, conditions[1]), 7, clash));
    assert_int_equal(clash[0], 1);
    assert_int_equal(clash[1], 7);
    vec_free(&list);
    marks_free(&seen);
    marks_free(&scratch);
}

/* --- budgets -------------------------------------------------------------------------------------------- */

/* Two factors of a product of primes near 2^31: out of reach for a handful of conflicts. */
static size_t hard_conditions(fixture *f, const term **conditions) {
    terms *c = f->c;
    const term *a = term_zext(c, f->x, 64), *b = term_zext(c, f->y, 64);
    conditions[0] =
        term_eq(c, term_mul(c, a, b), term_const(c, 64, UINT64_C(2147483647) * UINT64_C(2147483629)));
    conditions[1] = term_ult(c, number(f, 1), f->x);
    conditions[2] = term_ult(c, f->x, f->y);
    return 3;
}

static void conflicts_bound_a_query(void **state) {
    fixture *f = *state;
    solver_options options = solver_default_options();
    options.query_conflicts = 50;
    solver *s = solver_create(f->c, &options);
    const term *conditions[3];
    size_t count = hard_conditions(f, conditions);
    assert_int_equal(solver_check(s, conditions, count), SOLVER_UNKNOWN);
    assert_int_equal(solver_stats(s)->unknown, 1);
    /* The solver is still usable. */
    const term *easy = term_eq(f->c, term_add(f->c, f->x, f->y), number(f, 3));
    assert_int_equal(solver_check(s, &easy, 1), SOLVER_SAT);
    solver_destroy(s);
}

/* What is unknown about one part neither hides nor is hidden by what is known about another. */
static void unknown_parts_count(void **state) {
    fixture *f = *state;
    solver_options options = solver_default_options();
    options.query_conflicts = 50;
    solver *s = solver_create(f->c, &options);
    terms *c = f->c;
    const term *conditions[7], *p = term_symbol(c, 1, 8, NULL, 0), *q = term_symbol(c, 1, 9, NULL, 0);
    size_t count = hard_conditions(f, conditions);
    conditions[count++] = term_or(c, p, q);
    conditions[count++] = term_or(c, p, term_not(c, q));
    conditions[count++] = term_or(c, term_not(c, p), q);
    assert_int_equal(solver_check(s, conditions, count), SOLVER_UNKNOWN);
    conditions[count++] = term_or(c, term_not(c, p), term_not(c, q));
    assert_int_equal(solver_check(s, conditions, count), SOLVER_UNSAT);
    const solver_core *core = solver_unsat_core(s, false);
    assert_int_equal(core->data[0], 3); /* nothing of the part that is unknown */
    solver_destroy(s);
}

static void time_bounds_a_query(void **state) {
    fixture *f = *state;
    solver_options options = solver_default_options();
    options.query_seconds = 0.2;
    solver *s = solver_create(f->c, &options);
    const term *conditions[3];
    size_t count = hard_conditions(f, conditions);
    assert_int_equal(solver_check(s, conditions, count), SOLVER_UNKNOWN);
    solver_destroy(s);
}

static bool count_down(void *data) {
    int *left = data;
    return --*left < 0;
}

static void an_interrupt_ends_a_query(void **state) {
    fixture *f = *state;
    solver_options options = solver_default_options();
    int left = 5;
    options.interrupted = count_down;
    options.interrupted_data = &left;
    options.z3 = false;
    solver *s = solver_create(f->c, &options);
    const term *conditions[3];
    size_t count = hard_conditions(f, conditions);
    assert_int_equal(solver_check(s, conditions, count), SOLVER_UNKNOWN);
    assert_true(left < 0);
    solver_destroy(s);
}

/* One that needs no search: the solver inside would answer before it asks whether to stop. */
static void no_query_begins_after_an_interrupt(void **state) {
    fixture *f = *state;
    solver_options options = solver_default_options();
    int left = 0;
    options.interrupted = count_down;
    options.interrupted_data = &left;
    solver *s = solver_create(f->c, &options);
    const term *condition = term_ult(f->c, term_mul(f->c, f->x, f->y), f->x);
    assert_int_equal(solver_check(s, &condition, 1), SOLVER_UNKNOWN);
    solver_destroy(s);
}

/* --- log and second opinion ----------------------------------------------------------------------------- */

typedef struct logged {
    int queries;
    solver_answer last;
    text script;
} logged;

static void keep_log(void *data, const char *smtlib, solver_answer answer) {
    logged *l = data;
    l->queries++;
    l->last = answer;
    text_free(&l->script);
    text_add(&l->script, smtlib);
}

static void queries_are_logged_as_smtlib(void **state) {
    fixture *f = *state;
    solver *s = solver_create(f->c, NULL);
    logged log = {0};
    solver_set_log(s, keep_log, &log);
    const term *condition = term_ult(f->c, term_mul(f->c, f->x, f->y), f->x);
    assert_int_equal(solver_check(s, &condition, 1), SOLVER_SAT);
    assert_int_equal(log.queries, 1);
    assert_int_equal(log.last, SOLVER_SAT);
    assert_non_null(strstr(text_cstr(&log.script), "bvmul"));
    assert_non_null(strstr(text_cstr(&log.script), "(check-sat)"));
    solver_set_log(s, NULL, NULL);
    condition = term_not(f->c, condition);
    solver_check(s, &condition, 1);
    assert_int_equal(log.queries, 1);
    text_free(&log.script);
    solver_destroy(s);
}

static bool z3_is_there(void) {
    sat_limits limits = {.deadline = clock_wall() + 10};
    if (z3_run("(check-sat)\n", &limits, NULL) == SOLVER_SAT) return true;
    print_message("z3 is not installed: cross-checks skipped\n");
    return false;
}

/* One script with many independent queries, so that Z3 is started once. */
static void z3_agrees_on_random_formulas(void **state) {
    (void)state;
    if (!z3_is_there()) skip();
    enum { FORMULAS = 300 };
    static const unsigned widths[] = {1, 4, 8, 16, 32};
    solver_answer answers[FORMULAS];
    random_source r = {321};
    text script = {0}, reply = {0};
    for (int i = 0; i < FORMULAS; i++) {
        terms *c = terms_create();
        solver_options options = solver_default_options();
        options.query_conflicts = 20000;
        solver *s = solver_create(c, &options);
        unsigned width = widths[i % 5];
        const term *symbols[3] = {term_symbol(c, width, 1, NULL, 0), term_symbol(c, width, 2, NULL, 0),
                                  term_symbol(c, 1, 3, NULL, 0)};
        const term *conditions[3];
        for (int k = 0; k < 3; k++) {
            cookbook book = {.symbols = symbols, .symbol_count = 3};
            conditions[k] = made(&book, random_recipe(c, &book, &r, 1, 4));
        }
        answers[i] = solver_check(s, conditions, 3);
        term_print_smtlib(c, conditions, 3, &script);
        text_add(&script, "(reset)\n");
        solver_destroy(s);
        terms_destroy(c);
    }
    sat_limits limits = {.deadline = clock_wall() + 60};
    z3_run(text_cstr(&script), &limits, &reply);
    int compared = 0;
    const char *line = text_cstr(&reply);
    for (int i = 0; i < FORMULAS && *line; i++, line = strchr(line, '\n') + 1) {
        assert_null(strstr(line, "error"));
        if (answers[i] == SOLVER_UNKNOWN || !strncmp(line, "unknown", 7)) continue;
        assert_int_equal(answers[i], strncmp(line, "sat", 3) ? SOLVER_UNSAT : SOLVER_SAT);
        compared++;
    }
    assert_true(compared > FORMULAS / 2);
    text_free(&script);
    text_free(&reply);
}

static void z3_gives_models(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    if (!z3_is_there()) skip();
    const term *p = term_symbol(c, 1, 9, NULL, 0), *wide = term_symbol(c, 64, 10, NULL, 0),
               *odd = term_symbol(c, 7, 11, NULL, 0);
    const term *conditions[] = {p, term_eq(c, wide, term_const(c, 64, UINT64_MAX - 5)),
                                term_eq(c, term_add(c, odd, term_const(c, 7, 1)), term_const(c, 7, 100)),
                                term_eq(c, term_mul(c, f->x, number(f, 3)), number(f, 21))};
    valuation *model = valuation_create();
    sat_limits limits = {.deadline = clock_wall() + 20};
    assert_int_equal(z3_check(c, conditions, 4, &limits, model), SOLVER_SAT);
    for (int i = 0; i < 4; i++) assert_int_equal(term_evaluate(c, conditions[i], model), 1);
    valuation_destroy(model);
}

static void cross_checks_find_no_disagreement(void **state) {
    (void)state;
    if (!z3_is_there()) skip();
    world w = open_world();
    random_source r = {99};
    solver_options options = solver_default_options();
    options.cross_check = true;
    solver *s = solver_create(w.c, &options);
    for (int round = 0; round < 20; round++) {
        const term *conditions[LONGEST];
        size_t count = random_conjunction(&w, &r, conditions);
        solver_check(s, conditions, count);
    }
    assert_int_equal(solver_stats(s)->disagreements, 0);
    solver_destroy(s);
    close_world(&w);
}

static void z3_takes_over_when_time_runs_out(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    if (!z3_is_there()) skip();
    solver_options options = solver_default_options();
    options.query_conflicts = 1; /* nothing is left for CaDiCaL */
    options.query_seconds = 30;
    solver *s = solver_create(c, &options);
    const term *conditions[] = {term_eq(c, term_mul(c, f->x, f->y), number(f, 391)),
                                term_ult(c, f->x, number(f, 50)), term_ult(c, f->y, number(f, 50)),
                                term_ult(c, f->x, f->y)};
    assert_int_equal(solver_check(s, conditions, 4), SOLVER_SAT);
    for (int i = 0; i < 4; i++) assert_int_equal(term_evaluate(c, conditions[i], solver_model(s)), 1);
    assert_int_equal(solver_stats(s)->by_z3, 1);
    solver_destroy(s);
}

static void a_missing_z3_is_no_error(void **state) {
    (void)state;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    sat_limits limits = {.deadline = clock_wall() + 10};
    solver_answer answer = z3_run("(check-sat)\n", &limits, NULL);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(answer, SOLVER_UNKNOWN);
}

static void z3_is_stopped_in_time(void **state) {
    fixture *f = *state;
    if (!z3_is_there()) skip();
    const term *conditions[3];
    size_t count = hard_conditions(f, conditions);
    sat_limits limits = {.deadline = clock_wall() + 0.2};
    assert_int_equal(z3_check(f->c, conditions, count, &limits, NULL), SOLVER_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_layers_agree),
        cmocka_unit_test(long_sessions_stay_right),
        cmocka_unit_test_setup_teardown(plain_contradictions_need_no_solver, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slicing_skips_unrelated_conditions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(models_and_cores_are_used_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(components_are_told_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(conflicts_bound_a_query, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_parts_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(time_bounds_a_query, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_interrupt_ends_a_query, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_query_begins_after_an_interrupt, set_up, tear_down),
        cmocka_unit_test_setup_teardown(queries_are_logged_as_smtlib, set_up, tear_down),
        cmocka_unit_test(z3_agrees_on_random_formulas),
        cmocka_unit_test_setup_teardown(z3_gives_models, set_up, tear_down),
        cmocka_unit_test(cross_checks_find_no_disagreement),
        cmocka_unit_test_setup_teardown(z3_takes_over_when_time_runs_out, set_up, tear_down),
        cmocka_unit_test(a_missing_z3_is_no_error),
        cmocka_unit_test_setup_teardown(z3_is_stopped_in_time, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
