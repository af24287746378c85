/* The order of Accellera's simulator. What is expected follows from its sources (sc_runnable,
 * sc_event::trigger, sc_ppq, sc_prim_channel_registry), rule by rule. */
#include "core_fixture.h"

#include "machine/output.h"
#include "simulator/simulator_run.h"

/* The processes that run, as a walk; `methods` names those that are method processes, `reset` those that the
 * first event resets. */
static void check_resets(const char *source, const char *methods, const char *reset, bool by_port,
                         const char *wanted) {
    fixture f = fixture_open(source);
    const process_reset by_first = {0, by_port};
    for (size_t t = 1; t < f.p->threads.size; t++) {
        thread_info *info = &f.p->threads.data[t];
        info->is_method = strstr(methods, info->name) != NULL;
        info->resets = &by_first;
        info->reset_count = strstr(reset, info->name) != NULL;
    }
    valuation *inputs = valuation_create();
    simulator_request how = {.stimulus = "", .steps = 1000};
    simulator_run run;
    simulator_run_design(f.m, &how, inputs, &run);
    text said = {0};
    for (size_t k = 0; k < run.path.size; k++) {
        uint32_t t = run.path.data[k].by.thread;
        if (t && t != MACHINE_KERNEL)
            text_format(&said, "%s%s", said.size ? " " : "", f.p->threads.data[t].name);
    }
    if (run.end != SIMULATOR_ENDS)
        text_format(&said, " (%s)", run.why.kind ? reason_words(run.why) : "fails");
    assert_string_equal(text_cstr(&said), wanted);
    text_free(&said);
    simulator_run_free(&run);
    valuation_destroy(inputs);
    fixture_close(&f);
}

static void check_order(const char *source, const char *methods, const char *wanted) {
    check_resets(source, methods, "", false, wanted);
}

static void methods_run_before_threads(void **unused) {
    (void)unused;
    const char *source = "int x; thread A{x = 1;} thread B{x = 2;} thread C{x = 3;}";
    check_order(source, "", "A B C");
    check_order(source, "B", "B A C");
    check_order(source, "B C", "B C A");
}

/* A method that a thread wakes waits until the threads that can run have run. */
static void queues_are_emptied_in_turns(void **unused) {
    (void)unused;
    const char *source = "int x; event e; thread M{wait e; x = 1;} thread A{notify e;} thread B{x = 2;}";
    check_order(source, "M", "M A B M");
    check_order(source, "", "M A B M");
}

/* The first of those that wait leaves its place to the last. */
static void waiting_processes_leave_as_from_a_vector(void **unused) {
    (void)unused;
    check_order("event e; thread A{wait e;} thread B{wait e;} thread C{wait e;} thread N{notify e;}", "",
                "A B C N A C B");
}

static void last_delta_notification_comes_first(void **unused) {
    (void)unused;
    check_order("event e, f; thread A{wait e;} thread B{wait f;} thread N{notify e, 0; notify f, 0;}", "",
                "A B N B A");
    check_order("event e, f; thread A{wait e;} thread B{wait f;} thread N{notify f, 0; notify e, 0;}", "",
                "A B N A B");
}

/* The heap of timed notifications gives the first of two equal times first, then that which
 * took its place. */
static void equal_times_come_out_of_a_heap(void **unused) {
    (void)unused;
    check_order("thread A{wait_time 5;} thread B{wait_time 5;} thread C{wait_time 5;}", "", "A B C A C B");
    check_order("thread A{wait_time 5;} thread B{wait_time 3;} thread C{wait_time 4;}", "", "A B C B C A");
}

/* In front of the threads, the last of the signal's list first; methods come before. */
static void what_is_reset_comes_first(void **unused) {
    (void)unused;
    const char *source = "event e, f; update u{notify e, 0; notify f, 0;} thread A{wait f;} thread B{wait e;}"
                         "thread C{wait e;} thread N{request_update u;}";
    check_resets(source, "", "", false, "A B C N A B C");
    check_resets(source, "", "C", false, "A B C N C A B");
    check_resets(source, "", "B C", false, "A B C N C B A");
    check_resets(source, "", "B C", true, "A B C N B C A");
    check_resets(source, "A", "B C", false, "A B C N A C B");
}

