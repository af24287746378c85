/* Traces, text, JSON, vacuity: what a user reads about a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend/ivl/ivl.h"
#include "machine/setup.h"
#include "report/formats/formats.h"
#include "report/json_text.h"
#include "report/report.h"
#include "report/trace/value.h"
#include "search/search.h"

/* --- a small laboratory --------------------------------------------------------------------------------- */

typedef struct lab {
    program *program;
    terms *terms;
    solver *solver;
    machine *machine;
    outcome result;
    trace traces[4];
    report report;
} lab;

static void explore(lab *l, const char *source, explore_options how) {
    diagnostics d = {.file = "m.ivl"};
    *l = (lab){.program = ivl_compile("m.ivl", source, strlen(source), NULL, 0, &d)};
    assert_non_null(l->program);
    diag_free(&d);
    l->terms = terms_create();
    l->solver = solver_create(l->terms, NULL);
    l->machine = machine_create(l->program, l->terms, l->solver, NULL);
    search_run(l->machine, &how, &l->result);
    assert_true(l->result.violations.size <= 4);
    for (size_t i = 0; i < l->result.violations.size; i++) {
        const violation *v = &l->result.violations.data[i];
        trace_request wanted = {.path = &v->path, .stops = how.stops, .inputs = v->inputs};
        wanted.end = v->kind == VIOLATION_CHECK ? ENDS_IN_CHECK : ENDS_IN_DEADLOCK;
        if (v->kind == VIOLATION_CHECK) wanted.violated = *machine_check(l->machine, v->check);
        trace_build(l->machine, &wanted, &l->traces[i]);
    }
    l->report = (report){.version = "0.0.0",
                         .command = "check",
                         .file = "m.ivl",
                         .result = &l->result,
                         .trace = l->result.violations.size ? &l->traces[0] : NULL,
                         .counters = {.explorer = l->result.stats},
                         .options = json_object(),
                         .bounds = json_object()};
    report_list_properties(&l->report, l->machine, how.properties, l->traces);
    report_write_notes(&l->report, l->machine);
}

static void leave(lab *l) {
    report_free(&l->report);
    for (size_t i = 0; i < 4; i++) trace_free(&l->traces[i]);
    outcome_free(&l->result);
    machine_destroy(l->machine);
    solver_destroy(l->solver);
    terms_destroy(l->terms);
    program_destroy(l->program);
}

static void verify(lab *l, const char *source) {
    explore(l, source, explore_default_options());
}

/* The step number `n` (from 1) of the trace. */
static const trace_step *step(const lab *l, size_t n) {
    assert_true(n <= l->traces[0].steps.size);
    return &l->traces[0].steps.data[n - 1];
}

static void expect_change(const trace_step *s, const char *name, const char *before, const char *after) {
    for (size_t i = 0; i < s->changes.size; i++) {
        const trace_change *c = &s->changes.data[i];
        if (strcmp(c->name, name)) continue;
        if (before)
            assert_string_equal(c->before, before);
        else
            assert_null(c->before);
        assert_string_equal(c->after, after);
        return;
    }
    fail_msg("no change of %s", name);
}

static bool is_listed(char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return true;
    return false;
}

static char *print_report(const lab *l, text_style style) {
    text out = {0};
    report_print_text(&l->report, style, &out);
    char *result = mem_copy_string(text_cstr(&out));
    text_free(&out);
    return result;
}

/* --- traces --------------------------------------------------------------------------------------------- */

static const char handshake[] = "event go;\n"
                                "int x = 0, y = 0;\n"
                                "thread A { wait go; y = x + 1; wait_time 5; assert y != 8; }\n"
                                "thread B { x = ?(int); assume x == 7; notify go, 0; }\n"
                                "main { start; }\n";

