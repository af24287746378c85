/* Programs that assert facts of their languages run through the machine without a violation. */
#include "c_fixture.h"
#include "machine/machine.h"
#include "machine/setup.h"

/* Runs a program with one thread to its end; the number of violations on all its paths. */
static unsigned run(const program *p, unsigned *finished) {
    terms *c = terms_create();
    solver *s = solver_create(c, &(solver_options){0});
    machine_options options = machine_default_options();
    machine *m = machine_create(p, c, s, &options);
    unsigned violations = 0;
    *finished = 0;
    VEC(state *) open = {0};
    vec_push(&open, machine_initial(m, 0));
    while (open.size) {
        state *at = vec_pop(&open);
        transitions enabled = {0};
        machine_enabled(m, at, &enabled);
        for (size_t k = 0; k < enabled.size; k++) {
            successors next = {0};
            machine_step(m, at, enabled.data[k], &(step_options){0}, &next);
            for (size_t n = 0; n < next.size; n++) {
                violations += next.data[n].end == STEP_VIOLATION;
                *finished += next.data[n].end == STEP_FINISHED;
                assert_int_not_equal(next.data[n].end, STEP_LIMIT);
                if (next.data[n].end == STEP_STOPPED) vec_push(&open, state_share(next.data[n].to));
            }
            successors_free(m, &next);
        }
        vec_free(&enabled);
        state_release(m, at);
    }
    vec_free(&open);
    machine_destroy(m);
    solver_destroy(s);
    terms_destroy(c);
    return violations;
}

static const char arithmetic_facts[] =
    "#include <assert.h>\n#include <limits.h>\n"
    "int main(void) { volatile int m7 = -7, two = 2; volatile unsigned char uc = 250; volatile long long big "
    "= 1LL << 40;\n"
    "assert(m7 / two == -3); assert(m7 % two == -1); assert(m7 >> 1 == -4); assert((unsigned)m7 >> 28 == "
    "15);\n"
    "assert((unsigned char)(uc + 10) == 4); assert(big * 3 == 3298534883328LL); assert((int)big == 0);\n"
    "assert(m7 < two && (unsigned)m7 > (unsigned)two); assert(__builtin_popcount(0xf0u + two) == 5);\n"
    "assert(__builtin_clz(1u << two) == 29 && __builtin_ctzll(1ULL << (two + 40)) == 42);\n"
    "assert(__builtin_bswap32(0x01020302u + two) == 0x04030201u); int r; unsigned u; long long w;\n"
    "assert(__builtin_add_overflow(INT_MAX, two, &r)); assert(!__builtin_add_overflow(two, 3, &r) && r == "
    "5);\n"
    "assert(__builtin_sub_overflow(1u, (unsigned)two, &u)); assert(__builtin_mul_overflow(big * 4194304, 2LL "
    "* two, &w));\n"
    "assert(__builtin_mul_overflow(LLONG_MIN, (long long)two - 3, &w)); switch (m7) { case -7: case 5: r = "
    "9; break; case 7: r = 1; }\n"
    "assert(r == 9); int x = 0; for (int i = 0; i < 10; i++) { if (i % 3 == 0) continue; if (i == 8) break; "
    "x += i; }\n"
    "assert(x == 19); unsigned short s = 65535; s++; assert(s == 0); return 0; }\n";

