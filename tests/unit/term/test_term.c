/* Nodes, supports, valuations, substitution, primed twins and printing. Simplification has its own file. */
#include "term/evaluate.h"
#include "term/term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { W = 32 };

static const term *symbol(terms *c, uint64_t name) {
    return term_symbol(c, W, name, NULL, 0);
}
static const term *number(terms *c, uint64_t value) {
    return term_const(c, W, value);
}

static void equal_terms_are_one(void **state) {
    (void)state;
    terms *c = terms_create();
    const term *x = symbol(c, 1), *y = symbol(c, 2);
    assert_ptr_equal(term_add(c, x, y), term_add(c, y, x));
    assert_ptr_equal(term_and(c, x, term_not(c, y)), term_and(c, term_not(c, y), x));
    assert_ptr_not_equal(term_udiv(c, x, y), term_udiv(c, y, x));
    assert_ptr_equal(term_const(c, 8, 0x1ff), term_const(c, 8, 0xff));
    assert_ptr_not_equal(term_const(c, 8, 1), term_const(c, 9, 1));
    assert_true(term_is_true(term_true(c)) && term_is_false(term_false(c)));
    assert_true(terms_count(c) > 0 && terms_bytes(c) > 0);
    terms_destroy(c);
}

static void symbols_are_known_by_name_and_width(void **state) {
    (void)state;
    terms *c = terms_create();
    const term *x = term_symbol(c, 32, 7, "speed", 42);
    assert_ptr_equal(x, term_symbol(c, 32, 7, "other", 1));
    assert_ptr_not_equal(x, term_symbol(c, 16, 7, NULL, 0));
    assert_string_equal(term_symbol_label(c, x), "speed");
    assert_int_equal(term_symbol_origin(c, x), 42);
    assert_string_equal(term_symbol_label(c, symbol(c, 8)), "");
    terms_destroy(c);
}

/* The same terms, built in different orders with different things in between. */
static const term *example(terms *c, bool other_order) {
    if (other_order)
        for (uint64_t i = 100; i < 150; i++) term_mul(c, symbol(c, i), symbol(c, i + 1));
    const term *x = symbol(c, other_order ? 3 : 1), *y = symbol(c, 2), *z = symbol(c, other_order ? 1 : 3);
    if (other_order) {
        const term *swap = x;
        x = z;
        z = swap;
    }
    const term *product = other_order ? term_mul(c, term_xor(c, z, y), x) : term_mul(c, x, term_xor(c, y, z));
    const term *sum =
        other_order ? term_add(c, term_add(c, product, z), y) : term_add(c, y, term_add(c, z, product));
    return term_ult(c, sum, term_urem(c, z, x));
}

static void what_division_leaves_is_a_rest(void **state) {
    (void)state;
    terms *c = terms_create();
    const term *number = term_const(c, 32, 1000), *x = symbol(c, 1), *y = symbol(c, 2);
    const term *sum = term_add(c, term_add(c, x, y), term_const(c, 32, 7));
    const term *quotient = term_sdiv(c, sum, number);
    assert_ptr_equal(term_sub(c, sum, term_mul(c, quotient, number)), term_srem(c, sum, number));
    quotient = term_udiv(c, sum, number);
    assert_ptr_equal(term_sub(c, sum, term_mul(c, quotient, number)), term_urem(c, sum, number));
    /* another number, another dividend */
    assert_int_not_equal(term_sub(c, sum, term_mul(c, quotient, term_const(c, 32, 999)))->op, TERM_UREM);
    assert_int_not_equal(term_sub(c, x, term_mul(c, quotient, number))->op, TERM_UREM);
    /* a sum of what is small is no more than the sum of what it can be */
    const term *small = term_add(c, term_zext(c, term_symbol(c, 8, 3, NULL, 0), 32), term_const(c, 32, 5));
    assert_true(term_is_true(term_ult(c, small, term_const(c, 32, 261))));
    assert_false(term_is_const(term_ult(c, small, term_const(c, 32, 260))));
    terms_destroy(c);
}

