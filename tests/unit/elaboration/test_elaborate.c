/* Designs in C++ become programs with fixed objects, processes, events and updates. */
#include "c_fixture.h"

#include "analysis/analyses.h"
#include "analysis/known.h"
#include "elaboration/elaborate.h"
#include "machine/machine.h"
#include "machine/setup.h"

static fixture elaborated(const char *source) {
    fixture f = translate_files(".cpp", source, NULL, (llvm_options){.check_reach = true});
    if (!f.p) {
        text out = {0};
        diag_print(&f.d, &out);
        fail_msg("%s", text_cstr(&out));
    }
    assert_int_equal(f.p->kernel, KERNEL_SYSTEMC);
    assert_true(f.p->elaboration.pending);
    elaborate(f.p, false, NULL, NULL);
    if (!program_check(f.p, &f.d)) {
        text out = {0};
        diag_print(&f.d, &out);
        fail_msg("%s", text_cstr(&out));
    }
    return f;
}

#define HEADER                                                                                               \
    "#include <systemc>\n"                                                                                   \
    "#include <cassert>\n"                                                                                   \
    "using namespace sc_core;\n"

static const char counters[] = HEADER
    "struct Counter : sc_module {\n"
    "    sc_in<bool> clk{\"clk\"};\n"
    "    sc_out<int> out{\"out\"};\n"
    "    int n;\n"
    "    SC_HAS_PROCESS(Counter);\n"
    "    Counter(sc_module_name name, int from) : sc_module(name), n(from) {\n"
    "        SC_METHOD(tick); sensitive << clk.pos(); dont_initialize(); }\n"
    "    void tick() { n = n + 1; out.write(n); }\n"
    "};\n"
    "SC_MODULE(Top) {\n"
    "    sc_signal<bool> clk{\"clk\"}; sc_signal<int> a{\"a\"}, b{\"b\"}; sc_event done{\"done\"};\n"
    "    Counter *x, *y;\n"
    "    void drive() { clk = true; wait(5, SC_NS); done.notify(); }\n"
    "    SC_CTOR(Top) { x = new Counter(\"x\", 0); y = new Counter(\"y\", 10); x->clk(clk); x->out(a);\n"
    "        y->clk(clk); y->out(b); SC_THREAD(drive); }\n"
    "};\n"
    "int sc_main(int, char **) { int before = 7; Top top(\"top\"); sc_start();\n"
    "    assert(before == 7); assert(top.a.read() == 1); assert(top.b.read() == 11); return 0; }\n";

static bool has_event(const program *p, const char *name) {
    for (size_t k = 0; k < p->events.size; k++)
        if (!strcmp(p->events.data[k].name, name)) return true;
    return false;
}

static void what_is_made_before_the_start_is_part_of_the_program(void **unused) {
    (void)unused;
    fixture f = elaborated(counters);
    assert_false(f.p->elaboration.pending);
    assert_int_equal(f.p->threads.size, 4);
    assert_string_equal(f.p->threads.data[1].name, "top.x.tick");
    assert_string_equal(f.p->threads.data[2].name, "top.y.tick");
    assert_string_equal(f.p->threads.data[3].name, "top.drive");
    assert_true(f.p->threads.data[1].dont_initialize);
    assert_false(f.p->threads.data[3].dont_initialize);
    assert_int_equal(f.p->threads.data[1].sensitivity_count, 1);
    assert_int_equal(f.p->threads.data[3].sensitivity_count, 0);
    assert_int_equal(f.p->threads.data[1].sensitivity[0], f.p->threads.data[2].sensitivity[0]);
    assert_int_equal(f.p->updates.size, 3);
    assert_string_equal(f.p->updates.data[0].name, "top.clk");
    assert_true(has_event(f.p, "top.done"));
    release(&f);
}

/* Pointers lead to fixed objects and what nobody writes is known, so independence shows. */
static void processes_of_separate_modules_are_independent(void **unused) {
    (void)unused;
    fixture f = elaborated(counters);
    analyses *all = analyses_create(f.p);
    const segments *s = analyses_segments(all, false);
    for (uint32_t i = 0; i < s->list.size; i++)
        for (uint32_t j = 0; j < s->list.size; j++) {
            assert_false(s->list.data[i].catch_all);
            uint32_t one = s->list.data[i].thread, other = s->list.data[j].thread;
            if (one == 1 && other == 2) assert_false(segment_row(s, s->dependent, i)[j / 64] >> j % 64 & 1);
        }
    analyses_destroy(all);
    release(&f);
}