static const char memory_facts[] =
    "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdarg.h>\n"
    "struct pair { int a, b; }; struct two { long a, b; }; struct big { int v[10]; };\n"
    "struct bits { unsigned x : 3, y : 5, z : 17; }; union mix { int i; unsigned char b[4]; };\n"
    "static struct pair mk(int a, int b) { struct pair r = {a, b}; return r; }\n"
    "static struct two mk2(long a) { struct two r = {a, a + 1}; return r; }\n"
    "static int sum(struct big b) { int s = 0; for (int i = 0; i < 10; i++) s += b.v[i]; b.v[0] = 99; return "
    "s; }\n"
    "static long add(struct two p) { return p.a + p.b; }\n"
    "static int total(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); "
    "va_end(l); return s; }\n"
    "static int twice(int x) { return 2 * x; } int (*table[])(int) = {0, twice}; int g[2][3] = {{1, 2, 3}, "
    "{4, 5, 6}};\n"
    "struct list { struct list *next; int v; } l2 = {0, 2}, l1 = {&l2, 1}; _Thread_local int mine = 4;\n"
    "int main(int argc, char **argv) { assert(argc == 1 && argv[0] && !argv[1]); assert(table[1](4) == 8);\n"
    "assert(mk(5, 6).b == 6 && add(mk2(10)) == 21); struct big B; for (int i = 0; i < 10; i++) B.v[i] = i;\n"
    "assert(sum(B) == 45 && B.v[0] == 0); struct bits f; f.x = 9; f.y = 17; f.z = 70000; f.z++;\n"
    "assert(f.x == 1 && f.y == 17 && f.z == 70001); union mix m; m.i = 0x01020304; m.b[1] = 0xff; assert(m.i "
    "== 0x0102ff04);\n"
    "assert(l1.next->v == 2 && g[1][1] == 5 && &g[1][2] - &g[0][0] == 5); mine++; assert(mine == 5);\n"
    "int *h = malloc(3 * sizeof *h); h[2] = 7; h = realloc(h, 20); assert(h[2] == 7); free(h); int v[argc + "
    "2]; v[2] = 3;\n"
    "assert(v[2] == 3 && sizeof v == 3 * sizeof(int)); char b[8]; strcpy(b, \"abc\"); memmove(b + 1, b, 3);\n"
    "assert(b[0] == 'a' && b[3] == 'c'); assert(total(3, 1, 2, 3) == 6); long long q = 0x1122334455667788; "
    "assert(*(int *)&q == 0x55667788);\n"
    "return 0; }\n";

static const char floating_facts[] =
    "#include <assert.h>\n#include <float.h>\n#include <math.h>\n"
    "int main(void) { volatile double d = 0.1, e = 0.2, z = 0; volatile float f = 0.1f; volatile int n = "
    "-7;\n"
    "volatile unsigned u = 4000000000u; assert(d + e > 0.3 && (float)d == f && f != d); assert(n / 2.0 == "
    "-3.5);\n"
    "assert((int)(n / 2.0) == -3 && (double)u == 4e9 && (unsigned)(double)u == u); assert(1 / z > DBL_MAX);\n"
    "assert(z / z != z / z && !(z / z < 1) && -z == z); assert(sqrt(e * 20) == 2 && fmod(z + 7.5, 2) == "
    "1.5);\n"
    "assert(floor(z - 1.5) == -2 && ceil(z + 1.2) == 2 && rint(z + 2.5) == 2 && round(z + 2.5) == 3);\n"
    "assert(sqrtf(f * 0 + 2) == 1.41421356f && fabs(-d) == d); float h = 16777216; assert(h + 1 == h);\n"
    "return 0; }\n";

static void facts_of_the_language_hold(void **state) {
    (void)state;
    const char *const sources[] = {arithmetic_facts, memory_facts, floating_facts};
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
        for (int narrow = 0; narrow < 2; narrow++) {
            fixture f = translate_files(".c", sources[k], NULL,
                                        (llvm_options){.check_reach = true, .data_model_32 = narrow});
            unsigned finished;
            assert_non_null(f.p);
            assert_int_equal(run(f.p, &finished), 0);
            assert_int_equal(finished, 1);
            release(&f);
        }
}

