/* IVL to program: what the code does (by running it), and what it looks like where that matters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend/ivl/ivl.h"
#include "frontend/ivl/parser.h"
#include "ivl_listings.h"
#include "run_program.h"

#include <string.h>

static program *compile_with(const char *source, const ivl_setting *settings, size_t count) {
    diagnostics d = {.file = "x.ivl"};
    program *p = ivl_compile("x.ivl", source, strlen(source), settings, count, &d);
    if (!p) {
        text errors = {0};
        diag_print(&d, &errors);
        fail_msg("%s\n%s", text_cstr(&errors), source);
    }
    assert_int_equal(d.errors, 0);
    diag_free(&d);
    return p;
}

static program *compile(const char *source) {
    return compile_with(source, NULL, 0);
}

static void listings_compile(void **unused) {
    (void)unused;
    for (int k = 0; k < IVL_LISTING_COUNT; k++) {
        program *p = compile(ivl_listings[k].source);
        assert_true(p->threads.size >= 2);
        assert_string_equal(p->threads.data[0].name, "main");
        program_destroy(p);
    }
}

/* --- meaning, by execution of main ---------------------------------------------------------------------- */

/* "" when main runs to its end, else the text of the violated check or the kind of trouble. */
static void expect_run_with(const char *source, const uint64_t *inputs, size_t count, const char *expected) {
    program *p = compile(source);
    run r;
    run_begin(&r, p, inputs, count);
    run_function(&r, p->threads.data[0].function, NULL);
    const char *outcome = r.trouble                ? r.trouble
                          : r.violated != NO_INDEX ? p->checks.data[r.violated].text
                                                   : "";
    if (strcmp(outcome, expected)) fail_msg("'%s' instead of '%s' in\n%s", outcome, expected, source);
    run_end(&r);
    program_destroy(p);
}

static void expect_run(const char *source, const char *expected) {
    expect_run_with(source, NULL, 0, expected);
}

/* Statements of main that must run without violation; x, y are int, u uint, b bool, c u8, l long, p int *.
 * They are assigned through a function so that nothing is known at compile time. */
static void holds(const char *statements) {
    text source = {0};
    text_add(&source,
             "int x, y; uint u; bool b; u8 c; i8 s; long l; ulong w; int *p; int a[4]; int m[2][3];\n"
             "struct P { int x; short y; struct P *next; }; struct P q, r; struct P v[2];\n"
             "int calls; int count(int result) { calls++; return result; }\n"
             "void set() { x = 0; y = 0; u = 0; b = false; c = 0; s = 0; l = 0; w = 0; p = null; }\n"
             "main { set(); ");
    text_add(&source, statements);
    text_add(&source, " }");
    expect_run(text_cstr(&source), "");
    text_free(&source);
}

static void arithmetic_follows_cpp(void **unused) {
    (void)unused;
    holds(
        "x = 2147483647; x = x + 1; assert x == -2147483648; y = -1; assert x / y == x; assert x % y == 0;");
    holds("x = -7; assert x / 2 == -3; assert x % 2 == -1; assert x >> 1 == -4; u = 7; assert u / 2 == 3;");
    holds("c = 255; assert c + 1 == 256; c += 1; assert c == 0; c -= 1; assert c == 255; assert ~c == -256;");
    holds("s = (i8)200; assert s == -56; assert s < 0; assert (u8)s == 200; assert (uint)s == 4294967240u;");
    holds("u = 0; assert u - 1 > 0; x = -1; assert x > u; assert (long)x < (long)u; assert !(x < 1u);");
    holds("l = x - 1; assert l == -1; w = x - 1; assert w == 18446744073709551615ul; u = 4294967295u; l = u; "
          "assert l == 4294967295;");
    holds("x = 5; b = x; assert b; assert b == 1; assert b + b == 2; b = x - 5; assert !b; assert -b == 0;");
    holds("x = 40; assert 1 << x == 0; assert -1 >> x == -1; assert 1u << x == 0; assert 4294967295u >> x == "
          "0; assert 1l << x == 1099511627776;");
    holds("l = 4294967297; assert 1 << l == 0; assert -8 >> l == -1; x = -1; assert 1 << x == 0;");
    holds("x = 3; x++; assert x == 4; --x; assert x == 3;");
    holds("x = 'a'; assert x == 97; x = '\\xff'; assert x == -1; assert 0xff == 255; assert 0b101 == 5; "
          "assert 017 == 15;");
    holds("x = 10; assert (x > 5 ? 1 : 2) == 1; assert (x > 50 ? 1 : 2) == 2; assert (b ? 1u : -1) > 0;");
    holds("x = 6; assert (x & 3) == 2; assert (x | 1) == 7; assert (x ^ 7) == 1; assert -x == -6; assert +x "
          "== 6; assert !x == 0;");
}