/* The simulator runs a method at once, and lists are in another order when one of them has ended. */
static void resets_that_are_not_followed(void **unused) {
    (void)unused;
    const char *lost = "B C N (the order of the simulator is not known here)";
    check_resets("event e; update u{notify e, 0;} thread B{wait e;} thread C{wait e;}"
                 "thread N{request_update u;}",
                 "B", "B", false, lost);
    check_resets("event e; update u{notify e, 0;} thread B{wait e;} thread C{wait e;}"
                 "thread D{} thread N{request_update u;}",
                 "", "B C D", false, "B C D N (the order of the simulator is not known here)");
    check_resets("event e; update u{notify e, 0;} thread B{wait e;} thread C{wait e;}"
                 "thread D{} thread N{request_update u;}",
                 "", "C D", false, "B C D N C B");
}

static void last_requested_update_comes_first(void **unused) {
    (void)unused;
    check_order(
        "event e, f; update u{notify e, 0;} update v{notify f, 0;} thread A{wait e;} thread B{wait f;}"
        "thread N{request_update u; request_update v;}",
        "", "A B N A B");
    check_order(
        "event e, f; update u{notify e, 0;} update v{notify f, 0;} thread A{wait e;} thread B{wait f;}"
        "thread N{request_update v; request_update u;}",
        "", "A B N B A");
}

static void who_is_suspended_is_not_queued(void **unused) {
    (void)unused;
    check_order("event e; thread A{wait e;} thread B{suspend A;} thread C{wait e;}", "", "A B C");
    check_order("event e; thread A{wait e;} thread B{suspend A; notify e;} thread C{wait e;}", "", "A B C");
}

static void inputs_are_taken_by_name(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x; thread A{x = ?(int); assert x != 7;}");
    const char *name = f.p->inputs.data[0].name;
    for (unsigned value = 6; value <= 7; value++) {
        char stimulus[80];
        snprintf(stimulus, sizeof stimulus, "other 9\n%s %u # first\n", name, value);
        valuation *inputs = valuation_create();
        simulator_request how = {.stimulus = stimulus, .steps = 1000};
        simulator_run run;
        simulator_run_design(f.m, &how, inputs, &run);
        assert_int_equal(run.end, value == 7 ? SIMULATOR_FAILS : SIMULATOR_ENDS);
        simulator_run_free(&run);
        valuation_destroy(inputs);
    }
    fixture_close(&f);
}

/* --- what is printed ------------------------------------------------------------------------------------ */

static value number(fixture *f, unsigned width, uint64_t n) {
    return (value){term_const(f->c, width, n), 0};
}

static void print(fixture *f, output *o, print_form form, uint64_t a, uint64_t b) {
    value given[] = {number(f, 64, a), number(f, 64, b)};
    output_print(o, NULL, form, given, 2);
}

static void streams_show_numbers_as_asked(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x; thread A{x = 1;}");
    output o = output_create(f.m);
    double half = 2.5;
    uint64_t bits;
    memcpy(&bits, &half, sizeof bits);
    print(&f, &o, PRINT_SIGNED, (uint64_t)-3, 0xfffffffd);
    print(&f, &o, PRINT_SETTING, PRINT_WIDTH, 5);
    print(&f, &o, PRINT_UNSIGNED, 42, 0);
    print(&f, &o, PRINT_CHARACTER, '|', 0);
    print(&f, &o, PRINT_SETTING, PRINT_CLEAR_FLAGS, PRINT_DEC);
    print(&f, &o, PRINT_SETTING, PRINT_SET_FLAGS, PRINT_HEX | PRINT_SHOWBASE);
    print(&f, &o, PRINT_SIGNED, (uint64_t)-1, 0xffff);
    print(&f, &o, PRINT_CHARACTER, ' ', 0);
    print(&f, &o, PRINT_FLOATING, bits, 0);
    print(&f, &o, PRINT_CHARACTER, ' ', 0);
    print(&f, &o, PRINT_TIME, 1500, 1000);
    print(&f, &o, PRINT_CHARACTER, ' ', 0);
    print(&f, &o, PRINT_BOOL, 1, 0);
    assert_string_equal(text_cstr(&o.printed), "-3   42|0xffff 2.5 1500 ps 0x1");
    output_free(&o);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_run_before_threads),
        cmocka_unit_test(queues_are_emptied_in_turns),
        cmocka_unit_test(waiting_processes_leave_as_from_a_vector),
        cmocka_unit_test(last_delta_notification_comes_first),
        cmocka_unit_test(equal_times_come_out_of_a_heap),
        cmocka_unit_test(what_is_reset_comes_first),
        cmocka_unit_test(resets_that_are_not_followed),
        cmocka_unit_test(last_requested_update_comes_first),
        cmocka_unit_test(who_is_suspended_is_not_queued),
        cmocka_unit_test(inputs_are_taken_by_name),
        cmocka_unit_test(streams_show_numbers_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
