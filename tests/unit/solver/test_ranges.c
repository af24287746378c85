/* Ranges and bounds: what they decide is right, and every solution lies within them. */
#include "random_terms.h"
#include "solver/bounds.h"
#include "solver/solver.h"
#include "term_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

static uint64_t only_value(const ranges *r, const term *symbol) {
    assert_int_equal(r->watched.size, 1);
    assert_ptr_equal(r->watched.data[0].base, symbol);
    assert_int_equal(r->watched.data[0].values.count, 1);
    assert_int_equal(r->watched.data[0].values.part[0].low, r->watched.data[0].values.part[0].high);
    return r->watched.data[0].values.part[0].low;
}

static void ranges_decide_counters(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    ranges r = {0};
    const term *next = term_add(c, f->x, number(f, 3));
    const term *possible[] = {term_sle(c, number(f, 0), f->x), term_slt(c, f->x, number(f, 10)),
                              term_ne(c, f->x, number(f, 0)), term_slt(c, number(f, 11), next)};
    assert_int_equal(ranges_collect(&r, possible, 4), RANGES_POINTS);
    assert_int_equal(only_value(&r, f->x), 9);
    const term *impossible[] = {possible[0], possible[1], term_slt(c, number(f, 12), next)};
    assert_int_equal(ranges_collect(&r, impossible, 3), RANGES_EMPTY);
    assert_ptr_equal(r.emptied, f->x);
    const term *choice[] = {term_or(c, term_eq(c, f->x, number(f, 4)), term_eq(c, f->x, number(f, 6))),
                            term_ult(c, number(f, 4), f->x)};
    assert_int_equal(ranges_collect(&r, choice, 2), RANGES_POINTS);
    assert_int_equal(only_value(&r, f->x), 6);
    /* through extensions and negations: 10 - (int)b >= 8 and b != 0 and b < 2 leaves 1 */
    const term *b = term_symbol(c, 8, 7, NULL, 0), *wide = term_sext(c, b, 32);
    const term *byte[] = {term_sle(c, number(f, 8), term_sub(c, number(f, 10), wide)),
                          term_ne(c, b, term_const(c, 8, 0)), term_slt(c, term_const(c, 8, 0), b),
                          term_ult(c, term_zext(c, b, 16), term_const(c, 16, 2))};
    assert_int_equal(ranges_collect(&r, byte, 4), RANGES_POINTS);
    assert_int_equal(only_value(&r, b), 1);
    const term *two[] = {term_ult(c, f->x, number(f, 4)), term_ult(c, f->x, f->y)};
    assert_int_equal(ranges_collect(&r, two, 2), RANGES_UNDECIDED);
    ranges_free(&r);
}

static const term *random_range_condition(terms *c, random_source *r, const term *t) {
    static const term_op ops[] = {TERM_EQ, TERM_ULT, TERM_SLT};
    if (random_below(r, 2)) t = term_add(c, t, term_const(c, t->width, random_bits(r)));
    if (!random_below(r, 3))
        t = random_below(r, 2) ? term_zext(c, t, t->width + 2u) : term_sext(c, t, t->width + 2u);
    if (!random_below(r, 3)) t = term_neg(c, t);
    if (random_below(r, 2)) t = term_add(c, t, term_const(c, t->width, random_bits(r)));
    const term *n = term_const(c, t->width, random_number(r, t->width));
    const term *condition = construct(c, ops[random_below(r, 3)], t, n);
    return random_below(r, 2) ? term_not(c, condition) : condition;
}

/* All conditions about one 4-bit symbol, against all its values. */
static void ranges_are_exact(void **state) {
    (void)state;
    random_source r = {31};
    ranges found = {0};
    int decided = 0;
    for (int round = 0; round < 20000; round++) {
        terms *c = terms_create();
        const term *x = term_symbol(c, 4, 1, NULL, 0), *conditions[4];
        size_t count = 1 + random_below(&r, 4);
        for (size_t i = 0; i < count; i++) {
            conditions[i] = random_range_condition(c, &r, x);
            if (i && !random_below(&r, 3)) conditions[i] = term_or(c, conditions[i], conditions[i - 1]);
        }
        ranges_verdict verdict = ranges_collect(&found, conditions, count);
        const watched_term *range = ranges_of(&found, x);
        valuation *v = valuation_create();
        for (uint64_t value = 0; value < 16; value++) {
            bool all = true, inside = !range;
            valuation_set(v, x, value);
            for (size_t i = 0; i < count && all; i++) all = term_evaluate(c, conditions[i], v);
            for (unsigned i = 0; range && i < range->values.count; i++)
                inside |= range->values.part[i].low <= value && value <= range->values.part[i].high;
            if (verdict == RANGES_EMPTY) assert_false(all);
            if (verdict == RANGES_POINTS) assert_int_equal(all, inside);
            if (verdict == RANGES_UNDECIDED && all) assert_true(inside);
        }
        decided += verdict != RANGES_UNDECIDED;
        valuation_destroy(v);
        terms_destroy(c);
    }
    ranges_free(&found);
    assert_true(decided > 10000);
}