static void truth_values_stay_consistent(void **unused) {
    (void)unused;
    holds("b = true; b &= 2; assert !b;");
    holds("b = true; b &= 3; assert b; b |= 4; assert b; b = false; b |= 4; assert b;");
    holds("b = true; x = 2; b ^= x; assert b; b ^= 1; assert !b; b ^= true; assert b;");
    holds("b = false; b += 2; assert b == 1; b *= 4; assert b == 1; b -= 1; assert !b; b++; assert b; b++; "
          "assert b;");
    holds("b = true; assert (b == 1) == true; assert (b != 0) == 1; assert (b & (x == 0)) == 1; assert (b | "
          "false) == 1; assert (b ^ b) == 0;");
    holds("b = true; assert b == 1 && b != 2; x = b; assert x == 1; x = !b; assert x == 0; assert (b < 2) + "
          "(b <= 1) == 2;");
}

static void compound_assignments_agree_with_promotion(void **unused) {
    (void)unused;
    holds("c = 200; c += 100; assert c == 44; c *= 7; assert c == 52; c -= 300; assert c == 8; c |= 0x1f0; "
          "assert c == 248; c &= 0xf3c; assert c == 56; c ^= 0x1ff; assert c == 199;");
    holds("c = 200; c /= 3; assert c == 66; c %= 10; assert c == 6; c <<= 7; assert c == 0; s = -100; s >>= "
          "2; assert s == -25; s += 200; assert s == -81;");
    holds("l = 5; l += c; l -= 10; assert l == -5; x = 1; x += 4294967296; assert x == 1; u = 1; u -= 2; "
          "assert u == 4294967295u;");
    holds("a[2] = 5; a[2] += 3; a[2] *= 2; assert a[2] == 16; a[x]++; a[x + 2]--; assert a[0] == 1 && a[2] "
          "== 15; a[1] <<= 2; a[2] %= 4; assert a[2] == 3;");
    holds("x = 5; p = &x; *p += 3; p[0] *= 2; assert x == 16; *p /= 3; assert x == 5; q.x -= 4; assert q.x "
          "== -4; v[1].y |= 6; assert v[1].y == 6;");
    holds("int k = 7; k -= 10; assert k == -3; k *= -2; k %= 4; assert k == 2; u8 n = 250; n += 10; assert n "
          "== 4; n <<= 7; assert n == 0;");
    holds("x = 3; x += x; assert x == 6; x -= x; assert x == 0; x = 2; x *= x + 1; assert x == 6;");
    holds("a[0] = 1; a[1] = 2; p = a; p++; assert *p == 2; p -= 1; assert *p == 1; p += 3; p[-3] = 9; assert "
          "a[0] == 9;");
}

static void operators_are_lazy_where_it_shows(void **unused) {
    (void)unused;
    holds("x = 0; assert !(x != 0 && 10 / x > 1); assert x == 0 || 10 / x > 1; y = x ? 10 / x : 7; assert y "
          "== 7;");
    holds("p = null; assert p == null || *p == 3; b = p != null && *p == 3; assert !b; if (p && *p) x = 1; "
          "assert x == 0;");
    holds("x = 9; assert !(x < 4 && a[x] == 1); y = x < 4 ? a[x] : -1; assert y == -1; while (x < 4 && a[x]) "
          "x++;");
    holds("b = false && count(1); assert calls == 0; b = x == 1 && count(1); assert calls == 0; b = x == 0 "
          "|| count(1); assert calls == 0;");
    holds("b = x == 0 && count(1); assert calls == 1 && b; b = count(0) || count(1) || count(1); assert "
          "calls == 3 && b; b = count(1) && false; assert calls == 4 && !b;");
    holds("y = x == 0 ? count(3) : count(4); assert calls == 1 && y == 3; if (!(x == 1 && count(1) == 1)) y "
          "= 5; assert y == 5 && calls == 1;");
    expect_run("int x; main { x += 1; x -= 1; assert 10 / x > 1 && true; }", "division by zero");
}

