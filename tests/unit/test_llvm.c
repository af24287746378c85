/* Translation of C and LLVM programs: what becomes of each construct, what is refused, and that programs
 * which assert facts of the C language run through the machine without a violation. */
#include "frontend/llvm/llvm.h"
#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    program *p;
    diagnostics d;
    char *files[2];
} fixture;

static char *write_file(const char *ending, const char *content, size_t length) {
    char *name = mem_alloc(64);
    snprintf(name, 64, "/tmp/heddle-test-XXXXXX%s", ending);
    int fd = mkstemps(name, (int)strlen(ending));
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, length, file), length);
    fclose(file);
    return name;
}

static fixture translate_files(const char *ending, const char *first, const char *second, llvm_options how) {
    fixture f = {0};
    f.files[0] = write_file(ending, first, strlen(first));
    if (second) f.files[1] = write_file(ending, second, strlen(second));
    f.d.file = "test";
    f.p = llvm_translate((const char *const *)f.files, second ? 2 : 1, &how, &f.d);
    if (f.p && !program_check(f.p, &f.d)) {
        text out = {0};
        diag_print(&f.d, &out);
        fail_msg("%s", text_cstr(&out));
    }
    return f;
}

static fixture translate(const char *source) {
    return translate_files(".c", source, NULL, (llvm_options){.check_reach = true});
}

static void release(fixture *f) {
    program_destroy(f->p);
    diag_free(&f->d);
    for (size_t k = 0; k < 2; k++) {
        if (f->files[k]) remove(f->files[k]);
        mem_free(f->files[k]);
    }
}

static const function *find_function(const fixture *f, const char *name) {
    for (size_t k = 0; k < f->p->functions.size; k++)
        if (!strcmp(f->p->functions.data[k].name, name)) return &f->p->functions.data[k];
    return NULL;
}

/* Instructions of this kind in a function. */
static unsigned count_in(const function *f, instruction_kind kind) {
    unsigned n = 0;
    for (size_t b = 0; f && b < f->blocks.size; b++)
        for (size_t k = 0; k < f->blocks.data[b].code.size; k++)
            n += f->blocks.data[b].code.data[k].kind == kind;
    return n;
}

static unsigned count_ordered(const fixture *f, memory_order_kind order) {
    const function *main = find_function(f, "main");
    unsigned n = 0;
    for (size_t b = 0; b < main->blocks.size; b++)
        for (size_t k = 0; k < main->blocks.data[b].code.size; k++) {
            const instruction *i = &main->blocks.data[b].code.data[k];
            n += (i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_UPDATE) &&
                 i->order == order;
        }
    return n;
}

static unsigned count_checks(const fixture *f, check_kind kind) {
    unsigned n = 0;
    for (size_t k = 0; k < f->p->checks.size; k++) n += f->p->checks.data[k].kind == kind;
    return n;
}

/* Whether main (or what it calls, library aside) says that something is not supported, in these words. */
static bool refuses(const fixture *f, const char *words) {
    for (size_t k = 0; k < f->p->functions.size; k++) {
        const function *fn = &f->p->functions.data[k];
        for (size_t b = 0; b < fn->blocks.size; b++)
            for (size_t i = 0; i < fn->blocks.data[b].code.size; i++) {
                const instruction *at = &fn->blocks.data[b].code.data[i];
                if (at->kind == INSTR_UNSUPPORTED && strstr(at->text, words)) return true;
            }
    }
    return false;
}

static bool complains(const fixture *f, const char *words) {
    for (size_t k = 0; k < f->d.list.size; k++)
        if (strstr(f->d.list.data[k].message, words)) return true;
    return false;
}

/* --- what becomes of things ------------------------------------------------------------------------------
 */

static void scalars_without_address_are_registers(void **state) {
    (void)state;
    fixture f = translate(
        "int main(void) { int here = 1; int there = 2; int *p = &there; here += *p; return here; }");
    const function *main = find_function(&f, "main");
    assert_int_equal(main->locals.size, 1);
    assert_string_equal(main->locals.data[0].name, "there");
    assert_true(main->locals.data[0].unset);
    bool named = false;
    for (size_t r = 0; r < main->registers.size; r++)
        named |= main->registers.data[r].name && !strcmp(main->registers.data[r].name, "here");
    assert_true(named);
    release(&f);
}

