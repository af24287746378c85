/* IVL from text to syntax tree and back; what the user is told when the text is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend/ivl/ivl.h"
#include "frontend/ivl/lexer.h"
#include "frontend/ivl/parser.h"
#include "ivl_listings.h"

#include <stdlib.h>
#include <string.h>

static bool parse(const char *source, ast_file *out, diagnostics *d) {
    *out = (ast_file){0};
    return ivl_parse(source, strlen(source), d, out);
}

static void expect_round_trip(const char *name, const char *source) {
    diagnostics d = {.file = name, .source = source};
    ast_file first, second;
    text once = {0}, twice = {0}, errors = {0};
    bool good = parse(source, &first, &d);
    ast_print(&first, &once);
    bool good_again = good && parse(text_cstr(&once), &second, &d);
    diag_print(&d, &errors);
    if (!good || !good_again) fail_msg("%s:\n%s\n%s", name, text_cstr(&errors), text_cstr(&once));
    ast_print(&second, &twice);
    if (!ast_equal(&first, first.declarations, &second, second.declarations))
        fail_msg("%s changed:\n%s", name, text_cstr(&once));
    assert_string_equal(text_cstr(&once), text_cstr(&twice));
    text_free(&once);
    text_free(&twice);
    text_free(&errors);
    diag_free(&d);
    ast_file_free(&first);
    ast_file_free(&second);
}

static void listings_survive_printing(void **unused) {
    (void)unused;
    for (int k = 0; k < IVL_LISTING_COUNT; k++)
        expect_round_trip(ivl_listings[k].name, ivl_listings[k].source);
}

static void every_construct_survives_printing(void **unused) {
    (void)unused;
    const char *const sources[] = {
        "param N = 3; param M = N * 2 - 1;",
        "event a, b[3], c; event d;",
        "struct S { int x, *p; bool f[2][3]; struct S *next; } struct T { struct S s; };",
        "int x, *p, **q, a[3][4] = {{1, 2}, {3}, 4, 5,}, z = {1}; struct S { int v; }; S s; struct S t;",
        "void f() {} int g(void) { return 1; } int *h(int *a, int b[], char c) { return a; }",
        "thread t[i : N + 1] {} thread u {} update v[k : 2] {} update w { ; } main { start; start -1; start "
        "5 + 2; stop; }",
        "thread t { int i; for (i = 0; i < 3; i++) ; for (;;) break; for (int k = 0, m = 1; k < 2; ++k) { "
        "continue; } }",
        "thread t { if (a) b = 1; else if (c) d = 1; else { e = 1; } if (a) { if (b) c = 1; } else d = 2; }",
        "thread t { if (a) if (b) c = 1; else d = 1; while (a) while (b) ; do x++; while (x < 3); do { x--; "
        "} while (1); }",
        "thread t { switch (x) { case 1: case N + 1: y = 1; break; default: { z = 2; } } switch (x) { } }",
        "thread t { L: x = 1; goto L; if x > 1 goto L; if (x) goto L; if (x) * y > 3 goto L; if (x) *p = 3; "
        "M: N: ; K: }",
        "thread t { if (x) K: goto K; if (a) -b; if (a) (*p).x = 1; if (a)[1] == 2 goto E; E: }",
        "thread t { x = 1; x += 1; x -= 1; x *= 1; x /= 1; x %= 1; x &= 1; x |= 1; x ^= 1; x <<= 1; x >>= 1; "
        "++x; --y; x++; y--; }",
        "thread t { wait e; wait e, 5; wait a | b[1] | c; wait (a & b) & c, x + 1; wait_event (a | b); "
        "wait_time 0; delay x; }",
        "thread t { notify e; notify e[i + 1], 0; cancel e; suspend u; resume u[2]; request_update v[i]; "
        "delete p; }",
        "thread t { assert x == 1; assert(x) && y; assume !x; return; } int f() { return 1 + 2; }",
        "thread t { x = a + b * c - (d - e) - (f + g) * (h / i % j) << 2 >> 3; }",
        "thread t { x = a < b == (c >= d) != (e && f || g && (h || i)); x = a & b | c ^ d & (e | f); }",
        "thread t { x = -a + +b - -c - (-d) + !e + ~~f; x = - -a; x = &*p; x = **q; x = (&a)[0]; x = - "
        "(-(-a)); x = +(+a); }",
        "thread t { x = a ? b : c ? d : e; x = (a ? b : c) ? d : e; x = a ? b ? c : d : e; x = ?(int) ? "
        "?(bool) : ?(u8[3]); }",
        "thread t { x = (int)a + (char)-b; x = (int *)p; x = (struct S *)null; x = (int)(a + b); x = "
        "((int)a)[3]; x = -(int)a; }",
        "thread t { x = a[1][2].b.c->d[3]->e; x = (*p).x; x = f(1, g(), h(2)[1]); f(); x = (a + b)[1]; x = "
        "(*p)[1]; }",
        "thread t { x = new int; x = new int[n + 1]; x = (new int[2])[0]; x = new struct S; x = new int "
        "*[3]; x = @time + 1; }",
        "thread t { x = 0x1F + 0b101 + 017 + 0 + 12 + 5u + 5l + 5ul + 0xFFFFFFFF + 4294967295 + "
        "9223372036854775808u; }",
        "thread t { x = 'a' + '\\n' + '\\'' + '\\\\' + '\\x41' + '\\0' + '\\377' + '\"' + true + false; p = "
        "null; }",
    };
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) expect_round_trip(sources[k], sources[k]);
}

static void standard_form_is_readable(void **unused) {
    (void)unused;
    const char *source = "param N=2;event E[N];thread T[i:N]{while(1){wait E[i],3;if(i==0)x=1;else "
                         "if((i+1)*2>3){y++;}else z-=(a-b);}}";
    diagnostics d = {0};
    text t = {0};
    assert_true(ivl_print("x.ivl", source, strlen(source), &d, &t));
    assert_string_equal(text_cstr(&t), "param N = 2;\n"
                                       "event E[N];\n"
                                       "\n"
                                       "thread T[i : N] {\n"
                                       "    while (1) {\n"
                                       "        wait E[i], 3;\n"
                                       "        if (i == 0)\n"
                                       "            x = 1;\n"
                                       "        else if ((i + 1) * 2 > 3) {\n"
                                       "            y++;\n"
                                       "        } else\n"
                                       "            z -= a - b;\n"
                                       "    }\n"
                                       "}\n");
    text_free(&t);
    diag_free(&d);
}

static void different_trees_are_told_apart(void **unused) {
    (void)unused;
    const char *const pairs[][2] = {
        {"int x;", "int y;"},
        {"int x;", "uint x;"},
        {"int x;", "int *x;"},
        {"int x; int y;", "int x;"},
        {"int x = 1;", "int x = 1u;"},
        {"int x = 16;", "int x = 0x10;"},
        {"int x = a - (b - c);", "int x = a - b - c;"},
        {"thread t { wait a | b; }", "thread t { wait a & b; }"},
        {"thread t { if (a) x = 1; else if (b) x = 2; }", "thread t { if (a) x = 1; else if (b) x = 3; }"},
        {"thread t { if (a) x = 1; else if (b) x = 2; }",
         "thread t { if (a) x = 1; else if (b) x = 2; else x = 3; }"},
        {"thread t { x += 1; }", "thread t { x++; }"},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        diagnostics d = {0};
        ast_file a, b;
        assert_true(parse(pairs[k][0], &a, &d) && parse(pairs[k][1], &b, &d));
        if (ast_equal(&a, a.declarations, &b, b.declarations)) fail_msg("%s = %s", pairs[k][0], pairs[k][1]);
        ast_file_free(&a);
        ast_file_free(&b);
    }
}

/* --- literals ------------------------------------------------------------------------------------------- */