static void operands_are_evaluated_from_left_to_right(void **unused) {
    (void)unused;
    const char *order = "int log; int f(int d) { log = log * 10 + d; return d; } int g(int a, int b) { "
                        "return f(3); } int a[9];\n";
    const char *const cases[] = {
        "int s = f(1) + f(2) * f(3); assert log == 123;",
        "bool s = f(1) > f(2); assert log == 12; assert !s; s = f(4) >= f(3); assert log == 1243 && s;",
        "int s = g(f(1), f(2)); assert log == 123;",
        "a[f(1)] = f(2); assert log == 21;",
        "a[f(1)] += f(2); assert log == 21 && a[1] == 2;",
        "int s = f(1) ? f(2) : f(3); assert log == 12 && s == 2;",
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        text source = {0};
        text_format(&source, "%smain { %s }", order, cases[k]);
        expect_run(text_cstr(&source), "");
        text_free(&source);
    }
}

static void control_flow_goes_where_it_should(void **unused) {
    (void)unused;
    holds("for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; x += i; } assert x == 0 + "
          "1 + 2 + 4 + 5;");
    holds("do { x++; if (x == 2) continue; y += x; } while (x < 4); assert x == 4 && y == 1 + 3 + 4;");
    holds("while (true) { x++; while (true) { if (x < 5) break; goto out; } } out: assert x == 5;");
    holds("again: x++; if x < 7 goto again; assert x == 7; if (x == 7) goto end; assert false; end:");
    holds("for (x = 0; x < 5; x++) switch (x) { case 0: y += 1; case 1: y += 10; break; default: y += 100; "
          "case 3: y += 1000; } assert y == 1 + 10 + 10 + 1100 + 1000 + 1100;");
    holds("switch (x) { case 1: assert false; } switch (5) { case 4: assert false; case 5: y = 1; break; "
          "default: assert false; } assert y == 1;");
    holds("switch (b) { case 0: y = 3; } switch (c) { case 'a': assert false; default: y++; } assert y == 4; "
          "switch (x) {}");
    holds("for (;;) { x++; if (x > 3) break; } assert x == 4; while (0) assert false; if (0) assert false; "
          "else y = 1; assert y == 1;");
    holds("if (x) ; else if (y) ; else if (b) x = 1; else x = 2; assert x == 2; { int x = 5; { int x = 6; } "
          "assert x == 5; } assert x == 2;");
}

static void locals_start_again_at_each_declaration(void **unused) {
    (void)unused;
    holds(
        "for (int i = 0; i < 3; i++) { int n; assert n == 0; n = 7; int k[3]; assert k[1] == 0; k[1] = 5; }");
    holds("for (int i = 0; i < 3; i++) { struct P n; assert n.x == 0 && n.y == 0; n.x = 7; int k; int *z = "
          "&k; assert k == 0; *z = 3; }");
    holds("for (int i = 0; i < 3; i++) { int k[100]; for (int j = 0; j < 100; j++) { assert k[j] == 0; k[j] "
          "= j + 1; } }");
    holds("for (int i = 0; i < 2; i++) { int k[3] = {1, 2}; assert k[0] == 1 && k[1] == 2 && k[2] == 0; k[2] "
          "= 9; k[0] = 4; }");
    holds("goto into; { int n = 4; into: assert n == 0; n = 3; assert n == 3; } switch (1) { case 0: int k = "
          "4; case 1: assert k == 0; }");
    holds("for (int i = 0; i < 3; i++) { int k = 0; int n = i; int *z = &k; assert k == 0; *z = 3; z = &n; "
          "assert n == i; *z = 9; }");
    holds("back: { int n; assert n == 0; n = 5; int k[2]; assert k[0] == 0; k[0] = 1; } x++; if x < 3 goto "
          "back;");
}