static void parameters_keep_their_registers(void **state) {
    (void)state;
    fixture f =
        translate("static int twice(int n) { n = n + n; return n; } int main(void) { return twice(4); }");
    const function *twice = find_function(&f, "twice");
    assert_int_equal(twice->parameters, 1);
    assert_string_equal(twice->registers.data[0].name, "n");
    assert_int_equal(count_in(twice, INSTR_MOVE), 0);
    release(&f);
}

static void variables_read_too_early_are_unknown(void **state) {
    (void)state;
    fixture unset = translate("int main(int c, char **v) { int x; if (c > 1) x = 1; return x; }");
    fixture set = translate("int main(int c, char **v) { int x; if (c > 1) x = 1; else x = 2; return x; }");
    assert_int_equal(count_in(find_function(&unset, "main"), INSTR_INPUT), 1);
    assert_int_equal(count_in(find_function(&set, "main"), INSTR_INPUT), 0);
    assert_string_equal(unset.p->inputs.data[0].name, "x");
    release(&unset);
    release(&set);
}

static void globals_have_layouts_and_initial_values(void **state) {
    (void)state;
    fixture f = translate("struct s { char c; int *p; } a[3] = {{'x', 0}, {'y', 0}}; int zero[100];"
                          "int main(void) { return a[1].c + zero[3]; }");
    assert_int_equal(f.p->objects.size, 2);
    const static_object *a = &f.p->objects.data[strcmp(f.p->objects.data[0].name, "a") != 0];
    assert_string_equal(a->name, "a");
    assert_int_equal(a->count, 3);
    assert_int_equal(a->shape->stride, 16);
    assert_int_equal(a->shape->cells, 2);
    assert_string_equal(a->shape->cell[1].name, ".p");
    assert_int_equal(a->shape->cell[1].offset, 8);
    assert_int_equal(count_in(&f.p->functions.data[0], INSTR_STORE), 2); /* only what is not zero */
    assert_int_equal(f.p->functions.data[0].role, FUNCTION_MAIN);
    release(&f);
}

static void data_models_differ(void **state) {
    (void)state;
    const char *source = "long l; int *p; int main(void) { return sizeof l + sizeof p; }";
    fixture narrow = translate_files(".c", source, NULL, (llvm_options){.data_model_32 = true});
    fixture wide = translate_files(".c", source, NULL, (llvm_options){0});
    assert_int_equal(narrow.p->pointer_bits, 32);
    assert_int_equal(wide.p->pointer_bits, 64);
    release(&narrow);
    release(&wide);
}

static void positions_are_those_of_the_file(void **state) {
    (void)state;
    fixture f = translate_files(".i",
                                "# 1 \"elsewhere.c\"\n# 700 \"elsewhere.c\" 3\nvoid reach_error(void);\n"
                                "int main(void) {\n  reach_error();\n}\n",
                                NULL, (llvm_options){.check_reach = true});
    assert_int_equal(f.p->checks.size, 1);
    assert_int_equal(f.p->checks.data[0].at.line, 5);
    assert_null(find_function(&f, "main")->file);
    release(&f);
}

static void old_style_programs_are_accepted(void **state) {
    (void)state;
    fixture f = translate(
        "add(a, b) int a; char b; { return a + b; } main() { extern int later(); later(1, 2); return "
        "add(1, 2) + undeclared(); } later(x, y) { return x; }");
    assert_non_null(f.p);
    assert_true(refuses(&f, "undeclared"));
    assert_int_equal(find_function(&f, "later")->parameters, 2);
    release(&f);
}

static void inline_functions_have_bodies(void **state) {
    (void)state;
    fixture f = translate("inline int one(void) { return 1; } int main(void) { return one(); }");
    assert_false(refuses(&f, "one"));
    release(&f);
}

static void own_definitions_win_over_models(void **state) {
    (void)state;
    fixture own = translate("void exit(int status) { for (;;); } int main(void) { exit(1); }");
    fixture model = translate("void exit(int); int main(void) { exit(1); }");
    assert_false(find_function(&own, "exit")->hidden);
    assert_true(find_function(&model, "exit")->hidden);
    release(&own);
    release(&model);
}