static void expect_literal(const char *literal, unsigned type, uint64_t value) {
    text source = {0};
    text_format(&source, "int x = %s;", literal);
    diagnostics d = {0};
    ast_file file;
    if (!parse(text_cstr(&source), &file, &d)) fail_msg("%s", literal);
    const ast *number = file.declarations->list->a;
    if (number->type.word != type || number->value != value)
        fail_msg("%s: type %s", literal, token_spelling(number->type.word));
    ast_file_free(&file);
    text_free(&source);
}

static void literals_have_the_types_of_cpp(void **unused) {
    (void)unused;
    expect_literal("0", TOKEN_INT, 0);
    expect_literal("2147483647", TOKEN_INT, 2147483647);
    expect_literal("2147483648", TOKEN_LONG, 2147483648);
    expect_literal("0x7fffffff", TOKEN_INT, 0x7fffffff);
    expect_literal("0x80000000", TOKEN_UINT, 0x80000000);
    expect_literal("0xffffffff", TOKEN_UINT, 0xffffffff);
    expect_literal("0x100000000", TOKEN_LONG, 0x100000000);
    expect_literal("0xffffffffffffffff", TOKEN_ULONG, UINT64_MAX);
    expect_literal("037777777777", TOKEN_UINT, 0xffffffff);
    expect_literal("0b11", TOKEN_INT, 3);
    expect_literal("1u", TOKEN_UINT, 1);
    expect_literal("4294967296U", TOKEN_ULONG, 4294967296);
    expect_literal("1l", TOKEN_LONG, 1);
    expect_literal("1LL", TOKEN_LONG, 1);
    expect_literal("1ul", TOKEN_ULONG, 1);
    expect_literal("1LU", TOKEN_ULONG, 1);
    expect_literal("18446744073709551615u", TOKEN_ULONG, UINT64_MAX);
}

