/* Exists-forall: is every state described by (path1, left) also described by (path2, right)? */
#include "random_terms.h"
#include "solver/eliminate.h"
#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

enum { W = 32 };

typedef struct fixture {
    terms *c;
    solver *s;
    const term *x1, *x2, *y1, *y2, *y3;
} fixture;

static int set_up(void **state) {
    fixture *f = malloc(sizeof *f);
    f->c = terms_create();
    solver_options options = solver_default_options();
    options.query_conflicts = 100000;
    f->s = solver_create(f->c, &options);
    f->x1 = term_symbol(f->c, W, 1, "x1", 0);
    f->x2 = term_symbol(f->c, W, 2, "x2", 0);
    f->y1 = term_symbol(f->c, W, 11, "y1", 0);
    f->y2 = term_symbol(f->c, W, 12, "y2", 0);
    f->y3 = term_symbol(f->c, W, 13, "y3", 0);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    solver_destroy(f->s);
    terms_destroy(f->c);
    free(f);
    return 0;
}

static const term *number(const fixture *f, uint64_t value) {
    return term_const(f->c, W, value);
}

typedef struct side {
    const term *path[3];
    size_t conditions;
    const term *values[3];
} side;

static solver_answer subsumed(fixture *f, const side *a, const side *b, size_t pairs) {
    return solver_subsumed(f->s, a->path, a->conditions, b->path, b->conditions, a->values, b->values, pairs);
}

static void intervals_shifted_and_scaled(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    side a = {{term_sle(c, number(f, 3), f->x1), term_sle(c, f->x1, number(f, 7))},
              2,
              {term_mul(c, f->x1, number(f, 2))}};
    side b = {{term_sle(c, number(f, 0), f->y1), term_sle(c, f->y1, number(f, 10))},
              2,
              {term_add(c, f->y1, number(f, 5))}};
    assert_int_equal(subsumed(f, &a, &b, 1), SOLVER_UNSAT);
    assert_int_equal(subsumed(f, &b, &a, 1), SOLVER_SAT);
}

static void two_values_with_a_free_sum(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    side a = {{term_ne(c, f->x1, number(f, 0))}, 1, {term_mul(c, f->x1, number(f, 2)), f->x2}};
    side b = {{NULL}, 0, {term_add(c, f->y1, number(f, 1)), term_add(c, f->y2, f->y3)}};
    assert_int_equal(subsumed(f, &a, &b, 2), SOLVER_UNSAT);
    assert_int_equal(subsumed(f, &b, &a, 2), SOLVER_SAT);
}

static void doubling_loses_odd_numbers(void **state) {
    fixture *f = *state;
    side even = {{NULL}, 0, {term_mul(f->c, f->x1, number(f, 2))}}, all = {{NULL}, 0, {f->y1}};
    assert_int_equal(subsumed(f, &even, &all, 1), SOLVER_UNSAT);
    assert_int_equal(subsumed(f, &all, &even, 1), SOLVER_SAT);
}

static void adding_one_loses_nothing(void **state) {
    fixture *f = *state;
    side plain = {{NULL}, 0, {f->x1}}, next = {{NULL}, 0, {term_add(f->c, f->y1, number(f, 1))}};
    assert_int_equal(subsumed(f, &plain, &next, 1), SOLVER_UNSAT);
    assert_int_equal(subsumed(f, &next, &plain, 1), SOLVER_UNSAT);
}

static void a_number_and_its_description(void **state) {
    fixture *f = *state;
    side five = {{NULL}, 0, {number(f, 5)}}, described = {{term_eq(f->c, f->y1, number(f, 5))}, 1, {f->y1}};
    assert_int_equal(subsumed(f, &five, &described, 1), SOLVER_UNSAT);
    assert_int_equal(subsumed(f, &described, &five, 1), SOLVER_UNSAT);
}

static void unconnected_conditions_must_be_possible(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    const term *square = term_mul(c, f->y2, f->y2);
    side a = {{NULL}, 0, {f->x1}};
    side possible = {{term_eq(c, square, number(f, 49))}, 1, {f->y1}};
    side impossible = {{term_eq(c, term_and(c, square, number(f, 3)), number(f, 3))}, 1, {f->y1}};
    assert_int_equal(subsumed(f, &a, &possible, 1), SOLVER_UNSAT);
    assert_int_equal(subsumed(f, &a, &impossible, 1), SOLVER_SAT);
    side nothing = {{term_ult(c, f->x1, f->x2), term_ult(c, f->x2, f->x1)}, 2, {f->x1}};
    assert_int_equal(subsumed(f, &nothing, &impossible, 1), SOLVER_UNSAT);
}

static void products_are_matched_by_structure(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    side a = {{NULL}, 0, {term_mul(c, f->x1, f->x2)}}, b = {{NULL}, 0, {term_mul(c, f->y1, f->y2)}};
    assert_int_equal(subsumed(f, &a, &b, 1), SOLVER_UNSAT);
    side any = {{NULL}, 0, {f->x1}}, square = {{NULL}, 0, {term_mul(c, f->y1, f->y1)}};
    assert_int_equal(subsumed(f, &any, &b, 1), SOLVER_UNSAT);
    assert_int_equal(subsumed(f, &any, &square, 1), SOLVER_SAT);
}

