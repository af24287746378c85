/* Witnesses, SARIF, JUnit and waveforms of results that are made by hand, so that what they must
 * say is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/formats/formats.h"
#include "report/formats/waypoints.h"
#include "report/formats/witness.h"
#include "report/source_text.h"

static const char program_text[] = "int x;\n"                               /* 1 */
                                   "void *t(void *a) {\n"                   /* 2 */
                                   "    x = x + 1;\n"                       /* 3 */
                                   "    while (x < 3)\n"                    /* 4 */
                                   "        x = get(x);\n"                  /* 5 */
                                   "    return a;\n"                        /* 6 */
                                   "}\n"                                    /* 7 */
                                   "int main(void) {\n"                     /* 8 */
                                   "    int n = __VERIFIER_nondet_int();\n" /* 9 */
                                   "    pthread_create(&a, 0, t, 0);\n"     /* 10 */
                                   "    pthread_create(&b,\n"               /* 11 */
                                   "                   0, t, 0);\n"         /* 12 */
                                   "    // a comment; with a semicolon\n"   /* 13 */
                                   "    int k = __VERIFIER_nondet_int(),\n" /* 14 */
                                   "        l = rand();\n"                  /* 15 */
                                   "    reach_error();\n"                   /* 16 */
                                   "}\n";

typedef struct lab {
    trace t;
    outcome result;
    report r;
    report_file file;
    report_task task;
} lab;

static trace_step *add_step(lab *l, const char *thread, uint32_t line, uint32_t depth) {
    trace_step s = {.thread = mem_copy_string(thread), .phase = "run", .depth = depth};
    s.from = (position){line, line ? 5 : 0};
    vec_push(&l->t.steps, s);
    return &vec_last(&l->t.steps);
}

static void add_input(trace_step *s, const char *value, position at, uint32_t moment) {
    trace_input i = {
        .name = mem_copy_string("n"), .value = mem_copy_string(value), .at = at, .moment = moment};
    vec_push(&s->inputs, i);
}

static void add_thread(trace_step *s, const char *name, position at, uint32_t moment) {
    trace_place p = {NULL, mem_copy_string("main"), at, moment};
    vec_push(&s->created, mem_copy_string(name));
    vec_push(&s->created_at, p);
}

static void open_lab(lab *l) {
    *l = (lab){.file = {"p.c", "00ff", sizeof program_text - 1, program_text},
               .task = {"G ! call(reach_error())", "ILP32", true}};
    l->result = (outcome){.complete = true};
    l->r = (report){.version = "1.2.3",
                    .command = "check",
                    .file = "p.c",
                    .result = &l->result,
                    .svcomp = "false(unreach-call)",
                    .task = &l->task,
                    .files = &l->file,
                    .file_count = 1,
                    .text_count = 1};
    l->t.followed = true;
}

/* The result is unsafe: `trace` belongs to its first property. */
static void violate(lab *l) {
    violation v = {.kind = VIOLATION_CHECK, .confirmed = true};
    vec_push(&l->result.violations, v);
    property p = {.kind = "assert",
                  .text = "]]> & <x>",
                  .where = "main",
                  .at = {16, 5},
                  .verdict = VERDICT_UNSAFE,
                  .trace = &l->t};
    vec_push(&l->r.properties, p);
    l->r.trace = &l->t;
    l->t.violated_at = (position){16, 5};
}

static void close_lab(lab *l) {
    trace_free(&l->t);
    vec_free(&l->result.violations);
    vec_free(&l->r.properties);
    outcome_free(&l->result);
}

/* --- places in the text --------------------------------------------------------------------------------- */

static void test_statements(void **unused) {
    (void)unused;
    lab l;
    open_lab(&l);
    static const bool begins[] = {
        [3] = true, [6] = true, [9] = true, [10] = true, [11] = true, [14] = true, [16] = true, [17] = false};
    for (uint32_t line = 1; line < sizeof begins / sizeof *begins; line++)
        if (line != 1 && line != 2 && line != 8)
            assert_int_equal(source_begins_statement(&l.r, "p.c", line), begins[line]);
    assert_false(source_begins_statement(&l.r, "p.c", 99));
    assert_false(source_begins_statement(&l.r, "other.c", 3));
    close_lab(&l);
}

static void test_calls(void **unused) {
    (void)unused;
    lab l;
    open_lab(&l);
    position closing = {0, 0};
    assert_int_equal(source_call(&l.r, "p.c", (position){9, 13}, &closing), strlen("__VERIFIER_nondet_int"));
    assert_int_equal(closing.line, 9);
    assert_int_equal(closing.column, 35);
    assert_int_equal(source_call(&l.r, "p.c", (position){11, 5}, &closing), strlen("pthread_create"));
    assert_int_equal(closing.line, 12);
    assert_int_equal(closing.column, 27);
    assert_int_equal(source_call(&l.r, "p.c", (position){3, 5}, &closing), 0); /* a variable */
    assert_int_equal(source_call(&l.r, "p.c", (position){3, 90}, &closing), 0);
    close_lab(&l);
}

