/* The simplifying constructors: named rules, agreement with evaluation, idempotence, normal forms. */
#include "random_terms.h"
#include "term_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

/* --- named rules ---------------------------------------------------------------------------------------- */

static void sums_have_one_form(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    /* (1 + x) + 2 * ((y + 7) - 4) = (x + y * 2) + 7 */
    const term *inner = term_sub(c, term_add(c, f->y, number(f, 7)), number(f, 4));
    const term *sum = term_add(c, term_add(c, number(f, 1), f->x), term_mul(c, number(f, 2), inner));
    const term *expected = term_add(c, term_add(c, f->x, term_mul(c, f->y, number(f, 2))), number(f, 7));
    assert_ptr_equal(sum, expected);
    assert_int_equal(sum->op, TERM_ADD);
    assert_ptr_equal(sum->arg[1], number(f, 7));
    assert_ptr_equal(sum->arg[0]->arg[0], f->x);

    assert_ptr_equal(term_sub(c, f->x, f->x), number(f, 0));
    assert_ptr_equal(term_sub(c, term_add(c, f->x, f->y), f->y), f->x);
    assert_ptr_equal(term_add(c, term_mul(c, f->x, number(f, 3)), f->x), term_mul(c, f->x, number(f, 4)));
    assert_ptr_equal(term_neg(c, term_neg(c, f->x)), f->x);
    assert_ptr_equal(term_add(c, term_not(c, f->x), f->x), number(f, UINT64_MAX));
    assert_ptr_equal(term_not(c, term_add(c, f->x, number(f, 1))),
                     term_sub(c, number(f, UINT64_MAX - 1), f->x));
    assert_ptr_equal(term_shl(c, f->x, number(f, 3)), term_mul(c, f->x, number(f, 8)));
}

static void products_keep_numbers_last(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    const term *a = term_mul(c, term_mul(c, f->x, number(f, 3)), term_mul(c, number(f, 5), f->y));
    assert_ptr_equal(a, term_mul(c, term_mul(c, f->y, f->x), number(f, 15)));
    assert_ptr_equal(a->arg[1], number(f, 15));
    assert_ptr_equal(term_mul(c, term_add(c, f->x, number(f, 2)), number(f, 3)),
                     term_add(c, term_mul(c, f->x, number(f, 3)), number(f, 6)));
    assert_ptr_equal(term_mul(c, f->x, number(f, 0)), number(f, 0));
    const term *opaque = term_mul(c, term_add(c, f->x, number(f, 1)), f->y);
    assert_int_equal(opaque->op, TERM_MUL); /* products of unknowns are not multiplied out */
}

/* A comparison used as an int in C is an extended truth value; tests of it must lead back
 * to the comparison. */
static void truth_values_survive_integer_detours(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    const term *zero = number(f, 0), *one = number(f, 1);
    const term *p = term_zext(c, f->p, W), *q = term_zext(c, f->q, W);
    assert_ptr_equal(term_ne(c, p, zero), f->p);
    assert_ptr_equal(term_eq(c, p, zero), term_not(c, f->p));
    assert_ptr_equal(term_eq(c, p, one), f->p);
    assert_true(term_is_false(term_eq(c, p, number(f, 2))));
    assert_ptr_equal(term_ne(c, term_and(c, p, q), zero), term_and(c, f->p, f->q));
    assert_ptr_equal(term_ne(c, term_or(c, p, q), zero), term_or(c, f->p, f->q));
    assert_ptr_equal(term_ne(c, term_xor(c, p, one), zero), term_not(c, f->p));
    assert_ptr_equal(term_ite(c, f->p, one, zero), p);
    assert_ptr_equal(term_ne(c, term_ite(c, f->p, number(f, 5), zero), zero), f->p);
    assert_ptr_equal(term_eq(c, term_ite(c, f->p, number(f, 5), number(f, 9)), number(f, 9)),
                     term_not(c, f->p));
    assert_true(term_is_false(term_eq(c, term_ite(c, f->p, number(f, 5), number(f, 9)), number(f, 8))));
    assert_ptr_equal(term_slt(c, zero, p), f->p);
    assert_ptr_equal(term_ne(c, term_zext(c, term_extract(c, p, 0, 8), 64), term_const(c, 64, 0)), f->p);
    assert_ptr_equal(term_eq(c, p, q), term_eq(c, f->p, f->q));
    assert_ptr_equal(term_ult(c, p, number(f, 2)), term_true(c));
}

