/* Memory of the machine: checked accesses, symbolic indices, pointers. */
#include "core_fixture.h"
#include "machine/seen.h"

static void check_end(const char *source, const char *steps, const char *last, step_end end) {
    fixture f = fixture_open(source);
    state *s = walk(&f, steps);
    step_end is = end_of(&f, s, last);
    if (is != end) fail_msg("%s: ends with %d, not %d", source, (int)is, (int)end);
    state_release(f.m, s);
    fixture_close(&f);
}

static void check_violation(const char *body, check_kind kind) {
    char source[512];
    snprintf(
        source, sizeof source,
        "int x, y; int a[3]; int *g; thread A{%s} thread B{x = 1; y = 2; a[0] = 3; g = &x;} main{start;}",
        body);
    fixture f = fixture_open(source);
    state *s = walk(&f, "");
    successors list = {0};
    step_list(&f, s, "A", &list);
    bool found = false;
    for (size_t i = 0; i < list.size; i++)
        if (list.data[i].end == STEP_VIOLATION) {
            found = true;
            assert_int_equal(machine_check(f.m, list.data[i].check)->kind, kind);
            assert_true(seen_reached(machine_seen_so_far(f.m), list.data[i].check));
        }
    if (found != (kind != CHECK_KINDS)) fail_msg("%s: %s", body, found ? "violated" : "not violated");
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

static void pointers_are_checked(void **unused) {
    (void)unused;
    check_violation("int *p = null; x = *p;", CHECK_NULL);
    check_violation("*g = 1;", CHECK_NULL);
    check_violation("int *p = new int; delete p; x = *p;", CHECK_FREED);
    check_violation("int *p = new int; delete p; delete p;", CHECK_FREED);
    check_violation("int *p = new int[2]; delete (p + 1);", CHECK_FREED);
    check_violation("int *p = &x; delete p;", CHECK_FREED);
    check_violation("int *p = &a[0]; p = p + 3; *p = 1;", CHECK_BOUNDS);
    check_violation("int *p = &a[0]; p = p - 1; x = *p;", CHECK_BOUNDS);
    check_violation("int *p = new int[2]; p[2] = 1;", CHECK_BOUNDS);
    check_violation("int i = ?(int); int *p = &a[0]; p = p + i; *p = 1;", CHECK_BOUNDS);
    check_violation("int i = 3; a[i] = 1;", CHECK_BOUNDS);
    check_violation("x = 1 / y;", CHECK_DIVISION);
    check_violation("int *p = null; delete p;", CHECK_KINDS);
    check_violation("int *p = &a[0]; p = p + 2; *p = 1; p = p - 2; *p = 1;", CHECK_KINDS);
    check_violation("int *p = new int; *p = 4; x = *p; delete p;", CHECK_KINDS);
    check_violation("int i = ?(int); assume(i >= 0 && i < 3); int *p = &a[0]; p = p + i; *p = 1; x = a[i];",
                    CHECK_KINDS);
}

/* A pointer to a local of a frame that is gone. */
static void locals_die_with_their_frame(void **unused) {
    (void)unused;
    fixture f =
        fixture_open("int *g; int x; int *leak(){int k = 3; return &k;} thread A{g = leak(); x = *g;}");
    state *s = walk(&f, "");
    successors list = {0};
    step_list(&f, s, "A", &list);
    assert_int_equal(list.size, 1);
    assert_int_equal(list.data[0].end, STEP_VIOLATION);
    assert_int_equal(machine_check(f.m, list.data[0].check)->kind, CHECK_FREED);
    successors_free(f.m, &list);
    state_release(f.m, s);
    fixture_close(&f);
}

static void symbolic_indices_read_and_write_the_right_cell(void **unused) {
    (void)unused;
    fixture f = fixture_open("int a[4] = {10, 11, 12, 13}; uint i = ?(uint); int before, after;\n"
                             "thread A{before = a[i]; a[i] = 99; after = a[i]; i += 0;} thread B{i = 0;} "
                             "main{assume(i < 4); start;}");
    state *s = walk(&f, "A"); /* no fork */
    const term *i = cell_term(&f, s, "i");
    valuation *v = valuation_create();
    for (uint64_t n = 0; n < 4; n++) {
        valuation_set(v, i, n);
        assert_int_equal(term_evaluate(f.c, cell_term(&f, s, "before"), v), 10 + n);
        assert_int_equal(term_evaluate(f.c, cell_term(&f, s, "after"), v), 99);
        const memory_object *a = state_object(s, object_named(&f, "a"));
        for (uint64_t k = 0; k < 4; k++)
            assert_int_equal(term_evaluate(f.c, cell_of(a)[k].bits, v), k == n ? 99 : 10 + k);
    }
    valuation_destroy(v);
    state_release(f.m, s);
    fixture_close(&f);
}

/* Fields of struct elements under a symbolic index, and arrays of pointers (which must split). */
static void symbolic_indices_into_structs_and_pointers(void **unused) {
    (void)unused;
    fixture f = fixture_open("struct pair {char l; int r;} struct pair p[3]; uint i = ?(uint); int x, y;\n"
                             "thread A{p[1].r = 5; p[i].r += 2; x = p[1].r; y = p[i].l;} thread B{i = 0;} "
                             "main{assume(i < 3); start;}");
    state *s = walk(&f, "A");
    valuation *v = valuation_create();
    for (uint64_t n = 0; n < 3; n++) {
        valuation_set(v, cell_term(&f, s, "i"), n);
        assert_int_equal(term_evaluate(f.c, cell_term(&f, s, "x"), v), n == 1 ? 7 : 5);
        assert_int_equal(term_evaluate(f.c, cell_term(&f, s, "y"), v), 0);
    }
    valuation_destroy(v);
    state_release(f.m, s);
    fixture_close(&f);
    check_ends("int x, y; int *p[2]; uint i = ?(uint); thread A{assume(i < 2); p[0] = &x; p[1] = &y; *p[i] = "
               "3; i = 0;}",
               2, 0, 0);
}

static void pointer_comparison(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x, y, n; int a[2]; thread A{int *p = &x; int *q = &y; int *r = &a[0]; int "
                             "*t = new int; int *u = new int;\n"
                             "if (p == &x) n += 1; if (p != q) n += 10; if (r + 1 == &a[1]) n += 100; if (t "
                             "!= u && t != null) n += 1000;\n"
                             "delete t; if (t != u) n += 10000; x = 1; y = 1; a[0] = 1;}");
    state *s = walk(&f, "A");
    assert_int_equal(cell(&f, s, "n"), 11111);
    state_release(f.m, s);
    fixture_close(&f);
}

static void allocations_of_unknown_size_are_not_modelled(void **unused) {
    (void)unused;
    check_end("thread A{uint n = ?(uint); int *p = new int[n]; p[0] = 1;}", "", "A", STEP_LIMIT);
    check_end("int n = 30000000; thread A{int *p = new int[n]; p[0] = 1; n = 1;}", "", "A", STEP_LIMIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_are_checked),
        cmocka_unit_test(locals_die_with_their_frame),
        cmocka_unit_test(symbolic_indices_read_and_write_the_right_cell),
        cmocka_unit_test(symbolic_indices_into_structs_and_pointers),
        cmocka_unit_test(pointer_comparison),
        cmocka_unit_test(allocations_of_unknown_size_are_not_modelled),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