/* --- witnesses ------------------------------------------------------------------------------------------ */

/* Two threads: what is drawn before, between and after their creation, and statements that are begun. */
static void tell_story(lab *l) {
    trace_step *s = add_step(l, "main", 0, 0);
    add_input(s, "-7", (position){9, 13}, 3);
    add_thread(s, "t", (position){10, 5}, 5);
    add_thread(s, "t#2", (position){11, 5}, 8);
    add_input(s, "18446744073709551615", (position){14, 13}, 9);
    add_input(s, "4", (position){15, 13}, 10); /* of rand: nobody can say so in a witness */
    add_step(l, "t", 3, 0);
    add_step(l, "t#2", 3, 0);
    add_step(l, "t", 3, 0);  /* the second operation of the same statement */
    add_step(l, "t", 4, 0);  /* the head of a loop */
    add_step(l, "t", 14, 1); /* as if in get */
    add_step(l, "t", 10, 0); /* back in the middle of who called it */
    add_step(l, "main", 16, 0);
    violate(l);
}

static void test_waypoints(void **unused) {
    (void)unused;
    static const struct {
        waypoint_kind kind;
        uint32_t thread, line, column;
        const char *value;
    } expected[] = {
        {WAYPOINT_RETURN, 0, 9, 35, "-7"},  {WAYPOINT_CREATE, 0, 10, 31, NULL},
        {WAYPOINT_CREATE, 0, 12, 27, NULL}, {WAYPOINT_RETURN, 0, 14, 35, "18446744073709551615U"},
        {WAYPOINT_PASS, 1, 3, 0, NULL},     {WAYPOINT_PASS, 2, 3, 0, NULL},
        {WAYPOINT_PASS, 1, 14, 0, NULL},    {WAYPOINT_PASS, 0, 16, 0, NULL},
        {WAYPOINT_TARGET, 0, 16, 5, NULL},
    };
    lab l;
    waypoints w;
    open_lab(&l);
    tell_story(&l);
    assert_true(waypoints_collect(&l.r, &w));
    assert_true(w.concurrent);
    assert_int_equal(w.list.size, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < w.list.size; i++) {
        assert_int_equal(w.list.data[i].kind, expected[i].kind);
        assert_int_equal(w.list.data[i].thread, expected[i].thread);
        assert_int_equal(w.list.data[i].at.line, expected[i].line);
        assert_int_equal(w.list.data[i].at.column, expected[i].column);
        if (expected[i].value) assert_string_equal(w.list.data[i].value, expected[i].value);
    }
    assert_int_equal(w.list.data[1].created, 1);
    assert_int_equal(w.list.data[2].created, 2);
    assert_string_equal(w.list.data[2].called, "t");
    waypoints_free(&w);
    close_lab(&l);
}

static void expect_contains(const text *out, const char *part) {
    if (!strstr(text_cstr(out), part)) fail_msg("no %s in\n%s", part, text_cstr(out));
}

static void test_race_has_two_targets_in_one_segment(void **unused) {
    (void)unused;
    lab l;
    text out = {0};
    open_lab(&l);
    tell_story(&l);
    trace_access a = {1, mem_copy_string("t"), mem_copy_string("x"), "writes", NULL, {3, 9}, {0}, 0};
    trace_access b = {2, mem_copy_string("t#2"), mem_copy_string("x"), "reads", NULL, {3, 9}, {0}, 0};
    vec_push(&l.t.race, a);
    vec_push(&l.t.race, b);
    witness_stamp stamp = witness_make_stamp(&l.r, true);
    assert_null(witness_yaml(&l.r, &stamp, &out));
    expect_contains(&out, "format_version: \"2.2\"");
    const char *last = text_cstr(&out), *found;
    while ((found = strstr(last, "- segment:"))) last = found + 1;
    size_t targets = 0;
    while ((found = strstr(last, "type: target"))) {
        targets++;
        last = found + 1;
    }
    assert_int_equal(targets, 2);
    text_free(&out);
    close_lab(&l);
}

static void test_witness_of_one_thread(void **unused) {
    (void)unused;
    lab l;
    text out = {0};
    open_lab(&l);
    add_input(add_step(&l, "main", 0, 0), "5", (position){9, 13}, 0);
    violate(&l);
    witness_stamp stamp = witness_make_stamp(&l.r, true), again = witness_make_stamp(&l.r, true);
    assert_string_equal(stamp.uuid, again.uuid);
    assert_string_equal(stamp.time, "1970-01-01T00:00:00Z");
    assert_null(witness_yaml(&l.r, &stamp, &out));
    expect_contains(&out, "format_version: \"2.0\"");
    expect_contains(&out, "value: \"\\\\result == 5\"");
    expect_contains(&out, "data_model: \"ILP32\"");
    assert_null(strstr(text_cstr(&out), "thread_id"));
    again = witness_make_stamp(&l.r, false);
    witness_stamp other = witness_make_stamp(&l.r, false);
    assert_string_not_equal(again.uuid, other.uuid);
    text_free(&out);
    close_lab(&l);
}