/* --- errors --------------------------------------------------------------------------------------------- */

static void expect_errors(const char *source, size_t length, const char *const *expected, size_t count) {
    diagnostics d = {.file = "x.ivl"};
    ast_file file = {0};
    assert_false(ivl_parse(source, length, &d, &file));
    text all = {0};
    diag_print(&d, &all);
    for (size_t k = 0; k < count; k++) {
        text line = {0};
        text_format(&line, "x.ivl:%s\n", expected[k]);
        if (!strstr(text_cstr(&all), text_cstr(&line)))
            fail_msg("expected %sgot\n%s", text_cstr(&line), text_cstr(&all));
        text_free(&line);
    }
    assert_int_equal(d.errors, count);
    text_free(&all);
    diag_free(&d);
    ast_file_free(&file);
}

static void expect_error(const char *source, const char *expected) {
    expect_errors(source, strlen(source), &expected, 1);
}

static void syntax_errors_are_placed_and_worded(void **unused) {
    (void)unused;
    expect_error("int x", "1:6: error: expected ';' after declaration");
    expect_error("thread t { x = 1 }", "1:17: error: expected ';' after assignment");
    expect_error("thread t {\n  f()\n  g();\n}", "2:6: error: expected ';' after expression");
    expect_error("thread t { if (x y = 1; }", "1:17: error: expected ')' after condition");
    expect_error("thread t { if (x = 1) y = 1; }",
                 "1:18: error: '=' inside an expression: assignments are statements of their own");
    expect_error("thread t { x = y++; }",
                 "1:17: error: '++' inside an expression: assignments are statements of their own");
    expect_error("thread t { x = ; }", "1:16: error: expected an expression, found ';'");
    expect_error("thread t { x = 1; ", "1:10: error: '{' without '}'");
    expect_error("thread t { while (1) { x = 1; }", "1:10: error: '{' without '}'");
    expect_error("foo x;", "1:1: error: unknown type 'foo'");
    expect_error("thread t { foo x; }", "1:12: error: unknown type 'foo'");
    expect_error("event start;", "1:7: error: expected a name of an event; 'start' is a reserved word");
    expect_error("event 3;", "1:7: error: expected a name of an event, found number");
    expect_error("}", "1:1: error: expected a declaration, found '}'");
    expect_error("thread t { wait a | b & c; }", "1:23: error: '|' and '&' between events cannot be mixed");
    expect_error("thread t { switch (x) { y = 1; } }",
                 "1:25: error: expected 'case' or 'default' in a switch, found name");
    expect_error("int x = 12abc;", "1:9: error: malformed number '12abc'");
    expect_error("int x = 0x;", "1:9: error: malformed number '0x'");
    expect_error("int x = 09;", "1:9: error: malformed number '09'");
    expect_error("int x = 18446744073709551616;", "1:9: error: number too large for 64 bits");
    expect_error("int x = 9223372036854775808;", "1:9: error: number too large for 64 bits");
    expect_error("int x = 'ab';", "1:9: error: malformed character literal");
    expect_error("int x = '\\q';", "1:9: error: malformed character literal");
    expect_error("int x = '';", "1:9: error: malformed character literal");
    expect_error("int *********x;", "1:1: error: type with more than 8 stars");
    expect_error("struct S { int x = 1; };", "1:20: error: fields of a struct have no initialiser");
}