static void hashes_depend_on_structure_only(void **state) {
    (void)state;
    terms *c = terms_create(), *d = terms_create();
    const term *a = example(c, false), *b = example(d, true);
    assert_true(a->hash == b->hash && a->shape == b->shape);
    text first = {0}, second = {0};
    term_print(c, a, &first);
    term_print(d, b, &second);
    assert_string_equal(text_cstr(&first), text_cstr(&second));
    text_free(&first);
    text_free(&second);
    terms_destroy(c);
    terms_destroy(d);
}

static void shapes_ignore_names(void **state) {
    (void)state;
    terms *c = terms_create();
    const term *a =
        term_add(c, term_mul(c, symbol(c, 1), number(c, 2)), term_mul(c, symbol(c, 2), number(c, 3)));
    const term *b =
        term_add(c, term_mul(c, symbol(c, 9), number(c, 2)), term_mul(c, symbol(c, 4), number(c, 3)));
    assert_true(a->shape == b->shape && a->hash != b->hash);
    assert_true(term_eq(c, symbol(c, 1), symbol(c, 2))->shape ==
                term_eq(c, symbol(c, 5), symbol(c, 4))->shape);
    assert_true(symbol(c, 1)->shape != term_symbol(c, 16, 1, NULL, 0)->shape);
    terms_destroy(c);
}

static void supports_are_shared_sets(void **state) {
    (void)state;
    terms *c = terms_create();
    const term *x = symbol(c, 1), *y = symbol(c, 2), *z = symbol(c, 3);
    const term *a = term_add(c, x, term_mul(c, y, z)), *b = term_and(c, z, term_or(c, x, y));
    assert_int_equal(a->support->size, 3);
    assert_ptr_equal(a->support, b->support);
    assert_int_equal(number(c, 5)->support->size, 0);
    assert_ptr_equal(term_add(c, x, number(c, 1))->support, x->support);
    for (size_t i = 1; i < a->support->size; i++)
        assert_true(a->support->symbol[i - 1]->hash < a->support->symbol[i]->hash);
    assert_int_equal(term_sub(c, a, a)->support->size, 0);
    terms_destroy(c);
}

static void valuations_default_to_zero(void **state) {
    (void)state;
    terms *c = terms_create();
    valuation *v = valuation_create();
    const term *x = symbol(c, 1), *y = term_symbol(c, 64, 2, NULL, 0);
    uint64_t value = 99;
    assert_false(valuation_get(v, x, &value));
    assert_int_equal(value, 0);
    valuation_set(v, x, UINT64_C(0x100000005));
    valuation_set(v, y, UINT64_MAX);
    assert_true(valuation_get(v, x, &value));
    assert_int_equal(value, 5);
    assert_true(term_evaluate(c, y, v) == UINT64_MAX);
    assert_int_equal(term_evaluate(c, term_add(c, x, symbol(c, 3)), v), 5);
    valuation_set(v, x, 6);
    assert_int_equal(term_evaluate(c, term_add(c, x, symbol(c, 3)), v), 6);
    valuation_clear(v);
    assert_false(valuation_get(v, y, &value));
    valuation_destroy(v);
    terms_destroy(c);
}

