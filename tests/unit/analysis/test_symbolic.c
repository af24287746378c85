/* Which globals may hold symbolic values: small programs with the expected answer, then the promise itself on
 * every model. */
#include "model_files.h"

#include "analysis/symbolic.h"
#include "build_program.h"

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

/* Preemptive programs: objects in order of declaration that may be symbolic, as bits. */
static unsigned symbolic_bits(build *b) {
    build_return(b, build_number(0));
    bool *flags = symbolic_objects(b->p);
    unsigned bits = 0;
    for (size_t i = 0; i < b->p->objects.size; i++) bits |= (unsigned)flags[i] << i;
    mem_free(flags);
    program_destroy(b->p);
    return bits;
}

static void unset_memory_is_symbolic(void **unused) {
    (void)unused;
    for (unsigned unset = 0; unset < 2; unset++)
        for (unsigned way = 0; way < 3; way++) {
            build b = build_open();
            operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1), p, v;
            build_function(&b, "main", 0);
            p = build_register(&b);
            v = build_register(&b);
            if (way == 2) {
                p = build_local(&b, 1);
                vec_last(&b.p->functions.data[0].locals).unset = unset;
            } else {
                build_alloc(&b, p, 1, unset ? ALLOC_HEAP_UNSET : ALLOC_HEAP_ZERO);
            }
            if (way == 0) {
                build_load(&b, v, p);
                build_store(&b, x, v);
            } else {
                build_copy(&b, x, p, 8);
            }
            build_fill(&b, y, operand_const(8, 1), 8);
            assert_int_equal(symbolic_bits(&b), unset);
        }
}

/* Through pointers to functions, arguments of threads and what they return. */
static void threads_spread(void **unused) {
    (void)unused;
    for (unsigned way = 0; way < 3; way++) {
        build b = build_open();
        operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1);
        uint32_t main_function = build_function(&b, "main", 0), work = build_function(&b, "work", 1);
        if (way < 2) build_store(&b, x, build_parameter(0));
        build_return(&b, build_parameter(0));
        build_goto(&b, main_function, 0);
        vec_push(&b.p->inputs, ((input){"n", BUILD_WORD, {1, 1}}));
        operand n = build_register(&b), v = build_register(&b);
        build_emit(&b, INSTR_INPUT)->dst = n.index;
        if (way == 0)
            build_call_through(&b, v, operand_function(work), n);
        else
            build_create(&b, v, operand_function(work), n);
        if (way == 2) {
            build_join(&b, v, v);
            build_store(&b, x, v);
        }
        build_store(&b, y, build_number(1));
        assert_int_equal(symbolic_bits(&b), 1);
    }
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
    for (uint32_t i = 0; i < static_count_of(to->to); i++)
        for (uint32_t c = 0; c < cells_of(state_object(to->to, i)); c++, cells_looked_at++)
            if (!flags_of_observed[i] && !term_is_const(cell_of(state_object(to->to, i))[c].bits))
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
        cmocka_unit_test(unset_memory_is_symbolic),
        cmocka_unit_test(threads_spread),
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