static void memory_holds_what_was_put_there(void **unused) {
    (void)unused;
    holds("for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) m[i][j] = 10 * i + j; assert m[1][2] == "
          "12 && m[0][2] == 2 && m[1][0] == 10;");
    holds("q.x = 1; q.y = 2; r = q; r.x = 3; assert q.x == 1 && r.y == 2; v[1] = r; assert v[1].x == 3 && "
          "v[0].x == 0; struct P z = v[1]; assert z.y == 2;");
    holds("q.next = &r; q.next->x = 8; assert r.x == 8; q.next->next = &q; q.next->next->y = 4; assert q.y "
          "== 4; (*q.next).y = 5; assert r.y == 5;");
    holds("p = new int; assert *p == 0; *p = 4; assert *p == 4; delete p; p = new int[5]; p[4] = 3; assert "
          "p[3] == 0 && *(p + 4) == 3; delete p; delete null;");
    holds("struct P *n = new struct P; n->y = 7; assert n->x == 0 && n->y == 7 && n->next == null; n->next = "
          "new P[2]; (n->next + 1)->x = 5; assert n->next[1].x == 5;");
    holds("int k = 3; int *z = &k; int **zz = &z; **zz = 4; assert k == 4; z = &a[1]; *z = 6; assert a[1] == "
          "6; assert z == &a[1] && z != a && z == a + 1;");
    holds("int *t[3]; t[1] = &x; *t[1] = 5; assert x == 5; assert t[0] == null; p = t[1]; assert p == &x; p "
          "= m[1]; p[2] = 8; assert m[1][2] == 8;");
    holds("p = x == 0 ? a : &x; *p = 2; assert a[0] == 2; p = x == 1 ? &x : null; assert !p; p = 0; assert p "
          "== 0;");
}

static void functions_take_and_give_values(void **unused) {
    (void)unused;
    const char *functions =
        "int fact(int n) { if (n <= 1) return 1; return n * fact(n - 1); }\n"
        "bool odd(uint n) { return n == 0 ? false : even(n - 1); } bool even(uint n) { return n == 0 || "
        "odd(n - 1); }\n"
        "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }\n"
        "int sum(int v[], int n) { int s; for (int i = 0; i < n; i++) s += v[i]; return s; }\n"
        "u8 low(int x) { return x; } int *pick(int *a, bool b) { if (b) return a; return null; }\n"
        "int keep(int n) { int *p = &n; *p += 1; return n; } int none(void) { return 3; } int nothing(int x) "
        "{ if (x) return 1; }\n"
        "int g[3] = {1, 2, 3};\n";
    const char *const cases[] = {
        "assert fact(5) == 120;",
        "assert odd(7) && even(10) && !odd(4);",
        "int a = 1; int b = 2; swap(&a, &b); assert a == 2 && b == 1;",
        "assert sum(g, 3) == 6; assert sum(&g[1], 2) == 5; assert sum(g + 2, 1) == 3;",
        "assert low(300) == 44; assert low(-1) == 255;",
        "int a = 5; assert pick(&a, true) == &a && pick(&a, a) != null && !pick(&a, false);",
        "assert keep(4) == 5;",
        "assert none() == 3; assert nothing(0) == 0;",
        "swap(g, g + 2); assert g[0] == 3 && g[2] == 1;",
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        text source = {0};
        text_format(&source, "%smain { %s }", functions, cases[k]);
        expect_run(text_cstr(&source), "");
        text_free(&source);
    }
}

static void globals_are_initialised_before_main(void **unused) {
    (void)unused;
    expect_run("int a = 3, b = a * 2, c[3] = {1, b}, d; main { assert a == 3 && b == 6 && c[0] == 1 && c[1] "
               "== 6 && c[2] == 0 && d == 0; }",
               "");
    expect_run("struct T { int z; bool f[2]; }; struct S { int x; struct T t[2]; int y; }; struct S s = {1, "
               "{{2, {true}}, 3}, 4}; struct S e = {1, 2, false, true, 3, true, false, 5};\n"
               "main { assert s.x == 1 && s.t[0].z == 2 && s.t[0].f[0] && !s.t[0].f[1] && s.t[1].z == 3 && "
               "s.y == 4; assert e.t[0].f[1] && e.t[1].z == 3 && e.t[1].f[0] && e.y == 5; }",
               "");
    expect_run("int m[2][2] = {{1}, {2, 3}}; int n[2][2] = {1, 2, 3}; main { assert m[0][1] == 0 && m[1][0] "
               "== 2 && m[1][1] == 3 && n[1][0] == 3 && n[1][1] == 0; }",
               "");
    expect_run("int y = f(); int x = 7; int z; int f() { z = 4; return x; } main { assert y == 7 && z == 4; "
               "x = 0; }",
               "");
    expect_run("int x = 3; int *p = &x; main { *p = 4; assert x == 4; }", "");
}