static void bounds_between_unknowns(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    side b = {{term_ult(c, f->y1, f->y2), term_ult(c, f->y2, f->y3), term_ult(c, f->y3, number(f, 50))},
              3,
              {f->y1}};
    side inside = {{term_ult(c, f->x1, number(f, 48))}, 1, {f->x1}};
    side outside = {{term_ult(c, f->x1, number(f, 49))}, 1, {f->x1}};
    assert_int_equal(subsumed(f, &inside, &b, 1), SOLVER_UNSAT);
    assert_int_equal(subsumed(f, &outside, &b, 1), SOLVER_SAT);
}

static void a_state_subsumes_itself(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    const term *path[] = {term_ult(c, term_urem(c, f->x1, f->x2), number(f, 9)), term_ne(c, f->x1, f->x2)};
    const term *values[] = {term_udiv(c, f->x1, f->x2), term_mul(c, f->x1, f->x1)};
    const term *path2[2], *values2[2];
    for (int i = 0; i < 2; i++) {
        path2[i] = term_primed(c, path[i]);
        values2[i] = term_primed(c, values[i]);
    }
    assert_int_equal(solver_subsumed(f->s, path, 2, path2, 2, values, values2, 2), SOLVER_UNSAT);
}

/* One y is determined by x, another by that y. */
static void chains_of_equations(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    side a = {{NULL}, 0, {f->x1}};
    side b = {
        {term_eq(c, f->y1, term_add(c, f->y2, number(f, 1))), term_ult(c, f->y1, number(f, 10))}, 2, {f->y2}};
    assert_int_equal(subsumed(f, &a, &b, 1), SOLVER_SAT);
    side small = {{term_ult(c, f->x1, number(f, 9))}, 1, {f->x1}};
    assert_int_equal(subsumed(f, &small, &b, 1), SOLVER_UNSAT);
}

/* The x of a counterexample must satisfy the premise also where no choice of y mentions it. */
static void counterexamples_satisfy_the_premise(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    const term *p = term_symbol(c, 1, 3, NULL, 0), *q = term_symbol(c, 1, 14, NULL, 0);
    const term *some = term_ite(c, q, f->y1, f->y2);
    side a = {{p}, 1, {term_zext(c, p, W)}};                  /* 1, and nothing else */
    side b = {{NULL}, 0, {term_sdiv(c, some, number(f, 0))}}; /* 1 or -1 */
    assert_int_equal(subsumed(f, &a, &b, 1), SOLVER_UNSAT);
    side without = {{NULL}, 0, {term_zext(c, p, W)}};
    assert_int_equal(subsumed(f, &without, &b, 1), SOLVER_SAT);
}

static void shared_symbols_are_refused(void **state) {
    fixture *f = *state;
    side a = {{NULL}, 0, {f->x1}};
    assert_int_equal(subsumed(f, &a, &a, 1), SOLVER_UNKNOWN);
}

static void equations_eliminate_symbols(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    const term *y = f->y1, *x = f->x1, *byte = term_symbol(c, 8, 20, NULL, 0);
    const term *solvable[] = {
        term_eq(c, term_add(c, y, f->x2), x),
        term_eq(c, term_mul(c, y, number(f, 12)), x),
        term_eq(c, term_xor(c, y, f->x2), x),
        term_eq(c, term_not(c, y), x),
        term_eq(c, term_extract(c, y, 8, 8), byte),
        term_eq(c, term_zext(c, term_extract(c, y, 0, 8), W), x),
        term_eq(c, term_sext(c, term_extract(c, y, 0, 8), W), x),
        term_eq(c, term_concat(c, byte, term_extract(c, y, 0, 24)), x),
        term_eq(c, term_and(c, y, number(f, 0x505)), x),
        term_eq(c, term_or(c, y, number(f, 0x505)), x),
    };
    for (size_t i = 0; i < sizeof solvable / sizeof *solvable; i++) {
        elimination e = {.context = c};
        map_put(&e.bound, y->id, 1);
        elimination_add(&e, solvable[i]);
        elimination_run(&e);
        for (size_t k = 0; k < e.conjuncts.size; k++)
            for (size_t n = 0; n < e.conjuncts.data[k]->support->size; n++)
                assert_ptr_not_equal(e.conjuncts.data[k]->support->symbol[n], y);
        elimination_free(&e);
    }
}

/* --- against brute force -------------------------------------------------------------------------------- */

enum { SYMBOLS = 3, CODES = 1 << 7 };

static void set_all(valuation *v, const term *const *symbols, unsigned code) {
    for (int i = 0; i < SYMBOLS; i++) {
        valuation_set(v, symbols[i], code & term_mask(symbols[i]->width));
        code >>= symbols[i]->width;
    }
}

static bool all_hold(terms *c, const side *s, const valuation *v) {
    for (size_t i = 0; i < s->conditions; i++)
        if (!term_evaluate(c, s->path[i], v)) return false;
    return true;
}