static void bytes_that_belong_nowhere_are_reported(void **unused) {
    (void)unused;
    expect_error("int x; /* open", "1:8: error: comment without end");
    expect_error("int $x;", "1:5: error: unexpected character '$'");
    expect_error("int x; \xc3\xa9\n", "1:8: error: unexpected byte 0xc3");
    const char *zero = "1:7: error: zero byte: this is not a text file";
    expect_errors("int x;\0int y;", 13, &zero, 1);
    expect_round_trip("comment", "int x; // \xc3\xa9 is fine here\n/* and \xff here */");
}

static void several_errors_are_reported_at_once(void **unused) {
    (void)unused;
    const char *source = "int x = ;\n"
                         "thread t { y = ; z = 1; w = 2 3; switch (x) { foo } v = ; }\n"
                         "param = 3;\n"
                         "struct S { int }; int y = 1 +;\n"
                         "thread u { while (1) { q = ; } if (] r = 1; }\n";
    const char *const expected[] = {
        "1:9: error: expected an expression, found ';'",
        "2:16: error: expected an expression, found ';'",
        "2:30: error: expected ';' after assignment",
        "2:47: error: expected 'case' or 'default' in a switch, found name",
        "2:57: error: expected an expression, found ';'",
        "3:7: error: expected a name of a parameter, found '='",
        "4:16: error: expected a name of a variable, found '}'",
        "4:30: error: expected an expression, found ';'",
        "5:28: error: expected an expression, found ';'",
        "5:36: error: expected an expression, found ']'",
    };
    expect_errors(source, strlen(source), expected, sizeof expected / sizeof *expected);
}

static void no_more_than_the_limit_of_errors_is_kept(void **unused) {
    (void)unused;
    text source = {0};
    text_add(&source, "thread t {\n");
    for (int k = 0; k < 1000; k++) text_add(&source, "x = ;\n");
    text_add(&source, "}\n");
    diagnostics d = {.file = "x.ivl"};
    ast_file file;
    assert_false(parse(text_cstr(&source), &file, &d));
    assert_int_equal(d.list.size, DIAG_MOST_ERRORS);
    diag_free(&d);
    ast_file_free(&file);
    text_free(&source);
}

/* --- limits --------------------------------------------------------------------------------------------- */

static text repeated(const char *before, const char *piece, size_t times, const char *after) {
    text t = {0};
    text_add(&t, before);
    for (size_t k = 0; k < times; k++) text_add(&t, piece);
    text_add(&t, after);
    return t;
}

/* true if the text is accepted; otherwise the message must contain `message` */
static bool accepted(text source, const char *message) {
    diagnostics d = {.file = "x.ivl"};
    ast_file file = {0};
    bool good = ivl_parse(source.data, source.size, &d, &file);
    text all = {0};
    diag_print(&d, &all);
    if (!good && !strstr(text_cstr(&all), message)) fail_msg("%s", text_cstr(&all));
    text printed = {0};
    if (good) ast_print(&file, &printed);
    text_free(&printed);
    text_free(&all);
    text_free(&source);
    diag_free(&d);
    ast_file_free(&file);
    return good;
}