static void division_follows_smtlib(void **state) {
    (void)state;
    const uint64_t seven_zero[] = {7, 0}, minus_zero[] = {0xf9, 0}, least[] = {0x80, 0xff},
                   mixed[] = {0xf9, 2};
    assert_int_equal(term_apply(TERM_UDIV, 8, 8, 0, seven_zero), 0xff);
    assert_int_equal(term_apply(TERM_UREM, 8, 8, 0, seven_zero), 7);
    assert_int_equal(term_apply(TERM_SDIV, 8, 8, 0, seven_zero), 0xff);
    assert_int_equal(term_apply(TERM_SDIV, 8, 8, 0, minus_zero), 1);
    assert_int_equal(term_apply(TERM_SREM, 8, 8, 0, minus_zero), 0xf9);
    assert_int_equal(term_apply(TERM_SDIV, 8, 8, 0, least), 0x80);
    assert_int_equal(term_apply(TERM_SREM, 8, 8, 0, least), 0);
    assert_int_equal(term_apply(TERM_SDIV, 8, 8, 0, mixed), 0xfd);
    assert_int_equal(term_apply(TERM_SREM, 8, 8, 0, mixed), 0xff);
    const uint64_t far[] = {0x80, 200}, shift[] = {0x81, 1};
    assert_int_equal(term_apply(TERM_SHL, 8, 8, 0, far), 0);
    assert_int_equal(term_apply(TERM_LSHR, 8, 8, 0, far), 0);
    assert_int_equal(term_apply(TERM_ASHR, 8, 8, 0, far), 0xff);
    assert_int_equal(term_apply(TERM_ASHR, 8, 8, 0, shift), 0xc0);
    const uint64_t wide[] = {UINT64_C(1) << 63, 63};
    assert_true(term_apply(TERM_ASHR, 64, 64, 0, wide) == UINT64_MAX);
}

static void substitution_is_simultaneous(void **state) {
    (void)state;
    terms *c = terms_create();
    const term *x = symbol(c, 1), *y = symbol(c, 2), *t = term_udiv(c, x, term_add(c, y, number(c, 1)));
    substitution *s = substitution_create(c);
    substitution_set(s, x, y);
    substitution_set(s, y, x);
    assert_ptr_equal(substitution_apply(s, t), term_udiv(c, y, term_add(c, x, number(c, 1))));
    assert_ptr_equal(substitution_apply(s, symbol(c, 3)), symbol(c, 3));
    substitution_set(s, x, number(c, 8));
    substitution_set(s, y, number(c, 3));
    assert_ptr_equal(substitution_apply(s, t), number(c, 2));
    substitution_clear(s);
    assert_ptr_equal(substitution_apply(s, t), t);
    substitution_set(s, y, y);
    assert_ptr_equal(substitution_apply(s, t), t);
    substitution_destroy(s);
    terms_destroy(c);
}

static void primed_twins_keep_everything_but_the_name(void **state) {
    (void)state;
    terms *c = terms_create();
    const term *x = term_symbol(c, W, 1, "level", 9),
               *t = term_ult(c, term_mul(c, x, symbol(c, 2)), number(c, 7));
    const term *twin = term_primed(c, t);
    assert_ptr_not_equal(twin, t);
    assert_ptr_equal(twin, term_primed(c, t));
    assert_true(twin->shape == t->shape);
    const term *x2 = term_primed(c, x);
    assert_true(term_symbol_is_primed(x2) && !term_symbol_is_primed(x));
    assert_string_equal(term_symbol_label(c, x2), "level");
    assert_int_equal(term_symbol_origin(c, x2), 9);
    assert_ptr_equal(term_primed(c, number(c, 3)), number(c, 3));
    for (size_t i = 0; i < twin->support->size; i++)
        assert_true(term_symbol_is_primed(twin->support->symbol[i]));
    terms_destroy(c);
}

static void without_simplification_only_numbers_fold(void **state) {
    (void)state;
    terms *c = terms_create();
    terms_set_simplify(c, false);
    const term *x = symbol(c, 1), *zero = number(c, 0);
    assert_int_equal(term_add(c, x, zero)->op, TERM_ADD);
    assert_int_equal(term_sub(c, x, x)->op, TERM_ADD);
    assert_int_equal(term_not(c, term_not(c, x))->op, TERM_NOT);
    assert_ptr_equal(term_add(c, number(c, 2), number(c, 3)), number(c, 5));
    assert_ptr_equal(term_ite(c, term_true(c), x, zero), x);
    assert_true(term_is_true(term_ult(c, number(c, 2), number(c, 3))));
    terms_destroy(c);
}