static void several_files_are_linked(void **state) {
    (void)state;
    fixture f = translate_files(
        ".c", "int other(int); int main(void) { return other(3); }",
        "static int hidden(int x) { return x; } int other(int x) { return hidden(x); }", (llvm_options){0});
    assert_non_null(find_function(&f, "other"));
    assert_non_null(find_function(&f, "hidden"));
    assert_non_null(find_function(&f, "other")->file); /* not the first file */
    release(&f);
}

static void only_what_is_reachable_is_translated(void **state) {
    (void)state;
    fixture f = translate("int unused(void) { __asm__(\"hlt\"); return 1; } int main(void) { return 0; }");
    assert_null(find_function(&f, "unused"));
    assert_int_equal(f.p->functions.size, 2);
    release(&f);
}

static void another_entry_gets_unknown_arguments(void **state) {
    (void)state;
    fixture f =
        translate_files(".c", "int check(int n) { return n; }", NULL, (llvm_options){.entry = "check"});
    assert_int_equal(count_in(&f.p->functions.data[0], INSTR_INPUT), 1);
    release(&f);
}

/* --- checks ----------------------------------------------------------------------------------------------
 */

static void assertions_keep_their_text_and_place(void **state) {
    (void)state;
    fixture f = translate("#include <assert.h>\nint x;\nint main(void) {\n  assert(x == 1 && x);\n}\n");
    assert_int_equal(f.p->checks.size, 1);
    assert_string_equal(f.p->checks.data[0].text, "x == 1 && x");
    assert_string_equal(f.p->checks.data[0].thread_or_function, "main");
    assert_int_equal(f.p->checks.data[0].at.line, 4);
    release(&f);
}

static void errors_are_checks_only_when_asked(void **state) {
    (void)state;
    const char *source = "void reach_error(void) { } int main(void) { reach_error(); return 0; }";
    fixture on = translate_files(".c", source, NULL, (llvm_options){.check_reach = true});
    fixture off = translate_files(".c", source, NULL, (llvm_options){0});
    assert_int_equal(count_checks(&on, CHECK_ASSERTION), 1);
    assert_int_equal(count_checks(&off, CHECK_ASSERTION), 0);
    assert_int_equal(count_in(find_function(&off, "main"), INSTR_RETURN), 0); /* the program ends there */
    release(&on);
    release(&off);
}

static void overflow_is_checked_only_when_asked(void **state) {
    (void)state;
    const char *source =
        "int a, b; unsigned u; int main(void) { a = a + b; a = a * b; a = -a; u = u + u; return a / b; }";
    fixture on = translate_files(".c", source, NULL, (llvm_options){.check_overflow = true});
    fixture off = translate_files(".c", source, NULL, (llvm_options){0});
    assert_int_equal(count_checks(&on, CHECK_OVERFLOW), 4); /* not the unsigned addition */
    assert_int_equal(count_checks(&off, CHECK_OVERFLOW), 0);
    assert_int_equal(count_checks(&off, CHECK_DIVISION), 1);
    release(&on);
    release(&off);
}

static void division_by_constants_needs_no_check(void **state) {
    (void)state;
    fixture f = translate("int a; int main(void) { return a / 3 + a % 7; }");
    assert_int_equal(count_checks(&f, CHECK_DIVISION), 0);
    release(&f);
}

static void wide_shifts_are_never_guessed(void **state) {
    (void)state;
    fixture variable = translate("int a, n; int main(void) { return a << n; }");
    fixture constant = translate("int a; int main(void) { return a << 3; }");
    assert_true(refuses(&variable, "shift"));
    assert_false(refuses(&constant, "shift"));
    release(&variable);
    release(&constant);
}

/* --- threads ---------------------------------------------------------------------------------------------
 */

static void atomics_know_their_order(void **state) {
    (void)state;
    fixture strong = translate("_Atomic int x; int main(void) { x++; return x; }");
    fixture weak = translate("#include <stdatomic.h>\n_Atomic int x; int main(void) {\n"
                             "return atomic_load_explicit(&x, memory_order_acquire); }");
    assert_int_equal(count_ordered(&strong, ORDER_WEAK_ATOMIC), 0);
    assert_int_equal(count_ordered(&strong, ORDER_ATOMIC), 2);
    assert_int_equal(count_ordered(&weak, ORDER_WEAK_ATOMIC), 1);
    assert_int_equal(count_in(find_function(&strong, "main"), INSTR_UPDATE), 1);
    release(&strong);
    release(&weak);
}