static void inputs_are_taken_in_order(void **unused) {
    (void)unused;
    const uint64_t inputs[] = {5, 6, 7, 8, 9};
    expect_run_with("int x = ?(int); int a[3] = ?(int[3]); main { int y = ?(u8); assert x == 5 && a[0] == 6 "
                    "&& a[2] == 8 && y == 9; }",
                    inputs, 5, "");
    expect_run_with("int a[2]; main { a = ?(int[2]); assert a[0] == 5 && a[1] == 6; bool b = ?(bool) && "
                    "?(bool); assert !b; }",
                    inputs, 5, "");
    expect_run_with("struct S { int k; int a[2]; }; struct S s; main { s.k = 1; s.a = ?(int[2]); assert s.k "
                    "== 1 && s.a[0] == 5 && s.a[1] == 6; }",
                    inputs, 5, "");
    expect_run_with(
        "main { int m[2][2] = ?(int[2][2]); assert m[1][0] == 7; u8 c[2] = ?(u8[2]); assert c[0] == 9; }",
        inputs, 5, "");
}

static void implicit_checks_are_violated(void **unused) {
    (void)unused;
    expect_run("int x; main { x += 0; int y = 3 / x; }", "division by zero");
    expect_run("int x; main { x *= 1; int y = 3; y %= x; }", "division by zero");
    expect_run("main { int y = 3 / 0; }", "division by zero");
    expect_run("int a[3]; int i = 3; main { i += 0; a[i] = 1; }", "index within a");
    expect_run("int a[3]; int i; main { i -= 1; a[i] = 1; }", "index within a");
    expect_run("int a[2][3]; int i; main { i += 3; a[1][i] = 1; }", "index within a[1]");
    expect_run("struct S { int f[2]; }; struct S s[3]; u64 i; main { i += 4294967296; s[0].f[i] = 1; }",
               "index within s[0].f");
    expect_run("event E[2]; int i; main { i += 2; notify E[i]; }", "index within E");
    expect_run("int *p; main { p += 0; *p = 1; }", "null");
    expect_run("main { int *p = new int[2]; p[2] = 1; }", "bounds");
    expect_run("main { int *p = new int; delete p; *p = 1; }", "freed");
    expect_run("int x; main { x++; assert(x ==  2 /* two */ ) ; }", "x == 2");
    expect_run("main { assume false; }", "assume");
}

/* --- shape ---------------------------------------------------------------------------------------------- */

static text listing_of(const char *source) {
    program *p = compile(source);
    text t = {0};
    program_print(p, &t);
    program_destroy(p);
    return t;
}

static unsigned occurrences(const char *in, const char *what) {
    unsigned n = 0;
    for (const char *s = strstr(in, what); s; s = strstr(s + 1, what)) n++;
    return n;
}

static void expect_count(const char *source, const char *what, unsigned expected) {
    text t = listing_of(source);
    unsigned n = occurrences(text_cstr(&t), what);
    if (n != expected)
        fail_msg("'%s' occurs %u times instead of %u in\n%s%s", what, n, expected, source, text_cstr(&t));
    text_free(&t);
}

static void conditions_are_single_bits(void **unused) {
    (void)unused;
    const char *source = "int x, y; bool b; thread A { x = 1; y = 1; b = true; if (x > 1 && y == 2 || !b) x "
                         "= 2; while (b == true) b = !b != false; assert (x == 1) == (y == 1); }";
    expect_count(source, "zext", 0);
    expect_count(source, "branch", 2);
    expect_count(source, "ne ", 0);
    expect_count("int x; thread A { x = 1; if (x) x = 2; }", ":bool = ne ", 1);
}

