/* What the dlang front end refuses, with the words and the place that the user sees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend/dlang/dlang.h"
#include "frontend/dlang/syntax.h"

#include <string.h>

static void expect_error_in(const char *source, size_t length, const dlang_setting *settings, size_t count,
                            const char *expected) {
    diagnostics d = {.file = "x.dl"};
    program *p = dlang_parse("x.dl", source, length, settings, count, &d);
    text all = {0}, printed = {0};
    diag_print(&d, &all);
    if (p || !d.errors || !strstr(text_cstr(&all), expected))
        fail_msg("expected %s\ngot %s\nfor %.200s", expected, text_cstr(&all), source);
    assert_false(dlang_print("x.dl", source, length, settings, count, &d, &printed));
    assert_int_equal(printed.size, 0);
    text_free(&all);
    diag_free(&d);
}

static void expect_error(const char *source, const char *expected) {
    expect_error_in(source, strlen(source), NULL, 0, expected);
}

static void headers_must_be_right(void **unused) {
    (void)unused;
    expect_error("", "x.dl:1:1: error: expected '<' and the number of processes, found end of file");
    expect_error("[x := 1]", "1:1: error: expected '<' and the number of processes, found '['");
    expect_error("<> []", "1:2: error: expected a number of processes, found '>'");
    expect_error("<\"n\", x 1> []", "1:5: error: expected a number of processes, found ','");
    expect_error("<1", "1:3: error: expected '>' after declarations, found end of file");
    expect_error("<1 x 1> []", "1:4: error: expected '>' after declarations, found name");
    expect_error("<1, x> []", "1:6: error: expected length, found '>'");
    expect_error("<1, 3 1> []", "1:5: error: expected a declaration, found number");
    expect_error("<1, x 1, x 2> []", "1:10: error: 'x' is already declared in line 1");
    expect_error("<1, x 2 1 2 3> []", "1:13: error: 'x' has 2 elements but more initial values");
    expect_error("<1, x 0> []", "1:7: error: length out of range (0, must be 1 to 65536)");
    expect_error("<1, x -3> []", "1:7: error: length out of range (-3");
    expect_error("<1, x 1000000> []", "1:7: error: length out of range (1000000");
    expect_error("<1, y 1, x y> []", "1:12: error: length must be constant");
    expect_error("<1, x n> []", "1:7: error: unknown name 'n'");
    expect_error("<1, x (1 / 0)> []", "1:7: error: length must be constant");
    expect_error("<1, x (1 == 1)> []", "1:10: error: a comparison is not a number");
    expect_error("<1, channel c 1 0> []", "1:17: error: capacity out of range (0, must be 1 to 4096)");
    expect_error("<1, channel c 1 1 1> []", "1:19: error: expected '>' after declarations");
    expect_error("<1, channel c> []", "1:14: error: expected number of channels, found '>'");
    expect_error("<1, x 60000, <{20 y$ 60000, }> > []",
                 "error: variables too large (more than 1048576 elements");
    expect_error("<1>", "1:4: error: expected at least one process");
    expect_error("<2> []", "1:2: error: the header says 2 processes, but there is 1");
    expect_error("<1> [] []", "1:2: error: the header says 1 process, but there are 2");
    expect_error("<1> [] x", "1:8: error: expected '[' and the statements of a process, found name");
    expect_error("<2> \"a\" [] \"a\" []", "1:12: error: second process with the name \"a\"");
    expect_error("<1> \"\" []", "1:5: error: empty name of a process");
}

static void statements_must_be_right(void **unused) {
    (void)unused;
    expect_error("<1> [y := 1]", "x.dl:1:6: error: unknown name 'y'");
    expect_error("<1, x 1> [x-1 := 1]", "1:11: error: unknown name 'x-1' (a '-' inside a name belongs to it");
    expect_error("<1, x 2> [x := 1]", "1:11: error: 'x' has 2 elements and needs an index");
    expect_error("<1, const c 1> [c := 1]", "1:17: error: 'c' is a constant");
    expect_error("<1, const c 2> [c[1] := 1]", "1:17: error: 'c' is a constant");
    expect_error("<1, x 1> [x = 1]", "1:13: error: expected ':=' after variable, found '='");
    expect_error("<1, x 1> [x := ]", "1:16: error: expected an expression, found ']'");
    expect_error("<1, x 1> [x := 1 == 2]", "1:18: error: a comparison is not a number");
    expect_error("<1, x 1> [x := (1]", "1:18: error: expected ')' after expression, found ']'");
    expect_error("<1, x 2> [x[1 := 1]", "1:15: error: expected ']' after index, found ':='");
    expect_error("<1, x 1> [if x]", "1:14: error: expected a comparison, found a number");
    expect_error("<1, x 1> [if x == 1 == 1]", "1:16: error: a comparison is not a number");
    expect_error("<1, x 1> [if x == 1 { x := 1 }]", "1:21: error: expected 'then' before '{'");
    expect_error("<1, x 1> [if x == 1 then x := 1]", "1:26: error: expected '{' after condition, found name");
    expect_error("<1, x 1> [if x == 1 then { x := 1 ]", "1:35: error: expected a statement, found ']'");
    expect_error("<1, x 1> [else { }]", "1:11: error: expected a statement, found 'else'");
    expect_error("<1, x 1> [while x == 1]", "1:23: error: expected '{' after condition, found ']'");
    expect_error("<1, x 1> [x := 1", "1:17: error: expected a statement, found end of file");
    expect_error("<1, x 1> [x := !x]", "1:17: error: expected a comparison, found a number");
    expect_error("<1, x 1> [if -(x == 1)]", "error: a comparison is not a number");
    expect_error("<1, x 1> [assert x]", "1:18: error: expected a comparison, found a number");
    expect_error("<1, x 1> [x := 99999999999999999999]", "1:16: error: number too large for 64 bits");
}

static void calls_must_be_right(void **unused) {
    (void)unused;
    expect_error("<1, x 1> [cas(x, 1)]",
                 "1:19: error: expected ',' after expected value of 'cas', found ')'");
    expect_error("<1, x 1> [cas(1, 1, 1)]", "1:15: error: expected a variable, found number");
    expect_error("<1, local x 1> [cas(x, 1, 1)]", "1:21: error: 'cas' on a local variable");
    expect_error("<1, x 1> [send(x, 1)]", "1:16: error: 'x' is not a channel");
    expect_error("<1, const x 1> [send(x, 1)]", "1:22: error: 'x' is not a channel");
    expect_error("<1, x 1> [send(1, 1)]", "1:16: error: expected a channel, found number");
    expect_error("<1, channel c 1> [send(c)]", "1:25: error: expected ',' after channel, found ')'");
    expect_error("<1, channel c 1> [c := 1]", "1:19: error: the channel 'c' is not a value");
    expect_error("<1, channel c 1, x 1> [x := c + 1]", "1:29: error: the channel 'c' is not a value");
    expect_error("<1, channel c 2, x 1> [send(c[x], 1)]",
                 "1:31: error: the index of a channel must not read shared variables");
    expect_error("<1, channel c 2> [receive(c[1], 1)]", "1:33: error: expected a variable, found number");
    expect_error("<1, x 1> [x := length(x)]", "1:23: error: 'x' is not a channel");
    expect_error("<1, x 1> [indexer(size=1)]", "1:19: error: expected 'max=' in 'indexer', found name");
    expect_error("<1, x 1> [indexer(max=x, size=1)]", "1:23: error: a number must be constant");
    expect_error("<1, x 1> [indexer(max=1, size=0)]", "1:31: error: 'size' of 'indexer' must be positive");
    expect_error("<1, x 1> [indexer(max=1, size=1, m=x)]",
                 "1:36: error: 'm' of 'indexer' must be a local variable without index");
}

static void repetitions_must_be_right(void **unused) {
    (void)unused;
    expect_error("<1> <{3 []", "1:5: error: repetition block without '}>'");
    expect_error("<1> [] }>", "1:8: error: '}>' without '<{'");
    expect_error("<1> <{2 <{2 [] }> }>", "1:9: error: repetition blocks cannot be nested");
    expect_error("<1> <{x [] }>", "1:7: error: unknown name 'x'");
    expect_error("<1> <{[] }>", "1:7: error: expected a number of repetitions, found '['");
    expect_error("<1> <{-1 [] }>", "1:7: error: number of repetitions out of range (-1");
    expect_error("<1> <{1000000000 [] }>", "1:7: error: number of repetitions out of range");
    expect_error("<1, x 1> [ <{262144 x := 1 }> ]", "error: program too large (more than 262144 words");
    expect_error("<1, x 1> [x := $]", "1:16: error: '$' outside of a repetition block");
    expect_error("<2000> <{2000 [] }>", "error: more than 999 processes");
}

static void text_must_be_text(void **unused) {
    (void)unused;
    expect_error("<1> [x ? 1]", "1:8: error: unexpected character '?'");
    expect_error("<1> [\x01]", "1:6: error: unexpected byte 0x01");
    expect_error("<\"a> []", "1:2: error: string without end");
    expect_error("<\"a\tb\" 1> []", "1:2: error: string with a character that is not printable");
    expect_error("<1, x 12ab> []", "1:7: error: malformed number");
    expect_error("<1, x 1> [x : 1]", "1:13: error: unexpected character ':'");
    expect_error_in("<1>\0[]", 6, NULL, 0, "1:4: error: zero byte: this is not a text file");
    char *large = mem_alloc(DLANG_MOST_BYTES + 1);
    memset(large, ' ', DLANG_MOST_BYTES + 1);
    expect_error_in(large, DLANG_MOST_BYTES + 1, NULL, 0, "x.dl: error: file too large");
    mem_free(large);
}

static void settings_must_fit(void **unused) {
    (void)unused;
    const dlang_setting n = {"N", 3}, x = {"x", 3}, t = {"t", 3}, huge = {"C", INT64_MAX};
    const char *source = "<1, x 1, const t 2 1 2, const C 1 1, y C> []";
    expect_error_in(source, strlen(source), &n, 1, "x.dl: error: no constant 'N' to set");
    expect_error_in(source, strlen(source), &x, 1,
                    "1:5: error: 'x' cannot be set: only a 'const' of length 1 can");
    expect_error_in(source, strlen(source), &t, 1, "1:16: error: 't' cannot be set");
    expect_error_in(source, strlen(source), &huge, 1, "error: length out of range (9223372036854775807");
}

static void repeat(text *t, const char *s, int times) {
    for (; times > 0; times--) text_add(t, s);
}

static void depth_is_limited(void **unused) {
    (void)unused;
    static const struct {
        const char *begin, *again, *end, *error;
        int times;
    } cases[] = {
        {"<1, x 1> [x := ", "(", "1", "nesting too deep (more than 200 levels)", 100000},
        {"<1, x 1> [x := ", "-", "1", "nesting too deep", 100000},
        {"<1, x 1> [", "while x == 1 { ", "]", "nesting too deep", 20000},
        {"<1, x 1> [", "if x == 1 then { ", "]", "nesting too deep", 20000},
        {"<1, x 9> [", "x[", "]", "nesting too deep", 20000},
        {"<1, x 1> [x := ", "cas(x, ", "]", "nesting too deep", 20000},
        {"<1, x 1> [x := 1", "+ 1", "]", "expression too long (more than 1000 operators in a row)", 20000},
        {"<1, x ", "(", ">", "nesting too deep", 100000},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        text source = {0};
        text_add(&source, cases[k].begin);
        repeat(&source, cases[k].again, cases[k].times);
        text_add(&source, cases[k].end);
        expect_error(text_cstr(&source), cases[k].error);
        text_free(&source);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_must_be_right), cmocka_unit_test(statements_must_be_right),
        cmocka_unit_test(calls_must_be_right),   cmocka_unit_test(repetitions_must_be_right),
        cmocka_unit_test(text_must_be_text),     cmocka_unit_test(settings_must_fit),
        cmocka_unit_test(depth_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