static void trace_tells_who_did_what(void **unused) {
    (void)unused;
    lab l;
    verify(&l, handshake);
    assert_int_equal(outcome_verdict(l.report.result), VERDICT_UNSAFE);
    const trace *t = &l.traces[0];
    assert_true(t->followed);
    assert_string_equal(step(&l, 1)->thread, "main");
    assert_string_equal(step(&l, 1)->phase, "main");
    assert_true(is_listed(step(&l, 1)->woken.data, step(&l, 1)->woken.size, "B"));

    /* The order of the first two is the explorer's choice. */
    size_t b = strcmp(step(&l, 2)->thread, "B") ? 3 : 2;
    const trace_step *a = step(&l, b == 2 ? 3 : 2);
    assert_string_equal(a->thread, "A");
    assert_int_equal(a->from.line, 3);
    assert_true(is_listed(a->waits.data, a->waits.size, "go"));
    assert_string_equal(step(&l, b)->thread, "B");
    expect_change(step(&l, b), "x", "0", "7");
    assert_int_equal(step(&l, b)->inputs.size, 1);
    assert_string_equal(step(&l, b)->inputs.data[0].value, "7");
    assert_int_equal(step(&l, b)->inputs.data[0].at.line, 4);
    assert_true(is_listed(step(&l, b)->notified.data, step(&l, b)->notified.size, "go"));
    assert_true(step(&l, b)->thread_ended);

    assert_string_equal(step(&l, 4)->thread, "scheduler");
    assert_true(is_listed(step(&l, 4)->woken.data, step(&l, 4)->woken.size, "A"));
    expect_change(step(&l, 5), "y", "0", "8");
    assert_true(is_listed(step(&l, 5)->waits.data, step(&l, 5)->waits.size, "time 5"));
    assert_int_equal(step(&l, 5)->delta, 1);
    const trace_step *last = step(&l, t->steps.size);
    assert_string_equal(last->thread, "A");
    assert_int_equal(last->time, 5);
    assert_int_equal(last->to.line, 3);

    assert_int_equal(t->values.size, 1);
    assert_string_equal(t->values.data[0].name, "y");
    assert_string_equal(t->values.data[0].value, "8");
    leave(&l);
}

static void trace_shows_values_as_they_are_meant(void **unused) {
    (void)unused;
    lab l;
    verify(
        &l,
        "struct pair { short low; bool flag; }\n"
        "i8 s; u8 u; bool b; char c; pair p[2]; int *q = null; pair *r = null; int a[3];\n"
        "main { s = -1; u = 255; b = true; c = 'x'; p[1].low = -2; p[1].flag = true; q = &a[2]; r = &p[1];\n"
        "       r = r; assert false; }\n");
    const trace_step *s = step(&l, l.traces[0].steps.size);
    expect_change(s, "s", "0", "-1");
    expect_change(s, "u", "0", "255");
    expect_change(s, "b", "false", "true");
    expect_change(s, "c", "0", "120 'x'");
    expect_change(s, "p[1].low", "0", "-2");
    expect_change(s, "p[1].flag", "false", "true");
    expect_change(s, "q", "null", "&a[2]");
    expect_change(s, "r", "null", "&p[1]");
    leave(&l);
}

static void trace_follows_heap_and_locals(void **unused) {
    (void)unused;
    lab l;
    verify(&l,
           "struct node { int value; node *next; }\n"
           "node *head = null; event never;\n"
           "thread T { int i = 3; node *n = new node; n->value = i; n->next = head; head = n; wait_time 1;\n"
           "           delete head; head = null; i = i + 1; wait_time 1; assert i != 4; }\n"
           "main { start; }\n");
    const trace_step *first = step(&l, 2);
    expect_change(first, "head", "null", "&new1");
    expect_change(first, "new1.value", NULL, "3");
    expect_change(first, "n", NULL, "&new1");
    expect_change(first, "i", NULL, "3");
    const trace_step *second = step(&l, 4);
    expect_change(second, "new1", "allocated", "freed");
    expect_change(second, "head", "&new1", "null");
    expect_change(second, "i", "3", "4");
    assert_string_equal(l.traces[0].values.data[0].name, "i");
    leave(&l);
}

static void trace_lists_every_cell_of_an_array_input(void **unused) {
    (void)unused;
    lab l;
    verify(&l, "main { int a[2] = ?(int[2]); assert a[0] != 5 || a[1] != 6; }");
    const trace_step *s = step(&l, 1);
    assert_int_equal(s->inputs.size, 2);
    assert_string_equal(s->inputs.data[0].value, "5");
    assert_string_equal(s->inputs.data[1].value, "6");
    assert_string_equal(l.traces[0].values.data[0].name, "a[0]");
    assert_string_equal(l.traces[0].values.data[1].value, "6");
    leave(&l);
}

/* Inputs of the same thread and count that come from different places on different paths must not
 * be mixed up. */
static void trace_names_the_input_of_its_own_path(void **unused) {
    (void)unused;
    lab l;
    verify(&l, "int p = ?(int);\n"
               "main { if (p == 1) { int first = ?(int); p = first; } else { int second = ?(int); assert "
               "second != 9; } }");
    const trace_step *s = step(&l, 1);
    assert_int_equal(s->inputs.size, 2);
    assert_string_equal(s->inputs.data[1].name, "second");
    assert_string_equal(s->inputs.data[1].value, "9");
    leave(&l);
}