static void equations_are_solved(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    assert_ptr_equal(term_eq(c, term_add(c, f->x, number(f, 3)), number(f, 10)),
                     term_eq(c, f->x, number(f, 7)));
    assert_ptr_equal(term_eq(c, term_mul(c, f->x, number(f, 3)), number(f, 21)),
                     term_eq(c, f->x, number(f, 7)));
    assert_true(term_is_false(term_eq(c, term_mul(c, f->x, number(f, 2)), number(f, 7))));
    assert_ptr_equal(term_eq(c, term_add(c, f->x, f->y), term_add(c, f->y, number(f, 1))),
                     term_eq(c, f->x, number(f, 1)));
    assert_ptr_equal(term_eq(c, term_add(c, f->x, number(f, 1)), term_add(c, f->y, number(f, 1))),
                     term_eq(c, f->y, f->x));
    assert_ptr_equal(term_eq(c, f->x, term_add(c, f->y, number(f, 3))),
                     term_eq(c, term_sub(c, f->x, number(f, 3)), f->y));
    assert_ptr_equal(term_eq(c, term_neg(c, f->x), number(f, 5)), term_eq(c, f->x, number(f, -UINT64_C(5))));
    assert_ptr_equal(term_eq(c, term_xor(c, f->x, number(f, 6)), number(f, 5)),
                     term_eq(c, f->x, number(f, 3)));
    assert_true(term_is_true(term_eq(c, f->x, f->x)));
    const term *even = term_add(c, term_mul(c, f->x, number(f, 2)), term_mul(c, f->y, number(f, 4)));
    assert_true(term_is_false(term_eq(c, even, number(f, 5))));
}

static void orders_against_numbers_have_one_form(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    assert_ptr_equal(term_ule(c, f->x, number(f, 9)), term_ult(c, f->x, number(f, 10)));
    assert_ptr_equal(term_ult(c, number(f, 9), f->x), term_not(c, term_ult(c, f->x, number(f, 10))));
    assert_ptr_equal(term_sle(c, f->x, number(f, 9)), term_slt(c, f->x, number(f, 10)));
    assert_ptr_equal(term_ult(c, f->x, number(f, 1)), term_eq(c, f->x, number(f, 0)));
    assert_true(term_is_false(term_ult(c, f->x, number(f, 0))));
    assert_true(term_is_true(term_ule(c, f->x, number(f, UINT32_MAX))));
    assert_true(term_is_true(term_sle(c, number(f, UINT64_C(1) << 31), f->x)));
    const term *wide = term_zext(c, f->byte, W);
    assert_true(term_is_true(term_ult(c, wide, number(f, 256))));
    assert_ptr_equal(term_slt(c, wide, number(f, 10)), term_ult(c, f->byte, term_const(c, 8, 10)));
    assert_ptr_equal(term_slt(c, term_sext(c, f->byte, W), number(f, 10)),
                     term_slt(c, f->byte, term_const(c, 8, 10)));
    assert_true(term_is_false(term_slt(c, wide, number(f, 0))));
    assert_true(term_is_true(term_ult(c, term_urem(c, f->x, number(f, 7)), number(f, 7))));
}