static void pure_operators_do_not_split_paths(void **unused) {
    (void)unused;
    expect_count("int x, y; thread A { x = y > 1 ? x : y; x = x && y; y = x || y; }", "branch", 0);
    expect_count("int x, y; thread A { y++; x = y > 1 ? x : y; }", "select", 1);
    expect_count("int x, y, a[4]; thread A { y = x > 1 && a[2] == 3 && a[x & 3] == 1 && x / 2 == 3; }",
                 "branch", 0);
    expect_count("int x, y, a[4]; thread A { x++; y = x > 1 && a[x] == 3; }", "branch", 1);
    expect_count("int x, y; thread A { x++; y = x > 1 && 3 / x == 3; }", "branch", 1);
}

static void commuting_statements_become_updates(void **unused) {
    (void)unused;
    const char *source = "int x, a[3]; bool b; struct S { u8 f; }; struct S s; int *p = &x;\n"
                         "thread A { x += 1; x -= 2; x *= 3; x &= 4; x |= 5; x ^= 6; x++; x--; a[1] += 1; b "
                         "|= x; b &= true; b ^= b; s.f += 300; *p -= x; }";
    expect_count(source, "    update ", 14);
    expect_count(source, "update add @x, 1:32", 2);
    expect_count(source, "update add @x, 4294967294:32", 1);
    expect_count(source, "update add @s, 44:8", 1);
    expect_count("int x; thread A { x = x + 1; x <<= 1; x /= 2; }", "update ", 0);
    expect_count("int x; thread A { int y; y += 1; y -= x; x = y; }", "update ", 0);
}

static void constants_cost_nothing(void **unused) {
    (void)unused;
    const char *source = "int MAX = 3, BOUND = MAX + 1; int x; thread A { if (x >= MAX) x = BOUND * 2; }";
    expect_count(source, "load @MAX", 0);
    expect_count(source, "sle 3:32", 1);
    expect_count(source, "store @x, 8:32", 1);
    expect_count(source, "constant @MAX", 1);
    expect_count(source, "object @x", 1);
    expect_count("int t[3] = {1, 2, 3}; int x; thread A { x = t[1]; }", "constant @t : i32[3]", 1);
    expect_count("int t[3] = {1, 2, 3}; int x; void f(int *p) {} thread A { f(t); }", "object @t", 1);
    expect_count("int n = ?(int); int x; thread A { x = n; }", "object @n", 1);
    expect_count("param N = 4; int x; thread A { x = N * N - 1; if (N > 3) x = 1; else x = 2; }", "branch",
                 0);
    expect_count("param N = 4; int x; thread A { x = N * N - 1; }", "store @x, 15:32", 1);
}

static void copies_fold_their_index(void **unused) {
    (void)unused;
    const char *source =
        "param N = 3; event E[N]; int token[N + 1];\n"
        "thread T[i : N] { notify E[i]; token[i + 1] = i; if (i + 1 < N) notify E[i + 1]; if i == 2 goto "
        "end; wait E[i + 1]; end: }\n"
        "thread S { suspend T[1]; resume T[2]; request_update u[1]; } update u[k : 2] { token[k] = k; }";
    expect_count("param N = 3; event E[N]; int x; thread T[i : N] { if (i + 1 < N) { again: notify E[i + 1]; "
                 "wait_time N - 2 - i; if (x) goto again; } x = 1; }",
                 "notify ", 2);
    expect_count(source, "check ", 0);
    expect_count(source, "store @token+12, 2:32", 1);
    expect_count(source, "notify 2:32", 2);
    expect_count(source, "branch", 0);
    expect_count(source, "thread 3 T[2] = function", 1);
    expect_count(source, "suspend 2:32", 1);
    expect_count(source, "resume 3:32", 1);
    expect_count(source, "request_update 1:32", 1);
    expect_count(source, "event 2 E[2]", 1);
    expect_count("param N = 0; thread T[i : N] { assert i == 0; } event E[N]; int x; thread A { x = 1; }",
                 "thread ", 3);
}