/* Always the first thread that can run, and the first way its step can go. */
static step_end run_to_end(const program *p, const char **reason) {
    terms *c = terms_create();
    solver *solve = solver_create(c, NULL);
    machine *m = machine_create(p, c, solve, NULL);
    state *s = machine_initial(m, 0);
    step_end end = STEP_STOPPED;
    transitions enabled = {0};
    machine_enabled(m, s, &enabled);
    while (end == STEP_STOPPED && enabled.size) {
        successors list = {0};
        step_options plain = {0};
        machine_step(m, s, enabled.data[0], &plain, &list);
        assert_true(list.size > 0);
        end = list.data[0].end;
        *reason = reason_words(list.data[0].why);
        state *next = state_share(list.data[0].to);
        state_release(m, s);
        s = next;
        successors_free(m, &list);
        if (end == STEP_STOPPED) machine_enabled(m, s, &enabled);
    }
    vec_free(&enabled);
    state_release(m, s);
    machine_destroy(m);
    solver_destroy(solve);
    terms_destroy(c);
    return end;
}

static void main_goes_on_behind_the_simulation(void **unused) {
    (void)unused;
    const char *reason = NULL;
    fixture f = elaborated(counters);
    assert_int_equal(run_to_end(f.p, &reason), STEP_FINISHED);
    release(&f);
    f = elaborated(HEADER
                   "SC_MODULE(M) { int n = 0; void f() { n = n + 1; } SC_CTOR(M) { SC_THREAD(f); } };\n"
                   "int sc_main(int, char **) { int k = 1; M *m = new M(\"m\"); sc_start();\n"
                   "    k += m->n; assert(k == 3); delete m; return 0; }\n");
    assert_int_equal(run_to_end(f.p, &reason), STEP_VIOLATION);
    release(&f);
    f = elaborated(HEADER "SC_MODULE(M) { int n = 0; void f() { for (;;) { n++; wait(1, SC_NS); } }\n"
                          "    SC_CTOR(M) { SC_THREAD(f); } };\n"
                          "int sc_main(int, char **) { M m(\"m\"); for (int k = 1; k < 4; k++) {\n"
                          "    sc_start(10, SC_NS); assert(m.n == 10 * k); } return 0; }\n");
    assert_int_equal(run_to_end(f.p, &reason), STEP_FINISHED);
    release(&f);
}

/* A process that is not initialised waits from the beginning: who notifies its event lets it run. */
static void a_process_that_waits_at_first_can_be_woken(void **unused) {
    (void)unused;
    fixture f = elaborated(HEADER "SC_MODULE(M) { sc_event e; int x = 0; void late() { x = 1; }\n"
                                  "    void wakes() { e.notify(); }\n"
                                  "    SC_CTOR(M) { SC_THREAD(late); sensitive << e; dont_initialize();\n"
                                  "        SC_THREAD(wakes); } };\n"
                                  "int sc_main(int, char **) { M m(\"m\"); sc_start(); return 0; }\n");
    analyses *all = analyses_create(f.p);
    const segments *s = analyses_segments(all, false);
    bool woken = false;
    for (uint32_t i = 0; i < s->list.size; i++)
        for (uint32_t j = 0; j < s->list.size; j++)
            woken |= s->list.data[i].thread == 2 && s->list.data[j].thread == 1 &&
                     segment_row(s, s->can_enable, i)[j / 64] >> j % 64 & 1;
    assert_true(woken);
    analyses_destroy(all);
    release(&f);
}

static void what_frames_hold_ends_with_them(void **unused) {
    (void)unused;
    const char *reason = NULL;
    fixture f =
        elaborated(HEADER "SC_MODULE(M) { SC_CTOR(M) {} }; int *kept;\n"
                          "void build_and_run() { int local = 1; kept = &local; M m(\"m\"); sc_start();\n"
                          "    assert(*kept == 1); }\n"
                          "int sc_main(int, char **) { build_and_run(); return *kept; }\n");
    assert_false(f.p->elaboration.pending);
    assert_int_equal(run_to_end(f.p, &reason), STEP_VIOLATION);
    release(&f);
}

static void a_design_that_depends_on_addresses_is_not_elaborated(void **unused) {
    (void)unused;
    fixture f =
        elaborated(HEADER "#include <functional>\n"
                          "SC_MODULE(M) { int n; SC_CTOR(M) {} };\n"
                          "int sc_main(int, char **) { M *a = new M(\"a\"), *b = new M(\"b\");\n"
                          "    a->n = b->n = 0; (std::less<M *>()(a, b) ? a : b)->n = 1; sc_start();\n"
                          "    return 0; }\n");
    assert_true(f.p->elaboration.pending);
    release(&f);
}

#define INPUTS  "extern \"C\" int __VERIFIER_nondet_int(void); extern \"C\" void __VERIFIER_assume(int);\n"
#define COUNTER "SC_MODULE(M) { int n = 0; void f() { n++; } SC_CTOR(M) { SC_THREAD(f); } };\n"