static void nesting_is_limited_without_overflow(void **unused) {
    (void)unused;
    const char *const pieces[] = {"(",  "- ", "!",    "~",        "*",       "(int)",
                                  "x[", "f(", "1 ? ", "1 ? 2 : ", "new int["};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
        assert_false(accepted(repeated("int x = ", pieces[k], 100000, ""), "nesting too deep"));
    const char *const statements[] = {
        "{", "if (1) ", "while (1) ", "for (;;) ", "do ", "switch (1) { case 1: ", "if (1) {} else {", "L: "};
    for (size_t k = 0; k < sizeof statements / sizeof *statements; k++)
        assert_false(accepted(repeated("thread t { ", statements[k], 100000, ""), "nesting too deep"));
    assert_false(accepted(repeated("thread t { wait ", "(", 100000, "a;"), "nesting too deep"));
    assert_false(accepted(repeated("int x = ", "{", 100000, ""), "nesting too deep"));

    text deep = repeated("int x = ", "(", IVL_MOST_NESTING - 1, "1");
    for (int k = 0; k < IVL_MOST_NESTING - 1; k++) text_char(&deep, ')');
    text_char(&deep, ';');
    assert_true(accepted(deep, ""));
}

static void long_chains_are_limited(void **unused) {
    (void)unused;
    assert_true(accepted(repeated("int x = 1", " + 1", IVL_MOST_HEIGHT - 1, ";"), ""));
    assert_false(accepted(repeated("int x = 1", " + 1", IVL_MOST_HEIGHT, ";"), "expression too long"));
    assert_false(accepted(repeated("int x = a", "[1]", 100000, ";"), "expression too long"));
    assert_false(accepted(repeated("int x = a", ".b", 100000, ";"), "expression too long"));
    assert_false(accepted(repeated("int x = f(1", ", 1", 100000, ");"), "more than 255 arguments"));
    assert_false(accepted(repeated("thread t { wait a", " | a", 100000, "; }"), "more than 1000 events"));
}

static void else_if_chains_are_not_nesting(void **unused) {
    (void)unused;
    text chain = repeated("thread t { if (x) y = 1; ", "else if (x) y = 2; ", 5000, "}");
    expect_round_trip("chain", text_cstr(&chain));
    text_free(&chain);
}

static void huge_garbage_is_refused_quickly(void **unused) {
    (void)unused;
    size_t length = 10u << 20;
    char *garbage = malloc(length);
    unsigned long seed = 12345;
    for (size_t k = 0; k < length; k++) {
        seed = seed * 6364136223846793005ul + 1442695040888963407ul;
        garbage[k] = (char)(seed >> 33);
    }
    diagnostics d = {.file = "x.ivl"};
    ast_file file = {0};
    assert_false(ivl_parse(garbage, length, &d, &file));
    assert_int_equal(d.errors, 1);
    assert_non_null(strstr(d.list.data[0].message, "file too large"));
    diag_free(&d);
    ast_file_free(&file);
    assert_false(ivl_parse(garbage, IVL_MOST_BYTES, &d, &file));
    assert_true(d.errors >= 1);
    diag_free(&d);
    ast_file_free(&file);
    free(garbage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listings_survive_printing),
        cmocka_unit_test(every_construct_survives_printing),
        cmocka_unit_test(standard_form_is_readable),
        cmocka_unit_test(different_trees_are_told_apart),
        cmocka_unit_test(literals_have_the_types_of_cpp),
        cmocka_unit_test(syntax_errors_are_placed_and_worded),
        cmocka_unit_test(bytes_that_belong_nowhere_are_reported),
        cmocka_unit_test(several_errors_are_reported_at_once),
        cmocka_unit_test(no_more_than_the_limit_of_errors_is_kept),
        cmocka_unit_test(nesting_is_limited_without_overflow),
        cmocka_unit_test(long_chains_are_limited),
        cmocka_unit_test(else_if_chains_are_not_nesting),
        cmocka_unit_test(huge_garbage_is_refused_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