/* Where the explorer stops inside a step does not show: a step of the trace still ends at a
 * scheduling point. */
static void stops_at_loop_heads_do_not_show(void **unused) {
    (void)unused;
    static const char source[] =
        "int x = 0; event e;\n"
        "thread A { int i = 0; while (i < 5) { x = x + ?(int); i = i + 1; } assert x != 3; }\n"
        "main { start; }\n";
    lab plain, stopping;
    explore_options how = explore_default_options();
    explore(&plain, source, how);
    how.stops = STOP_LOOP_HEAD;
    explore(&stopping, source, how);
    assert_true(stopping.result.violations.data[0].path.size > plain.result.violations.data[0].path.size);
    assert_true(stopping.traces[0].followed);
    assert_int_equal(stopping.traces[0].steps.size, plain.traces[0].steps.size);
    assert_int_equal(step(&stopping, 2)->inputs.size, 5);
    expect_change(step(&stopping, 2), "x", "0", "3");
    leave(&plain);
    leave(&stopping);
}

static void local_hides_global_in_a_violated_check(void **unused) {
    (void)unused;
    lab l;
    verify(&l, "int x = 1;\nmain { int x = 2; assert x == 3; }");
    assert_int_equal(l.traces[0].values.size, 1);
    assert_string_equal(l.traces[0].values.data[0].value, "2");
    leave(&l);
}

static void all_violations_have_their_own_trace(void **unused) {
    (void)unused;
    lab l;
    explore_options how = explore_default_options();
    how.all = true;
    explore(&l, "int x = ?(int);\nmain { assert x != 1; assert x != 2; assert x == x; }", how);
    assert_int_equal(l.report.properties.size, 3);
    for (size_t i = 0; i < 2; i++) {
        const property *p = &l.report.properties.data[i];
        assert_int_equal(p->verdict, VERDICT_UNSAFE);
        assert_true(p->trace->followed);
        assert_string_equal(p->trace->values.data[0].value, i ? "2" : "1");
    }
    assert_int_equal(l.report.properties.data[2].verdict, VERDICT_SAFE);
    leave(&l);
}

static void deadlock_names_the_blocked(void **unused) {
    (void)unused;
    lab l;
    explore_options how = explore_default_options();
    how.properties = PROPERTY_DEADLOCK;
    explore(&l, "event e, f;\nthread A { wait e & f; }\nthread B { notify e, 0; }\nmain { start; }", how);
    assert_int_equal(outcome_verdict(l.report.result), VERDICT_UNSAFE);
    assert_int_equal(l.traces[0].blocked.size, 1);
    assert_non_null(strstr(l.traces[0].blocked.data[0], "A waits for e, f"));
    assert_int_equal(l.report.properties.size, 1);
    assert_string_equal(l.report.properties.data[0].kind, "deadlock");
    leave(&l);
}

/* --- verdict lines, vacuity ----------------------------------------------------------------------------- */

static void safe_report(void **unused) {
    (void)unused;
    lab l;
    verify(&l, "int x = 0;\nthread A { x += 1; assert x == 1; }\nmain { start; }");
    assert_int_equal(outcome_verdict(l.report.result), VERDICT_SAFE);
    assert_false(report_is_vacuous(&l.report));
    assert_true(l.report.properties.data[0].reached);
    char *said = print_report(&l, (text_style){0});
    assert_true(!strncmp(said, "safe\n", 5));
    assert_non_null(strstr(said, "1 property holds for every input and every schedule"));
    mem_free(said);
    leave(&l);
}

static void unsafe_report(void **unused) {
    (void)unused;
    lab l;
    verify(&l, handshake);
    char *said = print_report(&l, (text_style){0});
    assert_true(!strncmp(said, "unsafe\n", 7));
    assert_non_null(strstr(said, "Assertion violated: y != 8"));
    assert_non_null(strstr(said, "m.ivl:3:"));
    assert_non_null(strstr(said, "with y = 8"));
    assert_null(strchr(said, '\033'));
    mem_free(said);
    said = print_report(&l, (text_style){.quiet = true});
    assert_string_equal(said, "unsafe\n");
    mem_free(said);
    said = print_report(&l, (text_style){.colour = true});
    assert_non_null(strchr(said, '\033'));
    mem_free(said);
    leave(&l);
}