static void containers_of_cxx_work(void **state) {
    (void)state; /* the map is compared with an array after random insertions and removals */
    fixture f = translate_files(
        ".cpp",
        "#include <cassert>\n#include <map>\n#include <memory>\n#include <string>\n#include <vector>\n"
        "struct base { virtual int f() { return 1; } virtual ~base() {} };\n"
        "struct derived : base { int f() override { return 2; } }; static derived global;\n"
        "int main() { std::vector<int> v; for (int i = 0; i < 5; i++) v.push_back(i); assert(v.size() == 5 "
        "&& v[4] == 4);\n"
        "std::unique_ptr<base> p(new derived); assert(p->f() == 2 && global.f() == 2);\n"
        "std::string s = \"ab\"; s += \"cd\"; assert(s == \"abcd\"); std::map<int, int> m; bool in[32] = {}; "
        "unsigned r = 1;\n"
        "for (int i = 0; i < 60; i++) { r = r * 1103515245u + 12345u; int k = r >> 16 & 31; if (r >> 30 & 1) "
        "{ m[k] = -k; in[k] = true; }\n"
        "else { m.erase(k); in[k] = false; } } int next = 0; for (auto &e : m) { while (!in[next]) next++; "
        "assert(e.first == next && e.second == -next); next++; }\n"
        "return 0; }\n",
        NULL, (llvm_options){.check_reach = true});
    unsigned finished;
    assert_non_null(f.p);
    assert_int_equal(run(f.p, &finished), 0);
    assert_int_equal(finished, 1);
    release(&f);
}

static const char exception_facts[] =
    "#include <cassert>\n"
    "#include <cstdlib>\n"
    "#include <cstring>\n"
    "#include <functional>\n"
    "#include <memory>\n"
    "#include <pthread.h>\n"
    "#include <stdexcept>\n"
    "#include <string>\n"
    "#include <vector>\n"
    "int alive; struct part { int v = 3; part() { alive++; } part(const part &) { alive++; } ~part() { "
    "alive--; } };\n"
    "struct base { int b = 1; virtual ~base() {} }; struct other { int o = 7; virtual ~other() {} };\n"
    "struct derived : base { int d = 2; }; struct both : base, other {}; struct hidden_base : private base "
    "{};\n"
    "struct whole { part a, b; whole(bool bad) { if (bad) throw part(); } };\n"
    "struct task { virtual int run(int) = 0; virtual ~task() {} };\n"
    "struct failing : task { int run(int n) override { if (n < 0) throw n; return n; } };\n"
    "static int raise(int n) { part g; switch (n) { case 0: throw 5; case 1: throw derived(); case 2: throw "
    "both(); case 3: throw \"text\";\n"
    "case 4: throw std::runtime_error(\"run\"); case 5: throw std::out_of_range(std::string(\"range\"));\n"
    "case 6: { std::vector<int> v(2); return v.at(3); } case 7: throw hidden_base(); } return n; }\n"
    "static int between(int n) { part g; int r = raise(n); assert(n > 7); return r; }\n"
    "static int classify(int n) { part g; try { return between(n); } catch (int i) { assert(i == 5); return "
    "100; }\n"
    "catch (derived &d) { assert(d.b == 1 && d.d == 2); return 101; } catch (other &o) { assert(o.o == 7); "
    "return 102; }\n"
    "catch (const char *s) { assert(!strcmp(s, \"text\")); return 103; } catch (base &) { return 999; }\n"
    "catch (std::logic_error &e) { assert(n == 6 || !strcmp(e.what(), \"range\")); return 100 + n; }\n"
    "catch (std::exception &e) { assert(!strcmp(e.what(), \"run\")); return 104; } catch (...) { return 107; "
    "} }\n"
    "static int again(int n) { try { try { return between(n); } catch (base &b) { b.b = 9; throw; } catch "
    "(int) { throw 6; } }\n"
    "catch (base &b) { return b.b; } catch (int i) { return i; } }\n"
    "static int nested() { try { throw 1; } catch (int a) { try { throw 2; } catch (int b) { assert(a == 1 "
    "&& b == 2); }\n"
    "try { throw; } catch (int c) { assert(c == 1); } return a; } }\n"
    "static int compare(const void *a, const void *b) { if (*(int *)a == 3 || *(int *)b == 3) throw 3; "
    "return *(int *)a - *(int *)b; }\n"
    "static int tries; static void first_fails() { if (!tries++) throw 4.5; } static int plain(int n) { if "
    "(n > 10) throw n; return n; }\n"
    "static int call(int (*f)(int), int n) { try { return f(n); } catch (int k) { return k + 1; } }\n"
    "int main() { for (int n = 0; n < 8; n++) assert(classify(n) == 100 + n); assert(classify(8) == 8);\n"
    "assert(again(1) == 9 && again(0) == 6 && nested() == 1 && std::uncaught_exceptions() == 0);\n"
    "try { whole w(true); assert(0); } catch (part p) { assert(p.v == 3 && alive == 2); }\n"
    "std::unique_ptr<task> t(new failing); try { t->run(-4); assert(0); } catch (int n) { assert(n == -4); } "
    "assert(t->run(5) == 5);\n"
    "int data[] = {2, 3, 1}; try { qsort(data, 3, sizeof *data, compare); assert(0); } catch (int n) { "
    "assert(n == 3); }\n"
    "pthread_once_t once = PTHREAD_ONCE_INIT; try { pthread_once(&once, first_fails); assert(0); } catch "
    "(double d) { assert(d == 4.5); }\n"
    "pthread_once(&once, first_fails); pthread_once(&once, first_fails); assert(tries == 2);\n"
    "assert(call(plain, 3) == 3 && call(plain, 30) == 31); std::function<int(int)> f = [](int n) { if (n) "
    "throw 'c'; return 1; };\n"
    "try { f(1); assert(0); } catch (char c) { assert(c == 'c'); } assert(f(0) == 1 && alive == 0); }\n";