static void check_within_bounds(const bounds_table *b, terms *c, const term *t, const valuation *v) {
    uint32_t place;
    if (!marks_get(&b->known, t, &place)) return;
    const bounds *limits = &b->values.data[place];
    uint64_t value = term_evaluate(c, t, v);
    assert_true(limits->low <= value && value <= limits->high);
    assert_true(limits->least <= term_signed(t->width, value) &&
                term_signed(t->width, value) <= limits->greatest);
    for (unsigned i = 0; i < t->arity; i++) check_within_bounds(b, c, t->arg[i], v);
}

/* Every solution of the conditions lies within the bounds of all terms in them. */
static void bounds_are_sound(void **state) {
    (void)state;
    random_source r = {47};
    int refuted = 0;
    for (int round = 0; round < 4000; round++) {
        terms *c = terms_create();
        unsigned width = 2 + random_below(&r, 3);
        const term *symbols[3] = {term_symbol(c, width, 1, NULL, 0), term_symbol(c, width, 2, NULL, 0),
                                  term_symbol(c, 1, 3, NULL, 0)};
        const term *conditions[4];
        terms_set_simplify(c, round % 4);
        cookbook book = {.symbols = symbols, .symbol_count = 3};
        conditions[0] = random_range_condition(c, &r, symbols[0]);
        conditions[1] = random_range_condition(c, &r, symbols[1]);
        conditions[2] = made(&book, random_recipe(c, &book, &r, 1, 3));
        conditions[3] = random_range_condition(c, &r, made(&book, random_recipe(c, &book, &r, width, 2)));
        ranges found = {0};
        bounds_table table = {0};
        if (ranges_collect(&found, conditions, 4) != RANGES_EMPTY) {
            bool no_solution = bounds_refute(&table, &found, conditions, 4) != NULL;
            refuted += no_solution;
            valuation *v = valuation_create();
            for (unsigned code = 0; code < 2u << 2 * width; code++) {
                valuation_set(v, symbols[2], code & 1);
                valuation_set(v, symbols[0], code >> 1);
                valuation_set(v, symbols[1], code >> 1 >> width);
                bool all = true;
                for (int i = 0; i < 4 && all; i++) all = term_evaluate(c, conditions[i], v);
                if (!all) continue;
                assert_false(no_solution);
                for (int i = 0; i < 4; i++) check_within_bounds(&table, c, conditions[i], v);
            }
            valuation_destroy(v);
        }
        bounds_free(&table);
        ranges_free(&found);
        terms_destroy(c);
    }
    assert_true(refuted > 400);
}

static void bounds_refute_arithmetic(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    solver *s = solver_create(c, NULL);
    const term *path[] = {term_sle(c, number(f, 0), f->x), term_slt(c, f->x, number(f, 100)),
                          term_sle(c, number(f, 0), f->y), term_slt(c, f->y, number(f, 50)),
                          term_ult(c, f->z, f->x)};
    const term *sum = term_add(c, term_mul(c, f->x, number(f, 3)), f->y);
    assert_int_equal(solver_check_extension(s, path, 5, term_slt(c, number(f, 346), sum)), SOLVER_UNSAT);
    assert_int_equal(
        solver_check_extension(s, path, 5, term_slt(c, term_sub(c, f->x, f->y), number(f, -UINT64_C(49)))),
        SOLVER_UNSAT);
    const term *rest = term_srem(c, sum, number(f, 10)), *quotient = term_sdiv(c, sum, number(f, 4));
    assert_int_equal(solver_check_extension(s, path, 5, term_slt(c, number(f, 9), rest)), SOLVER_UNSAT);
    assert_int_equal(solver_check_extension(s, path, 5, term_eq(c, quotient, number(f, 87))), SOLVER_UNSAT);
    assert_int_equal(solver_stats(s)->by_sat, 0);
    assert_int_equal(solver_check_extension(s, path, 5, term_eq(c, sum, number(f, 346))), SOLVER_SAT);
    solver_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranges_decide_counters, set_up, tear_down),
        cmocka_unit_test(ranges_are_exact),
        cmocka_unit_test(bounds_are_sound),
        cmocka_unit_test_setup_teardown(bounds_refute_arithmetic, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
