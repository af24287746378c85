/* Which globals may hold symbolic values: small programs with the expected answer, then the promise itself on
 * every model. */
#include "model_files.h"

#include "program/symbolic.h"

/* `expected`: the names of the globals that may be symbolic, in order of declaration. */
static void check_symbolic(const char *source, const char *expected) {
    program *p = compile_with(source, NULL, 0);
    bool *flags = symbolic_objects(p);
    text names = {0};
    for (size_t i = 0; i < p->objects.size; i++)
        if (flags[i]) text_format(&names, "%s%s", names.size ? " " : "", p->objects.data[i].name);
    assert_string_equal(text_cstr(&names), expected);
    text_free(&names);
    mem_free(flags);
    program_destroy(p);
}

static void inputs_spread_through_data(void **unused) {
    (void)unused;
    check_symbolic("int x = ?(int), y, z; thread A{y = x + 1;} thread B{z = 3;}", "x y");
    check_symbolic("int x, y, z; thread A{int k = ?(int); y = k; z = y;} thread B{x = 3;}", "y z");
    check_symbolic("int x, y; thread A{x += ?(int);} thread B{y += 1;}", "x");
    check_symbolic("int a[3] = ?(int[3]); int b[3]; thread A{b[0] = 1; b[1] = b[0];} thread B{a[0] = 1;}",
                   "a");
}

/* A branch on an input splits the path; what is stored on either side is a number. */
static void branches_do_not_spread(void **unused) {
    (void)unused;
    check_symbolic("int x = ?(int), y; thread A{if (x > 0) y = 1; else y = 2;} thread B{x = 1;}", "x");
}

static void conditional_expressions_spread(void **unused) {
    (void)unused;
    check_symbolic("int x = ?(int), y; thread A{y = x > 0 ? 1 : 2;} thread B{x = 1;}", "x y");
}

static void symbolic_indices_spread(void **unused) {
    (void)unused;
    check_symbolic("int i = ?(int); int a[2]; int b[2]; int v; thread A{assume(i >= 0 && i < 2); a[i] = 1; v "
                   "= b[i]; b[0] = 1;} thread B{i = 0;}",
                   "i a v");
}

static void functions_spread(void **unused) {
    (void)unused;
    check_symbolic("int x, y; int twice(int k){return k + k;} thread A{x = twice(?(int));} thread B{y = 1;}",
                   "x");
    check_symbolic(
        "int x, y; void put(int *p, int v){*p = v;} thread A{put(&x, ?(int));} thread B{put(&x, 1); y = 1;}",
        "x");
}

/* A pointer that is not known to point into one object may point anywhere. */
static void pointers_spread_everywhere(void **unused) {
    (void)unused;
    check_symbolic("int x, y; int *p; thread A{p = &x; *p = ?(int);} thread B{y = 1;}", "x y p");
}

static void time_is_data_once_a_delay_is_symbolic(void **unused) {
    (void)unused;
    check_symbolic("ulong t; thread A{wait_time 3; t = @time;}", "");
    check_symbolic("ulong t; uint d; thread A{d = ?(uint); wait_time d; t = @time;}", "t d");
}

/* --- the promise ---------------------------------------------------------------------------------------- */

static const program *observed;
static const bool *flags_of_observed;
static const char *observed_name;
static uint64_t cells_looked_at;

static void check_cells(void *data, const state *from, transition by, const successor *to) {
    (void)data;
    (void)from;
    (void)by;
    for (uint32_t i = 0; i < to->to->static_count; i++)
        for (uint32_t c = 0; c < to->to->objects[i]->cells; c++, cells_looked_at++)
            if (!flags_of_observed[i] && !term_is_const(to->to->objects[i]->cell[c].bits))
                fail_msg("%s: %s is symbolic", observed_name, observed->objects.data[i].name);
}

static void observe_model(const char *name, const char *source) {
    fixture f = fixture_open_hurried(source, NULL);
    bool *flags = symbolic_objects(f.p);
    observed = f.p;
    observed_name = name;
    flags_of_observed = flags;
    explore_options o = exploring(POR_NONE, MATCH_ESM_HASH);
    o.max_transitions = 800;
    o.max_depth = 40;
    o.observe = check_cells;
    outcome out = search_fixture(&f, &o);
    outcome_free(&out);
    mem_free(flags);
    fixture_close(&f);
}

static void concrete_globals_stay_concrete(void **unused) {
    (void)unused;
    each_model(observe_model);
    assert_true(cells_looked_at > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_spread_through_data),
        cmocka_unit_test(branches_do_not_spread),
        cmocka_unit_test(conditional_expressions_spread),
        cmocka_unit_test(symbolic_indices_spread),
        cmocka_unit_test(functions_spread),
        cmocka_unit_test(pointers_spread_everywhere),
        cmocka_unit_test(time_is_data_once_a_delay_is_symbolic),
        cmocka_unit_test(concrete_globals_stay_concrete),
    };
    return cmocka_run_group_tests_name("symbolic", tests, NULL, NULL);
}