static void exceptions_are_caught(void **state) {
    (void)state;
    fixture f = translate_files(".cpp", exception_facts, NULL, (llvm_options){.check_reach = true});
    unsigned finished;
    assert_non_null(f.p);
    assert_int_equal(run(f.p, &finished), 0);
    assert_int_equal(finished, 1);
    release(&f);
}

static const char of_a_thread[] =
    "#include <pthread.h>\nvoid *f(void *p) { throw p; }\n"
    "int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(0); }";

static void exceptions_end_programs(void **state) {
    (void)state; /* each of them ends in std::terminate, so the assertion is never reached */
    static const char *const sources[] = {
        "int main() { throw 1; assert(0); }",
        "void f() noexcept { throw 1; } int main() { try { f(); } catch (...) {} assert(0); }",
        "struct s { s() { throw 1; } }; s global; int main() { assert(0); }",
        of_a_thread,
    };
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        char source[400];
        snprintf(source, sizeof source, "#include <cassert>\n%s", sources[k]);
        fixture f = translate_files(".cpp", source, NULL, (llvm_options){.check_reach = true});
        unsigned finished;
        assert_int_equal(run(f.p, &finished), 0);
        assert_true(finished >= 1);
        release(&f);
    }
}

static void phi_nodes_change_at_once(void **state) {
    (void)state; /* a and b swap; with moves one after the other the loop would not end */
    fixture f =
        translate_files(".ll",
                        "declare void @reach_error()\ndefine i32 @main() {\nentry:\n  br label %loop\nloop:\n"
                        "  %a = phi i32 [ 1, %entry ], [ %b, %loop ]\n"
                        "  %b = phi i32 [ 2, %entry ], [ %a, %loop ]\n"
                        "  %done = icmp eq i32 %a, 2\n  br i1 %done, label %end, label %loop\nend:\n"
                        "  %right = icmp eq i32 %b, 1\n  br i1 %right, label %good, label %bad\n"
                        "bad:\n  call void @reach_error()\n  br label %good\ngood:\n  ret i32 %b\n}\n",
                        NULL, (llvm_options){.check_reach = true});
    unsigned finished;
    assert_int_equal(run(f.p, &finished), 0);
    assert_int_equal(finished, 1);
    release(&f);
}

static void violations_are_found(void **state) {
    (void)state;
    fixture f = translate(
        "int __VERIFIER_nondet_int(void); void reach_error(void);\n"
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n * 2 == 14) reach_error(); return 0; }");
    unsigned finished;
    assert_int_equal(run(f.p, &finished), 1);
    assert_int_equal(finished, 1);
    assert_string_equal(f.p->inputs.data[0].name, "n");
    release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_of_the_language_hold), cmocka_unit_test(containers_of_cxx_work),
        cmocka_unit_test(exceptions_are_caught),      cmocka_unit_test(exceptions_end_programs),
        cmocka_unit_test(phi_nodes_change_at_once),   cmocka_unit_test(violations_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