static void copies_share_their_properties(void **unused) {
    (void)unused;
    program *p =
        compile("int x, a[3]; thread T[i : 3] { int k = ?(int); assert k == x; a[k] = i; x = ?(int) + 1; }");
    assert_int_equal(p->checks.size, 2);
    assert_string_equal(p->checks.data[0].text, "k == x");
    assert_string_equal(p->checks.data[0].thread_or_function, "T");
    assert_int_equal(p->checks.data[0].kind, CHECK_ASSERTION);
    assert_string_equal(p->checks.data[1].text, "index within a");
    assert_int_equal(p->checks.data[1].kind, CHECK_BOUNDS);
    assert_int_equal(p->inputs.size, 2);
    assert_string_equal(p->inputs.data[0].name, "k");
    assert_string_equal(p->inputs.data[1].name, "input");
    program_destroy(p);
}

static void events_and_times_become_operands(void **unused) {
    (void)unused;
    const char *source = "event a, b, E[2]; int x; thread T { wait a; wait a | b, 5; wait (a & b); wait E[x "
                         "& 1], x; wait_time 3; delay x; notify b, 0; notify a; cancel E[1]; }\n"
                         "main { start 7; start; start -1; stop; }";
    const char *const expected[] = {"    wait_any(0:32)  ;",
                                    "    wait_any 5:64(0:32, 1:32)  ;",
                                    "    wait_all(0:32, 1:32)  ;",
                                    "    wait_time 3:64  ;",
                                    "    notify_after 1:32, 0:64  ;",
                                    "    notify 0:32  ;",
                                    "    cancel 3:32  ;",
                                    "    start 7:64  ;",
                                    "    start  ;",
                                    "    start 18446744073709551615:64  ;",
                                    "    stop  ;"};
    text t = listing_of(source);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        if (!strstr(text_cstr(&t), expected[k])) fail_msg("missing '%s' in\n%s", expected[k], text_cstr(&t));
    assert_null(strstr(text_cstr(&t), "index within"));
    text_free(&t);
}

static void unreachable_code_is_dropped(void **unused) {
    (void)unused;
    expect_count("int x; thread A { return; x = 1; }", "store", 0);
    expect_count("int x; thread A { while (1) { wait_time 1; } x = 1; assert x == 3; }", "store", 0);
    expect_count("int x; thread A { while (1) { wait_time 1; } x = 1; }", "  b1:", 1);
    expect_count("int a[2]; int x; thread A { return; x = 1 / 0; a[5] = 1; wait_time -3; }", "check", 0);
    expect_count("thread A { goto L; M: goto N; L: goto M; N: }", "jump", 0);
    expect_count("thread A { while (true) ; }", "    jump b1", 2);
    expect_count("thread A { if (@time > 3) ; else { } }", "branch", 0);
}

static void main_is_made_up_when_missing(void **unused) {
    (void)unused;
    expect_count("int x = 4; thread A { x = 1; }", "    start  ;", 1);
    expect_count("int x = 4; thread A { x = 1; }", "store @x, 4:32", 1);
    expect_count("", "    start  ;", 1);
    expect_count("main { }", "start", 0);
}

static void positions_are_those_of_the_source(void **unused) {
    (void)unused;
    expect_count("int x;\nthread A {\n    x = x +\n        1;\n  assert x\n == 2;\n}\n",
                 "add %0, 1:32  ; 3:11", 1);
    expect_count("int x;\nthread A {\n    x = x +\n        1;\n  assert x\n == 2;\n}\n",
                 "store @x, %1  ; 3:5", 1);
    expect_count("int x;\nthread A {\n    x = x +\n        1;\n  assert x\n == 2;\n}\n", "#0 x == 2  ; 5:3",
                 1);
}

static void variables_live_where_they_must(void **unused) {
    (void)unused;
    expect_count("thread A { int x = 1; int y = x; x = y; }", "  local ", 0);
    expect_count("thread A { int x = 1; int *p = &x; *p = 2; }", "  local $x.0 : i32", 1);
    expect_count("thread A { int x[2]; x[1] = 2; }", "  local $x.0 : i32[2]", 1);
    expect_count("void f(int x, int y) { int *p = &x; *p = y; } ", "  local ", 1);
    expect_count("struct S { bool a; long b; char c[2]; }; struct S s[2];",
                 "object @s : {0.a bool, 8.b i64, 16.c[0] char, 17.c[1] char}/24[2]", 0);
    expect_count("struct S { bool a; long b; char c[2]; }; struct S s[2]; thread A { s[1].a = 1; }",
                 "object @s : {0.a bool, 8.b i64, 16.c[0] char, 17.c[1] char}/24[2]", 1);
    expect_count("int m[2][3]; thread A { m[1][2] = 1; }", "store @m+20, 1:32", 1);
}

