/* What the IVL front end refuses, with the words and the place that the user sees. Syntax
 * errors: test_ivl_parser.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend/ivl/ivl.h"

#include <string.h>

static void expect_error_with(const char *source, const ivl_setting *settings, size_t count,
                              const char *expected) {
    diagnostics d = {.file = "x.ivl"};
    program *p = ivl_compile("x.ivl", source, strlen(source), settings, count, &d);
    text all = {0};
    diag_print(&d, &all);
    if (p || !strstr(text_cstr(&all), expected))
        fail_msg("expected %s\ngot %s\nfor %s", expected, text_cstr(&all), source);
    text_free(&all);
    diag_free(&d);
}

static void expect_error(const char *source, const char *expected) {
    expect_error_with(source, NULL, 0, expected);
}

static void expect_accepted(const char *source) {
    diagnostics d = {.file = "x.ivl"};
    program *p = ivl_compile("x.ivl", source, strlen(source), NULL, 0, &d);
    if (!p) fail_msg("%s\nfor %s", d.list.data[0].message, source);
    diag_free(&d);
    program_destroy(p);
}

static void names_must_be_right(void **unused) {
    (void)unused;
    expect_error("thread A { x = 1; }", "x.ivl:1:12: error: unknown name 'x'");
    expect_error("int x; int x;", "x.ivl:1:12: error: 'x' is already declared in line 1");
    expect_error("thread A { int x; int x; }", "1:23: error: 'x' is already declared");
    expect_error("void f(int a) { int a; }", "1:21: error: 'a' is already declared");
    expect_error("struct S { int a; int a; };", "1:23: error: second field 'a'");
    expect_error("struct S { int a; }; int S;", "1:26: error: 'S' is the name of a struct");
    expect_error("main { } main { }", "1:10: error: second main");
    expect_error("thread A { goto L; }", "1:12: error: unknown label 'L'");
    expect_error("thread A { L: ; L: ; }", "1:17: error: label 'L' is already declared");
    expect_error("thread A { L: ; } thread B { goto L; }", "1:30: error: unknown label 'L'");
    expect_error("thread A { f(); }", "1:12: error: unknown name 'f'");
    expect_error("int f; thread A { f(); }", "1:19: error: 'f' is not a function");
    expect_error("event e; thread A { int x = e; }", "1:29: error: the event 'e' is not a value");
    expect_error("int e; thread A { wait e; }", "1:24: error: 'e' is not an event");
    expect_error("event e; thread A { suspend e; }", "1:29: error: 'e' is not a thread");
    expect_error("thread A { request_update A; }", "1:27: error: 'A' is not an update");
    expect_error("int x = y; int y = 1;", "1:9: error: 'y' is used before its declaration");
    expect_error("int x = x;", "1:9: error: 'x' is used before its declaration");
    expect_error("param A = B; param B = 1;", "1:11: error: 'B' is used before its declaration");
    expect_error("struct S *p; thread A { }", "1:1: error: unknown struct 'S'");
    expect_error("thread A { break; }", "1:12: error: 'break' outside of a loop or switch");
    expect_error("thread A { switch (1) { case 1: continue; } }",
                 "1:33: error: 'continue' outside of a loop");
    expect_error("thread A { switch (1) { default: default: } }", "error: second 'default' in a switch");
}

static void types_must_fit(void **unused) {
    (void)unused;
    expect_error("int x; int *p = x;", "error: cannot convert 'int' to 'int*'");
    expect_error("int *p = 1 - 1;", "error: cannot convert 'int' to 'int*'");
    expect_error("int *p; thread A { int x = p; }", "error: cannot convert 'int*' to 'int'");
    expect_error("int *p; char *q; thread A { p = q; }", "error: cannot convert 'char*' to 'int*'");
    expect_error("int *p, *q; thread A { int x = p + q; }", "error: only a number can be added to a pointer");
    expect_error("int *p, *q; thread A { bool x = p < q; }",
                 "error: operator '<' cannot take 'int*' and 'int*'");
    expect_error("int *p; thread A { p = -p; }", "error: operator '-' cannot take 'int*'");
    expect_error("int x; thread A { *x = 1; }", "error: cannot dereference 'int'");
    expect_error("int x; thread A { x[1] = 1; }", "error: 'int' is not an array or pointer");
    expect_error("int x; thread A { x.y = 1; }", "error: 'int' has no fields");
    expect_error("struct S { int a; }; struct S *s; thread A { s.a = 1; }", "has no fields (use '->')");
    expect_error("struct S { int a; }; struct S s; thread A { s.b = 1; }",
                 "error: struct 'S' has no field 'b'");
    expect_error("struct S { int a; }; struct S s; thread A { int x = s; }",
                 "error: a struct is not a value here (pass a pointer)");
    expect_error("struct S { int a; }; void f(struct S s) { }",
                 "error: a struct cannot be passed by value (pass a pointer)");
    expect_error("struct S { int a; }; struct S f() { }", "error: a function cannot return a struct");
    expect_error("struct S { int a; struct S s; };", "error: struct 'S' is not complete here");
    expect_error("struct S { };", "error: struct 'S' has no fields");
    expect_error("void x;", "error: a variable cannot be void");
    expect_error("void f() { } thread A { int x = f(); }", "error: 'f' gives no value");
    expect_error("void f() { return 1; }", "error: function 'f' returns no value");
    expect_error("int f() { return; }", "error: the function 'f' must return a value");
    expect_error("thread A { return 1; }", "error: thread 'A' returns no value");
    expect_error("int f(int a) { return a; } thread A { f(); }", "1:39: error: 'f' takes 1 argument, not 0");
    expect_error("int f(int a) { return a; } thread A { f(1, 2); }", "error: 'f' takes 1 argument, not 2");
    expect_error("int a[2]; thread A { a = 1; }", "error: an array cannot be assigned as a whole");
    expect_error("int a[2] = 1;", "error: an array is initialised with { ... } or ?(type[n])");
    expect_error("int a[2] = {1, 2, 3};", "error: too many initial values");
    expect_error("int a[2] = ?(int[3]);", "error: the input's type differs from the type of the array");
    expect_error("thread A { int x = ?(int[3]); }",
                 "error: ?(type[n]) can only be the initial or assigned value of an array");
    expect_error("int *p = ?(int*);", "error: ?(int*): only numbers and arrays of them can be inputs");
    expect_error("int a[2][2]; thread A { int *p = a; }", "error: an array of arrays is not a value");
    expect_error("thread A { 1 = 2; }", "error: this expression has no address and cannot be assigned to");
    expect_error("thread A { int x; delete x; }", "error: delete needs a pointer");
    expect_error("int *p; event e; thread A { wait e, p; }", "error: a time must be a number");
}

static void constants_must_be_constant(void **unused) {
    (void)unused;
    expect_error("param N = 3; thread A { N = 4; }", "1:25: error: the parameter 'N' is a constant");
    expect_error("param N = 3; thread A { N++; }", "error: the parameter 'N' is a constant");
    expect_error("thread A[i : 2] { i = 4; }", "error: the index 'i' is a constant");
    expect_error("int n = 3; int a[n];",
                 "error: array size must be a constant; the variable 'n' is not one (a 'param' would be)");
    expect_error("int f() { return 1; } int a[f()];", "error: array size must be a constant");
    expect_error("int a[?(int)];", "error: array size must be a constant");
    expect_error("int x; thread A { switch (x) { case x: } }", "error: case must be a constant");
    expect_error("int x; thread A { switch (x) { case 1: case 2 - 1: } }",
                 "error: second case with this value");
    expect_error("param N = 1 / 0;", "error: parameter must be a constant");
    expect_error("param N = 2147483648;", "error: parameter is too large");
    expect_error("int a[0];", "error: array size is 0 but must be at least 1");
    expect_error("int a[-1];", "error: array size is -1 but must be at least 1");
    expect_error("event e[-1];", "error: number of events is -1 but must be at least 0");
    expect_error("int a[3]; thread A { a[3] = 1; }",
                 "1:24: error: index 3 is outside of 'a', which has 3 elements");
    expect_error("int a[3]; thread A { a[-1] = 1; }", "error: index -1 is outside of 'a'");
    expect_error("event e[3]; thread A { notify e[3]; }", "error: index 3 is outside of 'e'");
    expect_error("event e[3]; thread A { notify e; }", "error: 'e' is an array of events: which one?");
    expect_error("event e; thread A { notify e[0]; }", "error: the event 'e' is not an array");
    expect_error("thread A { wait_time -1; }", "1:22: error: negative delay");
    expect_error("event e; thread A { notify e, 1 - 2; }", "error: negative delay");
    expect_error("event e; thread A { wait e, -3; }", "error: negative delay");
    const ivl_setting unknown[] = {{"K", 1}}, large[] = {{"N", 4294967296}};
    expect_error_with("param N = 3;", unknown, 1, "x.ivl: error: there is no parameter 'K' to be set");
    expect_error_with("param N = 3;", large, 1, "error: value of parameter 'N' does not fit an int");
}

static void the_scheduler_is_used_where_it_may_be(void **unused) {
    (void)unused;
    expect_error("main { wait_time 1; }", "1:8: error: main must not wait");
    expect_error("event e; update u { wait e; }", "1:21: error: an update must not wait");
    expect_error("thread A { start; }", "1:12: error: a thread must not start");
    expect_error("update u { start; }", "error: an update must not start");
    expect_error("void f() { wait_time 1; } void g() { f(); } main { g(); }",
                 "1:52: error: main must not wait, but the function 'g' may");
    expect_error("void f() { wait_time 1; } int g() { f(); return 1; } int x = g(); main { }",
                 "error: main must not wait, but the function 'g' may");
    expect_error("void f() { start; } void g() { f(); } thread A { g(); }",
                 "error: a thread must not start, but the function 'g' may");
    expect_accepted("void f() { wait_time 1; g(); } void g() { f(); } thread A { f(); } void h() { "
                    "start; } main { h(); }");
}

static void sizes_are_limited(void **unused) {
    (void)unused;
    expect_error("int a[1000001];", "error: array size is too large");
    expect_error("int a[1000][1001];", "error: array too large");
    expect_error("int a[600000]; int b[600000];", "error: variables too large");
    expect_error("struct S { int a[1000]; int b[70000]; };", "error: struct 'S' is too large");
    expect_error("thread A[i : 10001] { }", "error: number of threads is too large");
    expect_error("thread A[i : 6000] { } thread B[i : 6000] { }",
                 "error: more than 10000 threads, updates and events");
    expect_error("int x; thread A[i : 9999] { for (x = 0; x < 3; x++) { x = x * x * x * x * x * x * x; x = x "
                 "* x * x * x * x * x * x; x = x * x * x * x * x * x * x; x = x * x * x * x * x * x * x; x = "
                 "x * x * x * x * x * x * x; x = x * x * x * x * x * x * x; x = x * x * x * x * x * x * x; x "
                 "= x * x * x * x * x * x * x; } }",
                 "error: program too large");
    expect_error("main { int *p = new int[10000000]; }",
                 "error: the number of elements must be positive and reasonable");
    text deep = {0};
    text_add(&deep, "struct S0 { int x; };\n");
    for (int k = 1; k < 30; k++)
        text_format(&deep, "struct S%d { struct S%d a; struct S%d b; };\n", k, k - 1, k - 1);
    expect_error(text_cstr(&deep), "is too large");
    text_free(&deep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_must_be_right),        cmocka_unit_test(types_must_fit),
        cmocka_unit_test(constants_must_be_constant), cmocka_unit_test(the_scheduler_is_used_where_it_may_be),
        cmocka_unit_test(sizes_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