/* main draws them again, ahead of the simulation. */
static void inputs_before_the_start_are_numbers_that_main_draws(void **unused) {
    (void)unused;
    const char *reason = NULL;
    fixture f = elaborated(HEADER INPUTS COUNTER
                           "int sc_main(int, char **) { M m(\"m\"); int from = __VERIFIER_nondet_int();\n"
                           "    __VERIFIER_assume(from > 3 && from < 100); m.n = from * 2;\n"
                           "    sc_start(); assert(m.n == from * 2 + 1 && from > 3); return 0; }\n");
    assert_false(f.p->elaboration.pending);
    assert_int_equal(f.p->threads.size, 2);
    assert_int_equal(run_to_end(f.p, &reason), STEP_FINISHED);
    release(&f);
}

/* Ways that differ in numbers only become one, and the number is that of the right way. */
static void ways_with_different_numbers_are_joined(void **unused) {
    (void)unused;
    const char *reason = NULL;
    fixture f = elaborated(HEADER INPUTS COUNTER
                           "int sc_main(int, char **) { M m(\"m\"); int x = __VERIFIER_nondet_int();\n"
                           "    if (x > 5) m.n = 10; else if (x < -5) m.n = 20; else m.n = x;\n"
                           "    sc_start(); int n = m.n - 1;\n"
                           "    assert(n == 10 ? x > 5 : n == 20 ? x < -5 : n == x); return 0; }\n");
    assert_false(f.p->elaboration.pending);
    assert_int_equal(run_to_end(f.p, &reason), STEP_FINISHED);
    release(&f);
}

static void a_hierarchy_that_depends_on_inputs_is_not_elaborated(void **unused) {
    (void)unused;
    const char *reason = NULL;
    fixture f =
        elaborated(HEADER INPUTS COUNTER
                   "int sc_main(int, char **) { M m(\"m\"); if (__VERIFIER_nondet_int()) new M(\"n\");\n"
                   "    sc_start(); return 0; }\n");
    assert_true(f.p->elaboration.pending);
    assert_int_equal(f.p->threads.size, 1);
    assert_int_equal(run_to_end(f.p, &reason), STEP_LIMIT);
    assert_string_equal(reason, "elaboration depends on inputs or addresses");
    release(&f);
}

/* However much is done before. */
static void what_is_not_modelled_before_the_start_is_named(void **unused) {
    (void)unused;
    const char *reason = NULL;
    fixture f = elaborated(
        HEADER COUNTER "#include <cstdio>\n"
                       "int sc_main(int, char **) { M m(\"m\");\n"
                       "    for (volatile int k = 0; k < 300000; k++) {}\n"
                       "    FILE *file = fopen(\"numbers\", \"r\"); sc_start(); return file != nullptr; }\n");
    assert_int_equal(run_to_end(f.p, &reason), STEP_LIMIT);
    assert_non_null(strstr(reason, "fopen"));
    release(&f);
}

/* Given inputs may lead further: what main does is not replaced by where it ends with unknown ones. */
static void what_only_unknown_inputs_prevent_is_left_to_those_who_know_them(void **unused) {
    (void)unused;
    const char *reason = NULL;
    fixture f = elaborated(HEADER INPUTS "int sc_main(int, char **) { double d = __VERIFIER_nondet_int();\n"
                                         "    return d * 2.0 > 5.0; }\n");
    assert_true(f.p->elaboration.pending);
    assert_int_equal(run_to_end(f.p, &reason), STEP_LIMIT);
    assert_string_equal(reason, "unknown floating point number");
    release(&f);
}

static void what_goes_wrong_before_the_start_is_a_violation(void **unused) {
    (void)unused;
    const char *reason = NULL;
    fixture f = elaborated(HEADER "SC_MODULE(M) { sc_in<bool> p{\"p\"}; SC_CTOR(M) {} };\n"
                                  "int sc_main(int, char **) { M m(\"m\"); sc_start(); return 0; }\n");
    assert_true(f.p->elaboration.pending);
    assert_int_equal(run_to_end(f.p, &reason), STEP_VIOLATION);
    release(&f);
}

static bool has_catch_all(const char *source) {
    fixture f = elaborated(source);
    analyses *all = analyses_create(f.p);
    const segments *s = analyses_segments(all, false);
    bool found = false;
    for (uint32_t i = 0; i < s->list.size; i++) found |= s->list.data[i].catch_all;
    analyses_destroy(all);
    release(&f);
    return found;
}

/* A write of main's through an unknown pointer may change what processes call, unless nothing
 * runs any more. */