static void junctions_are_sets(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    const term *a = term_ult(c, f->x, f->y), *b = term_slt(c, f->y, f->z), *k = term_eq(c, f->x, f->z);
    assert_ptr_equal(term_and(c, term_and(c, a, b), term_and(c, k, a)), term_and(c, term_and(c, k, b), a));
    assert_true(term_is_false(term_and(c, term_and(c, a, b), term_not(c, a))));
    assert_true(term_is_true(term_or(c, term_or(c, a, b), term_not(c, b))));
    assert_ptr_equal(term_and(c, a, term_or(c, a, b)), a);
    assert_ptr_equal(term_or(c, term_and(c, b, a), a), a);
    assert_ptr_equal(term_and(c, a, term_true(c)), a);
    assert_ptr_equal(term_not(c, term_not(c, a)), a);
    assert_ptr_equal(term_ite(c, term_not(c, a), f->x, f->y), term_ite(c, a, f->y, f->x));
    assert_ptr_equal(term_ite(c, a, f->x, f->x), f->x);
    assert_ptr_equal(term_and(c, f->x, term_and(c, f->y, f->x)), term_and(c, f->y, f->x));
    assert_ptr_equal(term_xor(c, term_xor(c, f->x, f->y), f->x), f->y);
    assert_ptr_equal(term_and(c, term_and(c, f->x, f->y), term_not(c, f->x)), number(f, 0));
    assert_ptr_equal(term_or(c, term_not(c, f->y), f->y), number(f, UINT64_MAX));
    const term *masked = term_and(c, term_and(c, f->x, f->y), number(f, 4));
    assert_true(term_is_false(term_eq(c, masked, number(f, 2))));
    assert_true(term_is_false(term_eq(c, masked, number(f, 6))));
    assert_ptr_equal(term_eq(c, masked, number(f, 4)), term_ne(c, masked, number(f, 0)));
}

static void fields_meet_masks_and_shifts(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    const term *low = term_zext(c, term_extract(c, f->x, 0, 8), W);
    assert_ptr_equal(term_and(c, f->x, number(f, 0xff)), low);
    assert_ptr_equal(term_urem(c, f->x, number(f, 256)), low);
    assert_ptr_equal(term_lshr(c, term_shl(c, f->x, number(f, 24)), number(f, 24)), low);
    assert_ptr_equal(term_udiv(c, f->x, number(f, 16)), term_lshr(c, f->x, number(f, 4)));
    assert_ptr_equal(term_extract(c, term_zext(c, f->byte, W), 0, 8), f->byte);
    /* a char counter stays a char counter */
    const term *next = term_extract(c, term_add(c, term_zext(c, f->byte, W), number(f, 1)), 0, 8);
    assert_ptr_equal(next, term_add(c, f->byte, term_const(c, 8, 1)));
    assert_ptr_equal(term_udiv(c, f->x, number(f, 1)), f->x);
    assert_ptr_equal(term_sdiv(c, f->x, number(f, 1)), f->x);
    assert_ptr_equal(term_sext(c, term_sext(c, f->byte, 16), W), term_sext(c, f->byte, W));
    assert_ptr_equal(term_ashr(c, f->x, number(f, 40)), term_ashr(c, f->x, number(f, 31)));
}

/* Extended operands of different widths beside one of the full width. */
static void extended_operands_are_grouped(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    static const term_op ops[] = {TERM_AND, TERM_OR, TERM_XOR};
    random_source r = {3};
    valuation *v = valuation_create();
    for (int round = 0; round < 200; round++) {
        term_op op = ops[round % 3];
        bool is_signed = random_below(&r, 2);
        const term *b = is_signed ? term_sext(c, f->byte, W) : term_zext(c, f->byte, W);
        const term *p = is_signed ? term_sext(c, f->p, W) : term_zext(c, f->p, W);
        const term *t = construct(c, op, construct(c, op, b, f->x), p);
        uint64_t byte = random_number(&r, 8), bit = random_below(&r, 2), x = random_number(&r, W);
        valuation_set(v, f->byte, byte);
        valuation_set(v, f->p, bit);
        valuation_set(v, f->x, x);
        uint64_t first[2] = {is_signed ? (uint64_t)term_signed(8, byte) & UINT32_MAX : byte, x};
        uint64_t second[2] = {term_apply(op, W, W, 0, first), is_signed ? -bit & UINT32_MAX : bit};
        assert_int_equal(term_evaluate(c, t, v), term_apply(op, W, W, 0, second));
    }
    valuation_destroy(v);
}

