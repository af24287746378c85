/* Translation of C and LLVM programs: what becomes of each construct, what is refused. */
#include "c_fixture.h"

/* --- what becomes of things ----------------------------------------------------------------------------- */

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

/* --- checks --------------------------------------------------------------------------------------------- */

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

/* --- threads -------------------------------------------------------------------------------------------- */

static void atomics_know_their_order(void **state) {
    (void)state;
    fixture strong = translate("_Atomic int x; int main(void) { x++; return x; }");
    fixture weak = translate("#include <stdatomic.h>\n_Atomic int x; int main(void) {\n"
                             "return atomic_load_explicit(&x, memory_order_acquire); }");
    assert_int_equal(count_ordered(&strong, ORDER_SEQ_CST), 2);
    assert_int_equal(count_ordered(&weak, ORDER_SEQ_CST), 0);
    assert_int_equal(count_ordered(&weak, ORDER_ACQUIRE), 1);
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

/* --- refusals ------------------------------------------------------------------------------------------- */

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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