/* --- settings ------------------------------------------------------------------------------------------- */

static void parameters_can_be_set(void **unused) {
    (void)unused;
    const ivl_setting settings[] = {{"N", 5}};
    program *p = compile_with("param N = 2; param M = N + 1; thread T[i : N] { } event E[M];", settings, 1);
    assert_int_equal(p->threads.size, 6);
    assert_int_equal(p->events.size, 6);
    program_destroy(p);
    p = compile("param N = 2; param M = N + 1; thread T[i : N] { } event E[M];");
    assert_int_equal(p->threads.size, 3);
    assert_int_equal(p->events.size, 3);
    program_destroy(p);
}

/* --- the rest ------------------------------------------------------------------------------------------- */

static void long_expressions_compile(void **unused) {
    (void)unused;
    text source = {0};
    text_add(&source, "int x; thread A { x = x");
    for (int k = 1; k < IVL_MOST_HEIGHT; k++) text_add(&source, k % 2 ? " + x" : " * 3");
    text_add(&source, "; assert x == 0");
    for (int k = 2; k < IVL_MOST_HEIGHT; k++) text_add(&source, " || x == 1");
    text_add(&source, "; }");
    program_destroy(compile(text_cstr(&source)));
    text_free(&source);
}

static void warnings_do_not_stop_compilation(void **unused) {
    (void)unused;
    diagnostics d = {.file = "x.ivl"};
    const char *source = "int x; int f(int a) { if (a) return 1; } thread A { x == 1; }";
    program *p = ivl_compile("x.ivl", source, strlen(source), NULL, 0, &d);
    assert_non_null(p);
    assert_int_equal(d.errors, 0);
    assert_int_equal(d.list.size, 2);
    text all = {0};
    diag_print(&d, &all);
    assert_non_null(strstr(text_cstr(&all),
                           "1:12: warning: the function 'f' may end without return; its value is 0 then"));
    assert_non_null(strstr(text_cstr(&all), "1:53: warning: this expression has no effect"));
    text_free(&all);
    diag_free(&d);
    program_destroy(p);
}

static void compiling_twice_gives_the_same(void **unused) {
    (void)unused;
    for (int k = 0; k < IVL_LISTING_COUNT; k++) {
        text a = listing_of(ivl_listings[k].source), b = listing_of(ivl_listings[k].source);
        assert_string_equal(text_cstr(&a), text_cstr(&b));
        text_free(&a);
        text_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listings_compile),
        cmocka_unit_test(arithmetic_follows_cpp),
        cmocka_unit_test(truth_values_stay_consistent),
        cmocka_unit_test(compound_assignments_agree_with_promotion),
        cmocka_unit_test(operators_are_lazy_where_it_shows),
        cmocka_unit_test(operands_are_evaluated_from_left_to_right),
        cmocka_unit_test(control_flow_goes_where_it_should),
        cmocka_unit_test(locals_start_again_at_each_declaration),
        cmocka_unit_test(memory_holds_what_was_put_there),
        cmocka_unit_test(functions_take_and_give_values),
        cmocka_unit_test(globals_are_initialised_before_main),
        cmocka_unit_test(inputs_are_taken_in_order),
        cmocka_unit_test(implicit_checks_are_violated),
        cmocka_unit_test(conditions_are_single_bits),
        cmocka_unit_test(pure_operators_do_not_split_paths),
        cmocka_unit_test(commuting_statements_become_updates),
        cmocka_unit_test(constants_cost_nothing),
        cmocka_unit_test(copies_fold_their_index),
        cmocka_unit_test(copies_share_their_properties),
        cmocka_unit_test(events_and_times_become_operands),
        cmocka_unit_test(unreachable_code_is_dropped),
        cmocka_unit_test(main_is_made_up_when_missing),
        cmocka_unit_test(positions_are_those_of_the_source),
        cmocka_unit_test(variables_live_where_they_must),
        cmocka_unit_test(parameters_can_be_set),
        cmocka_unit_test(long_expressions_compile),
        cmocka_unit_test(warnings_do_not_stop_compilation),
        cmocka_unit_test(compiling_twice_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