static void printing_is_readable(void **state) {
    (void)state;
    terms *c = terms_create();
    const term *x = term_symbol(c, W, 1, "x", 0), *y = term_symbol(c, W, 2, "y", 0);
    const term *t = term_not(c, term_eq(c, term_udiv(c, x, y), number(c, 5)));
    text out = {0};
    term_print(c, t, &out);
    assert_string_equal(text_cstr(&out), "((x / y) != 5)");
    text_free(&out);
    term_print(c, term_slt(c, term_primed(c, x), term_const(c, W, UINT64_MAX)), &out);
    assert_string_equal(text_cstr(&out), "(x' <s -1)");
    text_free(&out);
    terms_destroy(c);
}

static size_t occurrences(const char *haystack, const char *needle) {
    size_t n = 0;
    for (; (haystack = strstr(haystack, needle)); haystack += strlen(needle)) n++;
    return n;
}

static void smtlib_writes_shared_parts_once(void **state) {
    (void)state;
    terms *c = terms_create();
    const term *x = symbol(c, 1), *y = symbol(c, 2), *product = term_mul(c, x, y);
    const term *conditions[] = {term_ult(c, product, x), term_slt(c, y, product)};
    text out = {0};
    term_print_smtlib(c, conditions, 2, &out);
    const char *script = text_cstr(&out);
    assert_int_equal(occurrences(script, "bvmul"), 1);
    assert_int_equal(occurrences(script, "declare-fun"), 2);
    assert_int_equal(occurrences(script, "(assert "), 2);
    assert_int_equal(occurrences(script, "(check-sat)"), 1);
    text_free(&out);
    terms_destroy(c);
}

/* Nothing may recurse along the depth of a term. */
static void depth_is_not_limited(void **state) {
    (void)state;
    enum { DEPTH = 200000 };
    terms *c = terms_create();
    const term *x = symbol(c, 1), *y = symbol(c, 2), *t = x;
    for (int i = 0; i < DEPTH; i++) {
        t = i % 3 ? term_udiv(c, t, y) : term_xor(c, t, term_mul(c, t, y));
        if (i % 1000 == 0) t = term_ite(c, term_eq(c, t, number(c, 1)), number(c, 2), t);
    }
    valuation *v = valuation_create();
    valuation_set(v, x, 12345);
    valuation_set(v, y, 1);
    assert_int_equal(term_evaluate(c, t, v) & ~term_mask(W), 0);
    assert_true(term_primed(c, t)->shape == t->shape);
    substitution *s = substitution_create(c);
    substitution_set(s, y, number(c, 1));
    substitution_set(s, x, number(c, 12345));
    assert_int_equal(substitution_apply(s, t)->value, term_evaluate(c, t, v));
    text out = {0};
    term_print(c, t, &out);
    assert_true(out.size < 10000);
    assert_non_null(strstr(text_cstr(&out), "..."));
    text_free(&out);
    const term *condition = term_eq(c, t, number(c, 7)), *narrow = term_extract(c, t, 3, 5);
    assert_int_equal(narrow->width, 5);
    term_print_smtlib(c, &condition, 1, &out);
    text_free(&out);
    substitution_destroy(s);
    valuation_destroy(v);
    terms_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_terms_are_one),
        cmocka_unit_test(symbols_are_known_by_name_and_width),
        cmocka_unit_test(hashes_depend_on_structure_only),
        cmocka_unit_test(what_division_leaves_is_a_rest),
        cmocka_unit_test(shapes_ignore_names),
        cmocka_unit_test(supports_are_shared_sets),
        cmocka_unit_test(valuations_default_to_zero),
        cmocka_unit_test(division_follows_smtlib),
        cmocka_unit_test(substitution_is_simultaneous),
        cmocka_unit_test(primed_twins_keep_everything_but_the_name),
        cmocka_unit_test(without_simplification_only_numbers_fold),
        cmocka_unit_test(printing_is_readable),
        cmocka_unit_test(smtlib_writes_shared_parts_once),
        cmocka_unit_test(depth_is_not_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