static void what_main_does_behind_its_last_simulation_concerns_nobody(void **unused) {
    (void)unused;
#define DESIGN                                                                                               \
    HEADER "extern \"C\" int __VERIFIER_nondet_int(void);\n"                                                 \
           "SC_MODULE(M) { int n = 0; void f() { n++; } SC_CTOR(M) { SC_METHOD(f); } };\n"                   \
           "int a, b; int *any[] = {&a, &b};\n"                                                              \
           "void spoil() { *any[__VERIFIER_nondet_int() & 1] = 1; }\n"
    assert_false(has_catch_all(DESIGN "int sc_main(int, char **) { M m(\"m\"); sc_start(1, SC_NS);\n"
                                      "    sc_start(1, SC_NS); spoil(); return 0; }\n"));
    assert_false(has_catch_all(DESIGN
                               "void twice() { for (int k = 0; k < 2; k++) sc_start(1, SC_NS); }\n"
                               "int sc_main(int, char **) { M m(\"m\"); twice(); spoil(); return 0; }\n"));
    assert_true(has_catch_all(DESIGN "int sc_main(int, char **) { M m(\"m\"); sc_start(1, SC_NS); spoil();\n"
                                     "    sc_start(1, SC_NS); return 0; }\n"));
    assert_true(has_catch_all(DESIGN "void again(void (*f)()) { f(); sc_start(1, SC_NS); }\n"
                                     "int sc_main(int, char **) { M m(\"m\"); sc_start(1, SC_NS);\n"
                                     "    again(spoil); return 0; }\n"));
#undef DESIGN
}

static void cells_are_known_until_somebody_writes_them(void **unused) {
    (void)unused;
    fixture f =
        elaborated(HEADER "SC_MODULE(M) { int kept = 5, written = 6; void f() { written++; }\n"
                          "    SC_CTOR(M) { SC_THREAD(f); } };\n"
                          "M *m; int sc_main(int, char **) { m = new M(\"m\"); sc_start(); return 0; }\n");
    analyses *all = analyses_create(f.p);
    const segments *s = analyses_segments(all, false);
    assert_non_null(s->still);
    uint32_t design = NO_INDEX;
    for (uint32_t k = 0; k < f.p->objects.size; k++)
        if (!strcmp(f.p->objects.data[k].name, "m") && f.p->objects.data[k].heap) design = k;
    assert_int_not_equal(design, NO_INDEX);
    unsigned fives = 0, sixes = 0;
    uint32_t bytes = f.p->objects.data[design].count * f.p->objects.data[design].shape->stride;
    for (uint32_t at = 0; at + 4 <= bytes; at += 4) {
        known v = still_load(s->still, known_address(design, at), 32);
        fives += v.is == KNOWN_NUMBER && v.number == 5;
        sixes += v.is == KNOWN_NUMBER && v.number == 6;
    }
    assert_int_equal(fives, 1);
    assert_int_equal(sixes, 0);
    analyses_destroy(all);
    release(&f);
}

/* Not at once: there is something to tell by then. */
static bool is_enough(void *asked) {
    enum { ENOUGH = 50 };
    return ++*(int *)asked > ENOUGH;
}

static void what_takes_too_long_before_the_start_is_named(void **unused) {
    (void)unused;
    fixture f = translate_files(".cpp",
                                HEADER "int sc_main(int, char **) { volatile int z = 0;\n"
                                       "    for (long i = 0; i < 100000000000; i++) z = z + 1;\n"
                                       "    sc_start(); return 0; }\n",
                                NULL, (llvm_options){.check_reach = true});
    int asked = 0;
    elaborate(f.p, false, is_enough, &asked);
    assert_true(f.p->elaboration.pending);
    assert_non_null(f.p->elaboration.busy);
    assert_non_null(strstr(f.p->elaboration.busy, "elaborating the design: 1 thread; of "));
    assert_non_null(strstr(f.p->elaboration.busy, ":5:"));
    release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_made_before_the_start_is_part_of_the_program),
        cmocka_unit_test(processes_of_separate_modules_are_independent),
        cmocka_unit_test(main_goes_on_behind_the_simulation),
        cmocka_unit_test(a_process_that_waits_at_first_can_be_woken),
        cmocka_unit_test(what_frames_hold_ends_with_them),
        cmocka_unit_test(a_design_that_depends_on_addresses_is_not_elaborated),
        cmocka_unit_test(inputs_before_the_start_are_numbers_that_main_draws),
        cmocka_unit_test(ways_with_different_numbers_are_joined),
        cmocka_unit_test(a_hierarchy_that_depends_on_inputs_is_not_elaborated),
        cmocka_unit_test(what_is_not_modelled_before_the_start_is_named),
        cmocka_unit_test(what_takes_too_long_before_the_start_is_named),
        cmocka_unit_test(what_only_unknown_inputs_prevent_is_left_to_those_who_know_them),
        cmocka_unit_test(what_goes_wrong_before_the_start_is_a_violation),
        cmocka_unit_test(cells_are_known_until_somebody_writes_them),
        cmocka_unit_test(what_main_does_behind_its_last_simulation_concerns_nobody),
    };
    return cmocka_run_group_tests_name("elaborate", tests, NULL, NULL);
}