static bool has_match(terms *c, const side *a, const side *b, size_t pairs, const term *const *ys,
                      valuation *v) {
    for (unsigned code = 0; code < CODES; code++) {
        set_all(v, ys, code);
        bool match = all_hold(c, b, v);
        for (size_t i = 0; i < pairs && match; i++)
            match = term_evaluate(c, a->values[i], v) == term_evaluate(c, b->values[i], v);
        if (match) return true;
    }
    return false;
}

static bool has_counterexample(terms *c, const side *a, const side *b, size_t pairs, const term *const *xs,
                               const term *const *ys) {
    valuation *v = valuation_create();
    bool found = false;
    for (unsigned code = 0; code < CODES && !found; code++) {
        set_all(v, xs, code);
        found = all_hold(c, a, v) && !has_match(c, a, b, pairs, ys, v);
    }
    valuation_destroy(v);
    return found;
}

static const term *random_term(terms *c, random_source *r, const term *const *symbols, unsigned width,
                               int depth) {
    cookbook book = {.symbols = symbols, .symbol_count = SYMBOLS};
    return made(&book, random_recipe(c, &book, r, width, depth));
}

static void agrees_with_brute_force(void **state) {
    (void)state;
    random_source r = {2024};
    terms *c = terms_create();
    solver *s = solver_create(c, NULL);
    const term *xs[SYMBOLS], *ys[SYMBOLS];
    for (unsigned i = 0; i < SYMBOLS; i++) {
        xs[i] = term_symbol(c, i == 2 ? 1 : 3, 1 + i, NULL, 0);
        ys[i] = term_symbol(c, i == 2 ? 1 : 3, 11 + i, NULL, 0);
    }
    const term *repeated[SYMBOLS] = {ys[0], ys[0], ys[2]};
    int yes = 0, no = 0;
    for (int round = 0; round < 4000; round++) {
        side a = {.conditions = random_below(&r, 4)}, b = {.conditions = random_below(&r, 3)};
        size_t pairs = 1 + random_below(&r, 2);
        for (size_t i = 0; i < a.conditions; i++) a.path[i] = random_term(c, &r, xs, 1, 2);
        for (size_t i = 0; i < b.conditions; i++) b.path[i] = random_term(c, &r, ys, 1, 2);
        const term *const *few = random_below(&r, 3) ? ys : repeated; /* a y in several places */
        for (size_t i = 0; i < pairs; i++) {
            unsigned width = random_below(&r, 4) ? 3 : 2;
            a.values[i] = random_term(c, &r, xs, width, (int)random_below(&r, 3));
            b.values[i] = random_term(c, &r, few, width, 1 + (int)random_below(&r, 3));
        }
        solver_answer answer =
            solver_subsumed(s, a.path, a.conditions, b.path, b.conditions, a.values, b.values, pairs);
        assert_int_not_equal(answer, SOLVER_UNKNOWN);
        assert_int_equal(answer == SOLVER_SAT, has_counterexample(c, &a, &b, pairs, xs, ys));
        yes += answer == SOLVER_UNSAT;
        no += answer == SOLVER_SAT;
    }
    assert_true(yes > 100 && no > 100);
    assert_true(solver_stats(s)->instantiations > 0);
    solver_destroy(s);
    terms_destroy(c);
}

static void z3_agrees_on_subsumption(void **state) {
    (void)state;
    random_source r = {7};
    terms *c = terms_create();
    solver_options options = solver_default_options();
    options.cross_check = true; /* without Z3 nothing is compared */
    solver *s = solver_create(c, &options);
    const term *xs[] = {term_symbol(c, 8, 1, NULL, 0), term_symbol(c, 8, 2, NULL, 0),
                        term_symbol(c, 1, 3, NULL, 0)};
    const term *ys[] = {term_symbol(c, 8, 4, NULL, 0), term_symbol(c, 8, 5, NULL, 0),
                        term_symbol(c, 1, 6, NULL, 0)};
    for (int round = 0; round < 12; round++) {
        const term *path1 = random_term(c, &r, xs, 1, 2), *path2 = random_term(c, &r, ys, 1, 2);
        const term *left = random_term(c, &r, xs, 8, 2), *right = random_term(c, &r, ys, 8, 2);
        solver_subsumed(s, &path1, 1, &path2, 1, &left, &right, 1);
    }
    assert_int_equal(solver_stats(s)->disagreements, 0);
    solver_destroy(s);
    terms_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(intervals_shifted_and_scaled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_values_with_a_free_sum, set_up, tear_down),
        cmocka_unit_test_setup_teardown(doubling_loses_odd_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(adding_one_loses_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_number_and_its_description, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unconnected_conditions_must_be_possible, set_up, tear_down),
        cmocka_unit_test_setup_teardown(products_are_matched_by_structure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds_between_unknowns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_state_subsumes_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(chains_of_equations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counterexamples_satisfy_the_premise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shared_symbols_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equations_eliminate_symbols, set_up, tear_down),
        cmocka_unit_test(agrees_with_brute_force),
        cmocka_unit_test(z3_agrees_on_subsumption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