static const term *split_and_joined(terms *c, const term *t) {
    const term *joined = term_extract(c, t, 0, 8);
    for (unsigned low = 8; low < t->width; low += 8)
        joined = term_concat(c, term_extract(c, t, low, 8), joined);
    return joined;
}

static void bytes_join_to_what_they_were(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    const term *samples[] = {
        f->x,
        term_add(c, f->x, f->y),
        term_mul(c, f->x, number(f, 12)),
        term_shl(c, f->x, number(f, 5)),
        term_and(c, f->x, f->y),
        term_or(c, f->x, number(f, 0x120)),
        term_not(c, f->x),
        term_zext(c, f->byte, W),
        term_sext(c, f->byte, W),
        term_add(c, term_zext(c, f->byte, W), number(f, 1)),
        term_ite(c, f->p, f->x, number(f, 1000)),
        term_udiv(c, f->x, f->y),
        term_zext(c, f->p, W),
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        assert_ptr_equal(split_and_joined(c, samples[i]), samples[i]);
}

/* Long chains are not flattened for ever, but stay right. */
static void long_chains_stay_correct(void **state) {
    fixture *f = *state;
    terms *c = f->c;
    enum { LENGTH = 200 };
    const term *sum = number(f, 0), *all = term_true(c);
    valuation *v = valuation_create();
    uint64_t expected = 0;
    for (uint64_t i = 0; i < LENGTH; i++) {
        const term *s = term_symbol(c, W, 100 + i, NULL, 0);
        valuation_set(v, s, i * i);
        expected += i * i * (i % 5);
        sum = term_add(c, sum, term_mul(c, s, number(f, i % 5)));
        all = term_and(c, all, term_ult(c, s, number(f, LENGTH * LENGTH)));
    }
    assert_int_equal(term_evaluate(c, sum, v), expected & UINT32_MAX);
    assert_int_equal(term_evaluate(c, all, v), 1);
    assert_int_equal(term_evaluate(c, term_sub(c, sum, sum), v), 0);
    valuation_destroy(v);
}

/* --- random terms --------------------------------------------------------------------------------------- */

static const term *rebuilt(terms *c, const term *t) {
    const term *args[3];
    for (unsigned i = 0; i < t->arity; i++) args[i] = rebuilt(c, t->arg[i]);
    return t->arity ? term_rebuild(c, t, args) : t;
}

typedef struct trial {
    terms *c;
    const term *symbols[4];
    cookbook book;
    int root;
} trial;

static trial *start_trial(random_source *r, unsigned width, int depth) {
    trial *t = calloc(1, sizeof *t);
    t->c = terms_create();
    unsigned widths[4] = {width, width, 1, width > 1 ? width - 1 : 1};
    for (unsigned i = 0; i < 4; i++) t->symbols[i] = term_symbol(t->c, widths[i], i + 1, NULL, 0);
    t->book.symbols = t->symbols;
    t->book.symbol_count = 4;
    t->root = random_recipe(t->c, &t->book, r, random_below(r, 2) ? 1 : width, depth);
    return t;
}

static void end_trial(trial *t) {
    terms_destroy(t->c);
    free(t);
}

static void compare_at(trial *t, const uint64_t *values, valuation *v) {
    for (int i = 0; i < 4; i++) valuation_set(v, t->symbols[i], values[i]);
    const term *made_term = made(&t->book, t->root);
    if (term_evaluate(t->c, made_term, v) != recipe_value(&t->book, t->root, values)) {
        text out = {0};
        term_print(t->c, made_term, &out);
        print_error("wrong: %s\n", text_cstr(&out));
        text_free(&out);
        fail();
    }
}

static void compare_everywhere(trial *t) {
    valuation *v = valuation_create();
    unsigned bits = 0;
    for (int i = 0; i < 4; i++) bits += t->symbols[i]->width;
    for (uint64_t code = 0; code < UINT64_C(1) << bits; code++) {
        uint64_t values[4], rest = code;
        for (int i = 0; i < 4; i++) {
            values[i] = rest & term_mask(t->symbols[i]->width);
            rest >>= t->symbols[i]->width;
        }
        compare_at(t, values, v);
    }
    valuation_destroy(v);
}

static void compare_somewhere(trial *t, random_source *r) {
    valuation *v = valuation_create();
    for (int round = 0; round < 30; round++) {
        uint64_t values[4];
        for (int i = 0; i < 4; i++) values[i] = random_number(r, t->symbols[i]->width);
        compare_at(t, values, v);
    }
    valuation_destroy(v);
}

static void small_terms_mean_what_they_say(void **state) {
    (void)state;
    static const int rounds[] = {0, 10000, 20000, 8000, 1000};
    for (unsigned width = 1; width <= 4; width++) {
        random_source r = {width};
        for (int round = 0; round < rounds[width]; round++) {
            trial *t = start_trial(&r, width, 4);
            compare_everywhere(t);
            end_trial(t);
        }
    }
}

static void wide_terms_mean_what_they_say(void **state) {
    (void)state;
    static const unsigned widths[] = {8, 16, 32, 33, 63, 64};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        random_source r = {100 + k};
        for (int round = 0; round < 2000; round++) {
            trial *t = start_trial(&r, widths[k], 4);
            compare_somewhere(t, &r);
            end_trial(t);
        }
    }
}