static void unknown_gives_the_first_reason_with_its_place(void **unused) {
    (void)unused;
    lab l;
    explore_options how = explore_default_options();
    how.max_transitions = 10;
    explore(&l, "int x = 0;\nthread A { while (true) { x = x + 1; wait_time 1; } }\nmain { start; }", how);
    outcome_amend(&l.result,
                  &(amendment){.more = {.why = {REASON_NOT_MODELLED, "second reason"}, .at = {2, 3}}});
    char *said = print_report(&l, (text_style){0});
    assert_true(!strncmp(said, "unknown: transition limit\n", 26));
    assert_non_null(strstr(said, "second reason (m.ivl:2:3)"));
    mem_free(said);
    leave(&l);

    verify(&l, "main { }");
    outcome_amend(&l.result,
                  &(amendment){.more = {.why = {REASON_NOT_MODELLED, "some reason"}, .at = {2, 3}}});
    said = print_report(&l, (text_style){.quiet = true});
    assert_string_equal(said, "unknown: some reason (m.ivl:2:3)\n");
    mem_free(said);
    leave(&l);
}

/* The counterexample stays one; but whoever reads only the verdict must not miss that something is wrong. */
static void an_internal_error_is_one_in_every_format(void **unused) {
    (void)unused;
    lab l;
    verify(&l, handshake);
    l.result.reduction_errors = 1;
    char *said = print_report(&l, (text_style){.quiet = true});
    assert_string_equal(said, "internal error: steps declared independent do not commute\n");
    mem_free(said);
    said = print_report(&l, (text_style){0});
    assert_non_null(strstr(said, "Assertion violated: y != 8"));
    assert_null(strstr(said, "No violation was found"));
    mem_free(said);
    said = report_json(&l.report);
    assert_non_null(strstr(said, "\"verdict\": \"internal error\""));
    assert_non_null(strstr(said, "\"complete\": false"));
    mem_free(said);
    text printed = {0};
    sarif_print(&l.report, &printed);
    assert_non_null(strstr(text_cstr(&printed), "\"executionSuccessful\": false"));
    assert_non_null(strstr(text_cstr(&printed), "\"verdict\": \"internal error\""));
    printed.size = 0;
    junit_print(&l.report, &printed);
    assert_non_null(strstr(text_cstr(&printed), "type=\"internal error\""));
    text_free(&printed);
    leave(&l);
}

static void unreached_properties_are_vacuous(void **unused) {
    (void)unused;
    lab l;
    verify(&l, "int x = 0;\nmain { assert x == 0; if (x == 1) { assert false; } }");
    assert_true(report_is_vacuous(&l.report));
    assert_true(l.report.properties.data[0].reached);
    assert_false(l.report.properties.data[1].reached);
    char *said = print_report(&l, (text_style){0});
    assert_non_null(strstr(said, "note: assertion m.ivl:2:"));
    assert_non_null(strstr(said, "is never reached: false"));
    mem_free(said);
    leave(&l);

    verify(&l, "int x = ?(int);\nmain { assume x < x; assert x == 0; }");
    assert_true(report_is_vacuous(&l.report));
    said = print_report(&l, (text_style){0});
    assert_non_null(strstr(said, "is never reached: x == 0"));
    mem_free(said);
    leave(&l);
}

static void a_program_assumed_away_is_vacuous(void **unused) {
    (void)unused;
    lab l;
    verify(&l, "main { assert true; }");
    assert_false(report_is_vacuous(&l.report));
    l.report.all_assumed_away = true;
    report_write_notes(&l.report, l.machine);
    assert_true(report_is_vacuous(&l.report));
    char *said = print_report(&l, (text_style){0});
    assert_non_null(strstr(said, "every execution ends in a failed assumption"));
    mem_free(said);
    leave(&l);
}

