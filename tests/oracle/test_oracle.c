/* The oracle's own parts: a reference that is wrong would accuse the wrong side. */
#include "evaluate.h"
#include "generator.h"
#include "reference.h"
#include "shrink.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const reference_limits limits = {.states = 5000, .finals = 500};

static void run(tiny_program *p, reference_result *r) {
    text source = {0};
    tiny_print(p, &source);
    reference_run(p, &limits, r);
    text_free(&source);
    assert_null(r->refused);
}

/* All seven listings have an assertion that can be violated. */
static void test_listings_are_unsafe(void **state) {
    (void)state;
    for (unsigned k = 0; k < listing_count(); k++) {
        tiny_program p = {0};
        maker m = {.p = &p};
        make_listing(&m, k);
        reference_result r;
        run(&p, &r);
        assert_int_equal(r.violations.size, 1);
        assert_false(r.symbolic);
        reference_free(&r);
        tiny_free(&p);
    }
}

static void test_cycles_are_found(void **state) {
    (void)state;
    bool expected[] = {true, true, true, false, false, true, true}; /* 3.1 and 4.2 have endless loops */
    for (unsigned k = 0; k < listing_count(); k++) {
        tiny_program p = {0};
        maker m = {.p = &p};
        make_listing(&m, k);
        reference_result r;
        run(&p, &r);
        assert_int_equal(r.acyclic, expected[k]);
        reference_free(&r);
        tiny_free(&p);
    }
}

/* thread { g0 += input & 3; } main { start; assert g0 != 2; } */
static void test_inputs_are_enumerated(void **state) {
    (void)state;
    tiny_program p = {.globals = 1, .global = {{.type = TINY_U8, .low = 255}}};
    uint32_t main_body = tiny_add_body(&p, BODY_MAIN), thread = tiny_add_body(&p, BODY_THREAD);
    uint32_t input = tiny_expr_add(&p, EXPR_INPUT, TINY_INT, 3, TINY_NONE, TINY_NONE);
    uint32_t global = tiny_expr_add(&p, EXPR_GLOBAL, 0, 0, TINY_NONE, TINY_NONE);
    uint32_t two = tiny_expr_add(&p, EXPR_NUMBER, 0, 2, TINY_NONE, TINY_NONE);
    uint32_t differs = tiny_expr_add(&p, EXPR_BINARY, OP_NE, 0, global, two);
    tiny_stmt *add = tiny_at(&p, tiny_insert(&p, p.body[thread].first, STMT_UPDATE));
    add->op = OP_ADD;
    add->target = global;
    add->a = input;
    uint32_t start = tiny_insert(&p, p.body[main_body].first, STMT_START);
    uint32_t check = tiny_insert(&p, start, STMT_ASSERT);
    tiny_at(&p, check)->a = differs;
    reference_result r;
    run(&p, &r);
    assert_true(r.symbolic);
    assert_int_equal(r.finals.size, 4); /* 255, 0, 1, 2 */
    assert_int_equal(r.violations.size, 1);
    assert_int_equal(r.violations.data[0], 2 * tiny_at(&p, check)->line);
    reference_free(&r);
    tiny_free(&p);
}

static int64_t value_of(tiny_operator op, tiny_type a, int64_t x, tiny_type b, int64_t y,
                        tiny_type expected) {
    scope s = {0};
    tiny_value v = apply_binary(&s, op, (tiny_value){x, (uint8_t)a}, (tiny_value){y, (uint8_t)b});
    assert_int_equal(v.type, expected);
    return v.v;
}

static void test_conversions_follow_cpp(void **state) {
    (void)state;
    assert_int_equal(value_of(OP_ADD, TINY_U8, 255, TINY_U8, 1, TINY_INT), 256);
    assert_int_equal(value_of(OP_SUB, TINY_UINT, 0, TINY_INT, 1, TINY_UINT), UINT32_MAX);
    assert_int_equal(value_of(OP_LT, TINY_INT, -1, TINY_UINT, 0, TINY_BOOL), 0);
    assert_int_equal(value_of(OP_LT, TINY_INT, -1, TINY_ULONG, 0, TINY_BOOL), 0);
    assert_int_equal(value_of(OP_LT, TINY_LONG, -1, TINY_UINT, 0, TINY_BOOL), 1);
    assert_int_equal(value_of(OP_REM, TINY_INT, -3, TINY_INT, 2, TINY_INT), -1);
    assert_int_equal(value_of(OP_SHR, TINY_INT, -8, TINY_INT, 40, TINY_INT), -1);
    assert_int_equal(value_of(OP_SHL, TINY_UINT, 1, TINY_INT, 32, TINY_UINT), 0);
    assert_int_equal(convert((tiny_value){256, TINY_INT}, TINY_BOOL), 1);
    assert_int_equal(convert((tiny_value){200, TINY_INT}, TINY_CHAR), -56);
}

static void test_same_seed_same_program(void **state) {
    (void)state;
    for (int k = 0; k < PROFILES; k++) {
        tiny_program p, q;
        text first = {0}, second = {0};
        generate(7, (profile)k, &p);
        generate(7, (profile)k, &q);
        tiny_print(&p, &first);
        tiny_print(&q, &second);
        assert_string_equal(text_cstr(&first), text_cstr(&second));
        text_free(&first);
        text_free(&second);
        tiny_free(&p);
        tiny_free(&q);
    }
}

static bool has_notification(void *data, tiny_program *p) {
    (void)data;
    text source = {0};
    tiny_print(p, &source);
    bool found = strstr(text_cstr(&source), "notify e") != NULL;
    text_free(&source);
    return found;
}

/* What is left is the one statement that matters, and the start that every program needs. */
static void test_shrinking_keeps_the_point(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed < 30; seed++) {
        tiny_program p;
        generate(seed, PROFILE_CONCRETE, &p);
        if (has_notification(NULL, &p)) {
            shrink(&p, has_notification, NULL);
            text source = {0};
            tiny_print(&p, &source);
            assert_non_null(strstr(text_cstr(&source), "notify e"));
            assert_null(strstr(text_cstr(&source), "wait"));
            assert_null(strstr(text_cstr(&source), "while"));
            text_free(&source);
        }
        tiny_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listings_are_unsafe),    cmocka_unit_test(test_cycles_are_found),
        cmocka_unit_test(test_inputs_are_enumerated),  cmocka_unit_test(test_conversions_follow_cpp),
        cmocka_unit_test(test_same_seed_same_program), cmocka_unit_test(test_shrinking_keeps_the_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