static void unsimplified_terms_mean_the_same(void **state) {
    (void)state;
    random_source r = {77};
    for (int round = 0; round < 1000; round++) {
        trial *t = calloc(1, sizeof *t);
        t->c = terms_create();
        terms_set_simplify(t->c, false);
        for (unsigned i = 0; i < 4; i++) t->symbols[i] = term_symbol(t->c, i == 2 ? 1 : 3, i + 1, NULL, 0);
        t->book.symbols = t->symbols;
        t->book.symbol_count = 4;
        t->root = random_recipe(t->c, &t->book, &r, 3, 4);
        compare_everywhere(t);
        terms_set_simplify(t->c, true);
        t->book.all[t->root].made = rebuilt(t->c, made(&t->book, t->root));
        compare_everywhere(t);
        end_trial(t);
    }
}

static void rebuilding_changes_nothing(void **state) {
    (void)state;
    static const unsigned widths[] = {1, 2, 3, 8, 32, 64};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        random_source r = {500 + k};
        for (int round = 0; round < 4000; round++) {
            trial *t = start_trial(&r, widths[k], 5);
            const term *once = made(&t->book, t->root);
            assert_ptr_equal(rebuilt(t->c, once), once);
            end_trial(t);
        }
    }
}

/* Renaming symbols must commute with building terms, up to ties: the shape stays the same. */
static void renaming_keeps_the_shape(void **state) {
    (void)state;
    random_source r = {900};
    int same = 0, rounds = 3000;
    for (int round = 0; round < rounds; round++) {
        trial *t = start_trial(&r, 16, 4);
        const term *once = made(&t->book, t->root);
        substitution *s = substitution_create(t->c);
        for (unsigned i = 0; i < 4; i++)
            substitution_set(s, t->symbols[i],
                             term_symbol(t->c, t->symbols[i]->width, 1000 - 7 * i, NULL, 0));
        same += substitution_apply(s, once)->shape == once->shape;
        substitution_destroy(s);
        end_trial(t);
    }
    assert_true(same >= rounds - rounds / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums_have_one_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(products_keep_numbers_last, set_up, tear_down),
        cmocka_unit_test_setup_teardown(truth_values_survive_integer_detours, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equations_are_solved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(orders_against_numbers_have_one_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(junctions_are_sets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fields_meet_masks_and_shifts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(extended_operands_are_grouped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_join_to_what_they_were, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_chains_stay_correct, set_up, tear_down),
        cmocka_unit_test(small_terms_mean_what_they_say),
        cmocka_unit_test(wide_terms_mean_what_they_say),
        cmocka_unit_test(unsimplified_terms_mean_the_same),
        cmocka_unit_test(rebuilding_changes_nothing),
        cmocka_unit_test(renaming_keeps_the_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