static void test_no_witness(void **unused) {
    (void)unused;
    lab l;
    text out = {0};
    open_lab(&l);
    tell_story(&l);
    witness_stamp stamp = witness_make_stamp(&l.r, true);
    vec_push(&l.t.blocked, mem_copy_string("t waits"));
    assert_non_null(witness_yaml(&l.r, &stamp, &out)); /* a deadlock */
    l.r.task = NULL;
    assert_non_null(witness_graphml(&l.r, &stamp, &out));
    assert_int_equal(out.size, 0);
    close_lab(&l);
}

/* --- JUnit and SARIF ------------------------------------------------------------------------------------ */

static void test_junit(void **unused) {
    (void)unused;
    lab l;
    text out = {0};
    open_lab(&l);
    tell_story(&l);
    vec_push(&l.r.properties,
             ((property){.kind = "race", .text = "x", .where = "", .verdict = VERDICT_UNKNOWN}));
    vec_push(&l.r.properties,
             ((property){.kind = "null", .text = "p", .where = "", .verdict = VERDICT_SAFE}));
    junit_print(&l.r, &out);
    expect_contains(&out, "tests=\"3\" failures=\"1\" errors=\"1\"");
    expect_contains(&out, "<failure message=\"Assertion violated: ]]&gt; &amp; &lt;x&gt;\" type=\"assert\">");
    expect_contains(&out, "<error message=");
    assert_null(strstr(text_cstr(&out), "]]>"));
    text_free(&out);
    close_lab(&l);
}

static void test_sarif(void **unused) {
    (void)unused;
    lab l;
    text out = {0};
    open_lab(&l);
    tell_story(&l);
    sarif_print(&l.r, &out);
    json_t *log = json_loads(text_cstr(&out), 0, NULL);
    assert_non_null(log);
    json_t *result =
        json_array_get(json_object_get(json_array_get(json_object_get(log, "runs"), 0), "results"), 0);
    json_t *flows = json_object_get(json_array_get(json_object_get(result, "codeFlows"), 0), "threadFlows");
    static const struct {
        const char *thread;
        size_t steps;
        int first;
    } expected[] = {{"main", 2, 1}, {"t", 5, 2}, {"t#2", 1, 3}};
    assert_int_equal(json_array_size(flows), 3);
    for (size_t i = 0; i < 3; i++) {
        json_t *flow = json_array_get(flows, i), *places = json_object_get(flow, "locations");
        assert_string_equal(json_string_value(json_object_get(flow, "id")), expected[i].thread);
        assert_int_equal(json_array_size(places), expected[i].steps);
        assert_int_equal(json_integer_value(json_object_get(json_array_get(places, 0), "executionOrder")),
                         expected[i].first);
    }
    json_decref(log);
    text_free(&out);
    close_lab(&l);
}

/* --- waveforms ------------------------------------------------------------------------------------------ */

static void add_variable(lab *l, const char *name, uint8_t width, bool known, uint64_t initial, bool minor) {
    trace_variable v = {.name = mem_copy_string(name), .type = {width, VIEW_SIGNED}, .known = known};
    v.initial = initial;
    v.minor = minor;
    if (width == 1) v.type.view = VIEW_BOOL;
    vec_push(&l->t.variables, v);
}

static void test_waveforms(void **unused) {
    (void)unused;
    lab l;
    text out = {0};
    open_lab(&l);
    add_variable(&l, "top.count", 8, true, 0, false);
    add_variable(&l, "flag", 1, false, 0, false);
    add_variable(&l, "top.inner.quiet", 8, true, 3, true); /* never changes */
    add_step(&l, "p", 0, 0);
    trace_step *s = add_step(&l, "q", 0, 0);
    vec_push(&s->samples, ((trace_sample){0, true, 0xfe}));
    vec_push(&s->samples, ((trace_sample){1, true, 1}));
    s = add_step(&l, "q", 0, 0);
    s->time = 7;
    vec_push(&s->samples, ((trace_sample){0, false, 0}));
    l.t.resolution = 1000; /* ps */
    l.r.trace = &l.t;
    vcd_print(&l.r, &out);
    expect_contains(&out, "$timescale 100 fs $end"); /* ten ticks are a picosecond */
    expect_contains(&out, "$scope module top $end\n$var integer 8 ! count $end\n$upscope $end");
    expect_contains(
        &out,
        "#0\n$dumpvars\nb0 !\nx\"\n0$\n0%\n$end\n#1\n1$\n#2\n0$\n1%\nb11111110 !\n1\"\n#70\nbx !\n#71\n0%\n");
    assert_null(strstr(text_cstr(&out), "quiet"));
    text_free(&out);
    close_lab(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_waypoints),
        cmocka_unit_test(test_race_has_two_targets_in_one_segment),
        cmocka_unit_test(test_witness_of_one_thread),
        cmocka_unit_test(test_no_witness),
        cmocka_unit_test(test_junit),
        cmocka_unit_test(test_sarif),
        cmocka_unit_test(test_waveforms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