static void unread_results_make_updates(void **state) {
    (void)state;
    fixture f = translate("#include <stdatomic.h>\n_Atomic int x; int y; _Atomic unsigned char z;\n"
                          "int main(void) { x += 1; --x; z |= 3; atomic_fetch_xor(&x, 5);\n"
                          "__atomic_fetch_add(&y, 2, __ATOMIC_SEQ_CST); __atomic_sub_fetch(&y, 2, "
                          "__ATOMIC_SEQ_CST); __sync_fetch_and_and(&y, 6); return 0; }");
    assert_int_equal(count_in(find_function(&f, "main"), INSTR_UPDATE), 7);
    assert_int_equal(count_in(find_function(&f, "main"), INSTR_LOAD), 0);
    release(&f);
}

static void read_results_are_kept(void **state) {
    (void)state;
    static const char *const readers[] = {
        "return x++;",
        "int old = atomic_fetch_add(&x, 1); return old;",
        "shared = atomic_fetch_add(&x, 1); return 0;",
        "if (__atomic_add_fetch(&y, 1, __ATOMIC_SEQ_CST)) return 1; return 0;",
        "return *(char *)__atomic_fetch_add(&address, 1, __ATOMIC_SEQ_CST);",
        "return 5 / (x += 1);",
        "atomic_exchange(&x, 3); return 0;",
    };
    for (size_t k = 0; k < sizeof readers / sizeof *readers; k++) {
        char source[500];
        snprintf(source, sizeof source,
                 "#include <stdatomic.h>\n_Atomic int x; int y, shared; long address; int main(void) { %s }",
                 readers[k]);
        fixture f = translate(source);
        assert_int_equal(count_in(find_function(&f, "main"), INSTR_UPDATE), 0);
        release(&f);
    }
}

static void atomic_functions_are_sections(void **state) {
    (void)state;
    fixture f = translate("int x; void __VERIFIER_atomic_inc(int by) { if (by) x += by; }"
                          "int main(void) { __VERIFIER_atomic_inc(2); return x; }");
    const function *inc = find_function(&f, "__VERIFIER_atomic_inc");
    assert_int_equal(inc->blocks.data[0].code.data[0].sync, SYNC_ATOMIC_BEGIN);
    for (size_t b = 0; b < inc->blocks.size; b++) {
        const instruction *code = inc->blocks.data[b].code.data;
        size_t last = inc->blocks.data[b].code.size - 1;
        if (code[last].kind == INSTR_RETURN) assert_int_equal(code[last - 1].sync, SYNC_ATOMIC_END);
    }
    release(&f);
}

/* --- refusals --------------------------------------------------------------------------------------------
 */

