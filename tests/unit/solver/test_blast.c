/* The bit-blaster against term_apply: every operator, exhaustively at small widths and at random
 * at large ones. */
#include "random_terms.h"
#include "solver/blast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>

static const term_op BINARY[] = {TERM_AND,  TERM_OR,   TERM_XOR,  TERM_ADD,   TERM_MUL,  TERM_UDIV,
                                 TERM_UREM, TERM_SDIV, TERM_SREM, TERM_SHL,   TERM_LSHR, TERM_ASHR,
                                 TERM_EQ,   TERM_ULT,  TERM_SLT,  TERM_CONCAT};
enum { BINARIES = sizeof BINARY / sizeof *BINARY };

static void fix_value(blaster *b, const term *symbol, uint64_t value) {
    const int *literals = blast_term(b, symbol);
    for (unsigned i = 0; i < symbol->width; i++)
        b->gates.backend->assume(b->gates.sat, value >> i & 1 ? literals[i] : -literals[i]);
}

static uint64_t read_value(blaster *b, const term *t) {
    const int *literals = blast_term(b, t);
    uint64_t value = 0;
    for (unsigned i = 0; i < t->width; i++)
        if (b->gates.backend->value(b->gates.sat, literals[i])) value |= UINT64_C(1) << i;
    return value;
}

/* The circuit must have a solution for these inputs, and only the right one. */
static void check_circuit(blaster *b, const term *t, const term *const *symbols, const uint64_t *values,
                          size_t count, uint64_t expected) {
    sat_limits none = {0};
    blast_term(b, t);
    for (size_t i = 0; i < count; i++) fix_value(b, symbols[i], values[i]);
    assert_int_equal(b->gates.backend->solve(b->gates.sat, &none), SAT_SATISFIABLE);
    assert_true(read_value(b, t) == expected);
    const int *literals = blast_term(b, t);
    int right[64];
    for (unsigned i = 0; i < t->width; i++) right[i] = expected >> i & 1 ? literals[i] : -literals[i];
    int differs = -gate_and_all(&b->gates, right, t->width);
    if (differs == GATE_FALSE) return;
    for (size_t i = 0; i < count; i++) fix_value(b, symbols[i], values[i]);
    b->gates.backend->assume(b->gates.sat, differs);
    assert_int_equal(b->gates.backend->solve(b->gates.sat, &none), SAT_UNSATISFIABLE);
}

static unsigned result_width(term_op op, unsigned width) {
    return op == TERM_EQ || op == TERM_ULT || op == TERM_SLT ? 1 : op == TERM_CONCAT ? 2 * width : width;
}

static void check_operator(term_op op, unsigned width, bool exhaustive, random_source *r, int rounds) {
    terms *c = terms_create();
    terms_set_simplify(c, false);
    blaster b;
    blaster_open(&b, &sat_cadical);
    const term *symbols[2] = {term_symbol(c, width, 1, NULL, 0), term_symbol(c, width, 2, NULL, 0)};
    const term *t = construct(c, op, symbols[0], symbols[1]);
    uint64_t cases = exhaustive ? UINT64_C(1) << 2 * width : (uint64_t)rounds;
    for (uint64_t i = 0; i < cases; i++) {
        uint64_t values[2];
        for (int k = 0; k < 2; k++)
            values[k] = exhaustive ? i >> k * width & term_mask(width) : random_number(r, width);
        check_circuit(&b, t, symbols, values, 2, term_apply(op, result_width(op, width), width, 0, values));
    }
    blaster_close(&b);
    terms_destroy(c);
}

static void operators_are_right_at_small_widths(void **state) {
    (void)state;
    for (unsigned width = 1; width <= 3; width++)
        for (int i = 0; i < BINARIES; i++) check_operator(BINARY[i], width, true, NULL, 0);
}

static void operators_are_right_at_large_widths(void **state) {
    (void)state;
    static const unsigned widths[] = {5, 8, 32, 64};
    random_source r = {11};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++)
        for (int i = 0; i < BINARIES; i++)
            if (BINARY[i] != TERM_CONCAT || widths[k] <= 32)
                check_operator(BINARY[i], widths[k], false, &r, 6);
}

/* Constant operands take other ways through the circuits. */
static void constant_operands_are_right(void **state) {
    (void)state;
    random_source r = {12};
    for (int round = 0; round < 300; round++) {
        terms *c = terms_create();
        terms_set_simplify(c, false);
        blaster b;
        blaster_open(&b, &sat_cadical);
        unsigned width = 1 + random_below(&r, 12);
        const term *x = term_symbol(c, width, 1, NULL, 0);
        uint64_t n = random_number(&r, width), value = random_number(&r, width);
        term_op op = BINARY[random_below(&r, BINARIES)];
        bool second = random_below(&r, 2);
        const term *k = term_const(c, width, n), *t = construct(c, op, second ? x : k, second ? k : x);
        uint64_t args[2] = {second ? value : n, second ? n : value};
        if (!term_is_const(t))
            check_circuit(&b, t, &x, &value, 1, term_apply(op, result_width(op, width), width, 0, args));
        blaster_close(&b);
        terms_destroy(c);
    }
}

static void random_terms_are_right(void **state) {
    (void)state;
    random_source r = {13};
    for (int round = 0; round < 400; round++) {
        terms *c = terms_create();
        terms_set_simplify(c, round % 2);
        blaster b;
        blaster_open(&b, &sat_cadical);
        unsigned width = 2 + random_below(&r, 9);
        const term *symbols[3] = {term_symbol(c, width, 1, NULL, 0), term_symbol(c, width, 2, NULL, 0),
                                  term_symbol(c, 1, 3, NULL, 0)};
        cookbook book = {.symbols = symbols, .symbol_count = 3};
        int root = random_recipe(c, &book, &r, width, 3);
        for (int i = 0; i < 3; i++) {
            uint64_t values[3];
            for (int k = 0; k < 3; k++) values[k] = random_number(&r, symbols[k]->width);
            check_circuit(&b, made(&book, root), symbols, values, 3, recipe_value(&book, root, values));
        }
        blaster_close(&b);
        terms_destroy(c);
    }
}

static void equal_circuits_share_their_gates(void **state) {
    (void)state;
    terms *c = terms_create();
    terms_set_simplify(c, false);
    blaster b;
    blaster_open(&b, &sat_cadical);
    const term *x = term_symbol(c, 32, 1, NULL, 0), *y = term_symbol(c, 32, 2, NULL, 0);
    blast_term(&b, term_add(c, x, y));
    size_t before = b.gates.clauses;
    assert_true(blast_cone(&b, (const term *const[]){term_add(c, x, y)}, 1) > 0);
    blast_term(&b, term_add(c, term_extract(c, term_zext(c, x, 33), 0, 32), y));
    assert_int_equal(b.gates.clauses, before);
    int same = blast_condition(&b, term_eq(c, x, x)), never = blast_condition(&b, term_ult(c, x, x));
    assert_int_equal(same, GATE_TRUE);
    assert_int_equal(never, GATE_FALSE);
    blaster_close(&b);
    terms_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_right_at_small_widths),
        cmocka_unit_test(operators_are_right_at_large_widths),
        cmocka_unit_test(constant_operands_are_right),
        cmocka_unit_test(random_terms_are_right),
        cmocka_unit_test(equal_circuits_share_their_gates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