static void notes_stand_beside_the_verdict(void **unused) {
    (void)unused;
    lab l;
    verify(&l, "main { assert true; }");
    report_add_note(&l.report, "race", "data race between %s:%u and %s:%u", "a.c", 3u, "b.c", 5u);
    assert_int_equal(outcome_verdict(l.report.result), VERDICT_SAFE);
    char *said = print_report(&l, (text_style){0});
    assert_true(!strncmp(said, "safe\n", 5));
    assert_non_null(strstr(said, "\nnote: data race between a.c:3 and b.c:5.\n"));
    mem_free(said);
    char *json = report_json(&l.report);
    json_t *object = json_loads(json, 0, NULL);
    json_t *note = json_array_get(json_object_get(object, "notes"), 0);
    assert_string_equal(json_string_value(json_object_get(note, "kind")), "race");
    assert_string_equal(json_string_value(json_object_get(note, "text")),
                        "data race between a.c:3 and b.c:5");
    json_decref(object);
    mem_free(json);
    leave(&l);
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void json_is_complete_and_ordered(void **unused) {
    (void)unused;
    static const char *const keys[] = {"schema",      "verdict",
                                       "reason",      "complete",
                                       "vacuous",     "blocked_at_exit",
                                       "command",     "cached",
                                       "engine",      "por",
                                       "match",       "properties",
                                       "doubts",      "missing_functions",
                                       "notes",       "assumes",
                                       "statistics",  "trace",
                                       "version",     "options",
                                       "inputs",      "bounds",
                                       "attempts",    "svcomp",
                                       "expected",    "simulator_order",
                                       "native",      "certified",
                                       "certificate", "shape"};
    lab l;
    verify(&l, handshake);
    char *first = report_json(&l.report), *second = report_json(&l.report);
    assert_string_equal(first, second);
    json_t *object = json_loads(first, 0, NULL);
    assert_non_null(object);
    size_t n = 0;
    const char *key;
    json_t *member;
    json_object_foreach(object, key, member) {
        assert_string_equal(key, keys[n++]);
    }
    assert_int_equal(n, sizeof keys / sizeof *keys);
    assert_string_equal(json_string_value(json_object_get(object, "verdict")), "unsafe");
    json_t *traced = json_object_get(json_array_get(json_object_get(object, "properties"), 0), "trace");
    assert_true(json_equal(traced, json_object_get(object, "trace")));
    json_decref(object);
    mem_free(first);
    mem_free(second);
    leave(&l);
}

static void counters_have_one_name_each(void **unused) {
    (void)unused;
    counters c = {.explorer = {.transitions = 12, .seconds = 0.5, .peak_memory_bytes = 99},
                  .machine = {.forks = 3},
                  .solver = {.by_sat = 4}};
    for (size_t i = 0; i < counter_count; i++)
        assert_ptr_equal(counter_find(counter_table[i].name), &counter_table[i]);
    assert_float_equal(counter_value(&c, counter_find("transitions")), 12, 0);
    assert_float_equal(counter_value(&c, counter_find("seconds")), 0.5, 0);
    assert_float_equal(counter_value(&c, counter_find("peak_memory_bytes")), 99, 0);
    assert_float_equal(counter_value(&c, counter_find("forks")), 3, 0);
    assert_float_equal(counter_value(&c, counter_find("solver_by_sat")), 4, 0);
    assert_null(counter_find("no such counter"));
}

static void broken_utf8_becomes_valid_json(void **unused) {
    (void)unused;
    static const struct {
        const char *bytes, *text;
    } cases[] = {{"plain", "plain"},
                 {"\xc3\xa4", "\xc3\xa4"},
                 {"a\xff", "a\xef\xbf\xbd"},
                 {"\xc3", "\xef\xbf\xbd"},
                 {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
                 {"\xed\xa0\x80x", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx"},
                 {"\xf0\x9f\x98\x80\xf5", "\xf0\x9f\x98\x80\xef\xbf\xbd"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *j = json_safe_string(cases[i].bytes);
        assert_string_equal(json_string_value(j), cases[i].text);
        json_decref(j);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_tells_who_did_what),
        cmocka_unit_test(trace_shows_values_as_they_are_meant),
        cmocka_unit_test(trace_follows_heap_and_locals),
        cmocka_unit_test(trace_lists_every_cell_of_an_array_input),
        cmocka_unit_test(trace_names_the_input_of_its_own_path),
        cmocka_unit_test(stops_at_loop_heads_do_not_show),
        cmocka_unit_test(local_hides_global_in_a_violated_check),
        cmocka_unit_test(all_violations_have_their_own_trace),
        cmocka_unit_test(deadlock_names_the_blocked),
        cmocka_unit_test(safe_report),
        cmocka_unit_test(unsafe_report),
        cmocka_unit_test(unknown_gives_the_first_reason_with_its_place),
        cmocka_unit_test(an_internal_error_is_one_in_every_format),
        cmocka_unit_test(unreached_properties_are_vacuous),
        cmocka_unit_test(a_program_assumed_away_is_vacuous),
        cmocka_unit_test(notes_stand_beside_the_verdict),
        cmocka_unit_test(json_is_complete_and_ordered),
        cmocka_unit_test(counters_have_one_name_each),
        cmocka_unit_test(broken_utf8_becomes_valid_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