static void what_is_not_modelled_is_said(void **state) {
    (void)state;
    static const struct {
        const char *source, *words;
    } cases[] = {
        {"int main(void) { __asm__ volatile(\"hlt\"); }", "inline assembly"},
        {"int foo(void); int main(void) { return foo(); }", "`foo`, whose body is missing"},
        {"int a; int main(void) { __int128 x = a; return x * x > 3; }", "more than 64 bits"},
        {"int a; int main(void) { static void *t[] = {&&x, &&y}; goto *t[a]; x: return 1; y: return 2; }",
         "computed"},
        {"extern int a[]; int main(void) { return a[2]; }", "`a`, which is defined nowhere"},
        {"char huge[2000000000u]; int main(void) { return huge[5]; }", "`huge`, which is too large"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fixture f = translate(cases[k].source);
        assert_non_null(f.p);
        if (!refuses(&f, cases[k].words)) fail_msg("not refused: %s", cases[k].source);
        release(&f);
    }
}

static void empty_assembly_is_harmless(void **state) {
    (void)state;
    fixture f = translate("int main(void) { __asm__ volatile(\"\" ::: \"memory\"); return 0; }");
    assert_false(refuses(&f, "assembly"));
    release(&f);
}

static void printing_does_nothing(void **state) {
    (void)state;
    fixture f =
        translate("#include <stdio.h>\nint main(void) { printf(\"%d %p\\n\", 3, stdout); return 0; }");
    assert_false(refuses(&f, "printf"));
    release(&f);
    f = translate("#include <stdio.h>\nint main(void) { int n; printf(\"%d%n\", 3, &n); return n; }");
    assert_true(refuses(&f, "printf"));
    release(&f);
}

static void bad_input_is_reported(void **state) {
    (void)state;
    fixture f = translate("int main(void) { return nonsense; }");
    assert_null(f.p);
    assert_true(complains(&f, "use of undeclared identifier 'nonsense'"));
    release(&f);
    f = translate("int mian(void) { return 0; }");
    assert_null(f.p);
    assert_true(complains(&f, "no function `main`"));
    release(&f);
    f = translate_files(".bc", "BC\xc0\xde this is not bitcode", NULL, (llvm_options){0});
    assert_null(f.p);
    assert_true(f.d.errors > 0);
    release(&f);
    f = translate_files(".ll", "define i32 @main() { ret i64 0 }", NULL, (llvm_options){0});
    assert_null(f.p);
    assert_true(f.d.errors > 0);
    release(&f);
    f = translate_files(".c", "int f(void) { return 1; } int main(void) { return 0; }",
                        "int f(void) { return 2; }", (llvm_options){0});
    assert_null(f.p);
    assert_true(complains(&f, "multiply defined"));
    release(&f);
    const char *missing = "/nonexistent/file.c";
    diagnostics d = {.file = missing};
    assert_null(llvm_translate(&missing, 1, &(llvm_options){0}, &d));
    assert_int_equal(d.errors, 1);
    diag_free(&d);
}

static void assembly_of_llvm_is_read(void **state) {
    (void)state;
    fixture f = translate_files(".ll",
                                "define i32 @main() {\nentry:\n  br label %loop\nloop:\n"
                                "  %a = phi i32 [ 1, %entry ], [ %b, %loop ]\n"
                                "  %b = phi i32 [ 2, %entry ], [ %a, %loop ]\n"
                                "  %done = icmp eq i32 %a, 2\n"
                                "  br i1 %done, label %end, label %loop\nend:\n  ret i32 %b\n}\n",
                                NULL, (llvm_options){0});
    assert_non_null(f.p);
    release(&f);
}

/* --- running ---------------------------------------------------------------------------------------------
 */

/* Runs a program with one thread to its end; the number of violations on all its paths. */
static unsigned run(const program *p, unsigned *finished) {
    terms *c = terms_create();
    solver *s = solver_create(c, &(solver_options){0});
    machine_options options = machine_default_options();
    machine *m = machine_create(p, c, s, &options);
    unsigned violations = 0;
    *finished = 0;
    VEC(state *) open = {0};
    vec_push(&open, machine_initial(m));
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
        cmocka_unit_test(scalars_without_address_are_registers),
        cmocka_unit_test(parameters_keep_their_registers),
        cmocka_unit_test(variables_read_too_early_are_unknown),
        cmocka_unit_test(globals_have_layouts_and_initial_values),
        cmocka_unit_test(data_models_differ),
        cmocka_unit_test(positions_are_those_of_the_file),
        cmocka_unit_test(old_style_programs_are_accepted),
        cmocka_unit_test(inline_functions_have_bodies),
        cmocka_unit_test(own_definitions_win_over_models),
        cmocka_unit_test(several_files_are_linked),
        cmocka_unit_test(only_what_is_reachable_is_translated),
        cmocka_unit_test(another_entry_gets_unknown_arguments),
        cmocka_unit_test(assertions_keep_their_text_and_place),
        cmocka_unit_test(errors_are_checks_only_when_asked),
        cmocka_unit_test(overflow_is_checked_only_when_asked),
        cmocka_unit_test(division_by_constants_needs_no_check),
        cmocka_unit_test(wide_shifts_are_never_guessed),
        cmocka_unit_test(atomics_know_their_order),
        cmocka_unit_test(unread_results_make_updates),
        cmocka_unit_test(read_results_are_kept),
        cmocka_unit_test(atomic_functions_are_sections),
        cmocka_unit_test(what_is_not_modelled_is_said),
        cmocka_unit_test(empty_assembly_is_harmless),
        cmocka_unit_test(printing_does_nothing),
        cmocka_unit_test(bad_input_is_reported),
        cmocka_unit_test(assembly_of_llvm_is_read),
        cmocka_unit_test(facts_of_the_language_hold),
        cmocka_unit_test(containers_of_cxx_work),
        cmocka_unit_test(phi_nodes_change_at_once),
        cmocka_unit_test(violations_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
