/* Conditions as C: what a compiler makes of the text has the value of the term, for random
 * terms and numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "random_terms.h"
#include "report/c_expression.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TERMS = 300, SYMBOLS = 4 };

static const unsigned widths[SYMBOLS] = {8, 16, 32, 64};

static char *name_of(void *data, const term *symbol) {
    (void)data;
    text name = {0};
    text_format(&name, "v%" PRIu64, symbol->value);
    char *result = mem_copy_string(text_cstr(&name));
    text_free(&name);
    return result;
}

static char *no_name(void *data, const term *symbol) {
    (void)data;
    (void)symbol;
    return NULL;
}

typedef struct lab {
    terms *c;
    const term *symbols[SYMBOLS];
    valuation *v;
    random_source r;
} lab;

static const term *random_number_term(lab *l, unsigned width, int depth) {
    if (depth == 0 || !random_below(&l->r, 4)) {
        for (int i = 0; i < SYMBOLS && random_below(&l->r, 3); i++)
            if (widths[i] == width) return l->symbols[i];
        return term_const(l->c, width, random_number(&l->r, width));
    }
    const term *a = random_number_term(l, width, depth - 1), *b = random_number_term(l, width, depth - 1);
    unsigned other = widths[random_below(&l->r, SYMBOLS)];
    switch (random_below(&l->r, 8)) {
    case 0: return term_add(l->c, a, b);
    case 1: return term_mul(l->c, a, b);
    case 2: return term_and(l->c, a, b);
    case 3: return term_or(l->c, a, b);
    case 4: return term_xor(l->c, a, b);
    case 5: return term_not(l->c, a);
    default: break;
    }
    const term *from = random_number_term(l, other, depth - 1);
    if (other > width) return term_extract(l->c, from, random_below(&l->r, other - width + 1), width);
    return random_below(&l->r, 2) ? term_zext(l->c, from, width) : term_sext(l->c, from, width);
}

static const term *random_condition(lab *l, int depth) {
    unsigned width = widths[random_below(&l->r, SYMBOLS)];
    if (depth && random_below(&l->r, 2)) {
        const term *a = random_condition(l, depth - 1), *b = random_condition(l, depth - 1);
        switch (random_below(&l->r, 3)) {
        case 0: return term_and(l->c, a, b);
        case 1: return term_or(l->c, a, b);
        default: return term_not(l->c, a);
        }
    }
    const term *a = random_number_term(l, width, 3), *b = random_number_term(l, width, 3);
    switch (random_below(&l->r, 3)) {
    case 0: return term_eq(l->c, a, b);
    case 1: return term_ult(l->c, a, b);
    default: return term_slt(l->c, a, b);
    }
}

/* Signed variables: a witness speaks of variables of either kind. */
static void declare_variables(lab *l, FILE *f) {
    static const char *const types[SYMBOLS] = {"signed char", "short", "int", "long long"};
    for (int i = 0; i < SYMBOLS; i++) {
        uint64_t n = random_number(&l->r, widths[i]);
        valuation_set(l->v, l->symbols[i], n);
        fprintf(f, "%s v%d = (%s)%" PRIu64 "ULL;\n", types[i], i, types[i], n);
    }
}

static void test_value(void **unused) {
    (void)unused;
    char folder[] = "/tmp/heddle-c-XXXXXX", source[64], program[64], command[256];
    assert_non_null(mkdtemp(folder));
    snprintf(source, sizeof source, "%s/t.c", folder);
    snprintf(program, sizeof program, "%s/t", folder);
    lab l = {.c = terms_create(), .v = valuation_create(), .r = {7}};
    for (int i = 0; i < SYMBOLS; i++) l.symbols[i] = term_symbol(l.c, widths[i], (uint64_t)i, "v", 0);
    FILE *f = fopen(source, "w");
    declare_variables(&l, f);
    fprintf(f, "int main(void) {\n");
    unsigned printed = 0;
    for (int k = 1; k <= TERMS; k++) {
        const term *t = random_condition(&l, 2);
        text out = {0};
        if (c_expression_print(t, name_of, NULL, &out)) {
            fprintf(f, "    if (!!(%s) != %d) return 1;\n", text_cstr(&out), (int)term_evaluate(l.c, t, l.v));
            printed++;
        }
        text_free(&out);
    }
    fprintf(f, "    return 0;\n}\n");
    fclose(f);
    assert_true(printed > TERMS / 2);
    snprintf(command, sizeof command, "cc -w -fwrapv -o %s %s && %s", program, source, program);
    int status = system(command);
    unlink(source);
    unlink(program);
    rmdir(folder);
    assert_int_equal(status, 0);
    valuation_destroy(l.v);
    terms_destroy(l.c);
}

static void test_refused(void **unused) {
    (void)unused;
    terms *c = terms_create();
    const term *x = term_symbol(c, 32, 0, "x", 0), *odd = term_symbol(c, 24, 1, "y", 0);
    text out = {0};
    assert_false(c_expression_print(term_eq(c, x, term_const(c, 32, 5)), no_name, NULL, &out));
    assert_false(c_expression_print(term_eq(c, odd, term_const(c, 24, 5)), name_of, NULL, &out));
    assert_false(c_expression_print(x, name_of, NULL, &out)); /* no condition */
    assert_false(
        c_expression_print(term_eq(c, term_udiv(c, x, term_const(c, 32, 7)), x), name_of, NULL, &out));
    assert_int_equal(out.size, 0);
    assert_true(c_expression_print(term_ult(c, x, term_const(c, 32, 5)), name_of, NULL, &out));
    assert_string_equal(text_cstr(&out), "((unsigned int)v0 < 5U)");
    text_free(&out);
    terms_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_value), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
