/* What a compiled program is told of a counterexample: whose turn it is at which place of the text, and what it
 * is given; and processes that are run for it. */
#include "c_text.h"

#include "dpor/dpor.h"
#include "native/process.h"
#include "native/schedule.h"
#include "native/simulator.h"

enum { SIGNAL_TERM = 15 }; /* <signal.h> has another `access` in its train */

/* --- schedules of counterexamples ----------------------------------------------------------------------- */

typedef struct scene {
    fixture f;
    outcome out;
    trace_request wanted;
    schedule s;
} scene;

static trace_request request_of(const fixture *f, const outcome *out) {
    static const trace_end ends[] = {[VIOLATION_CHECK] = ENDS_IN_CHECK,
                                     [VIOLATION_DEADLOCK] = ENDS_IN_DEADLOCK,
                                     [VIOLATION_LIVELOCK] = ENDS_IN_LIVELOCK,
                                     [VIOLATION_RACE] = ENDS_IN_RACE};
    const violation *v = &out->violations.data[0];
    trace_request wanted = {.path = &v->path, .stops = out->stops, .inputs = v->inputs, .end = ends[v->kind]};
    if (v->kind == VIOLATION_CHECK) wanted.violated = *machine_check(f->m, v->check);
    memcpy(wanted.racing, v->racing, sizeof wanted.racing);
    wanted.earlier = v->earlier;
    return wanted;
}

/* The schedule of the first violation that is found. */
static scene scene_open(const char *source, unsigned properties) {
    scene k = {.f = fixture_of_program(translate_c(source), NULL, 0)};
    explore_options how = explore_default_options();
    how.properties = properties;
    dpor_run(k.f.m, &how, &k.out);
    assert_int_equal(k.out.violations.size, 1);
    assert_true(k.out.violations.data[0].confirmed);
    k.wanted = request_of(&k.f, &k.out);
    assert_true(schedule_build(k.f.m, &k.wanted, &k.s));
    return k;
}

static void scene_close(scene *k) {
    schedule_free(&k->s);
    outcome_free(&k->out);
    fixture_close(&k->f);
}

#define LOST_UPDATE                                                                                          \
    "#include <assert.h>\n"                                                                                  \
    "#include <pthread.h>\n"                                                                                 \
    "extern int __VERIFIER_nondet_int(void);\n"                                                              \
    "int x, given;\n"                                                                                        \
    "void *run(void *a) {\n"                                                                                 \
    "    x++;\n" /* line 6 */                                                                                \
    "    return a; }\n"                                                                                      \
    "int main(void) {\n"                                                                                     \
    "    pthread_t t, u;\n"                                                                                  \
    "    given = __VERIFIER_nondet_int();\n" /* line 10 */                                                   \
    "    pthread_create(&t, 0, run, 0);\n"                                                                   \
    "    pthread_create(&u, 0, run, 0);\n"                                                                   \
    "    pthread_join(t, 0); pthread_join(u, 0);\n"                                                          \
    "    assert(given != 42 || x == 2);\n"                                                                   \
    "    return 0; }\n"

enum { LINE_OF_UPDATE = 6, LINE_OF_INPUT = 10 };

/* Each thread reads and writes x, and both read before one of them writes. */
static void operations_are_those_of_the_counterexample(void **unused) {
    (void)unused;
    scene k = scene_open(LOST_UPDATE, PROPERTY_ASSERT);
    uint32_t of_thread[3] = {0}, order = 0;
    for (size_t i = 0; i < k.s.operations.size; i++) {
        const operation *o = &k.s.operations.data[i];
        if (o->at.line != LINE_OF_UPDATE) continue;
        assert_true(o->thread == 1 || o->thread == 2);
        assert_int_equal(o->kind, OPERATION_MEMORY);
        assert_int_equal(o->skip, 0);
        assert_false(o->continued);
        if (!of_thread[o->thread]++)
            order++;
        else
            assert_int_equal(order, 2); /* both have read */
    }
    assert_int_equal(of_thread[1], 2);
    assert_int_equal(of_thread[2], 2);
    assert_int_equal(k.s.end, ENDS_IN_CHECK);
    assert_int_equal(k.s.tails.size, 3);
    scene_close(&k);
}

static void creations_say_who_made_whom(void **unused) {
    (void)unused;
    scene k = scene_open(LOST_UPDATE, PROPERTY_ASSERT);
    assert_int_equal(k.s.creations.size, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(k.s.creations.data[i].creator, 0);
        assert_int_equal(k.s.creations.data[i].count, i);
        assert_int_equal(k.s.creations.data[i].created, i + 1);
    }
    scene_close(&k);
}

static void inputs_stand_where_they_are_drawn(void **unused) {
    (void)unused;
    scene k = scene_open(LOST_UPDATE, PROPERTY_ASSERT);
    assert_int_equal(k.s.inputs.size, 1);
    const drawn *d = &k.s.inputs.data[0];
    assert_int_equal(d->thread, 0);
    assert_int_equal(d->at.line, LINE_OF_INPUT);
    assert_int_equal(d->value, 42);
    assert_int_equal(k.s.results.size, 1); /* it is what the call gives */
    assert_int_equal(k.s.results.data[0].at.line, LINE_OF_INPUT);
    assert_int_equal(k.s.results.data[0].value, 42);
    scene_close(&k);
}

/* What the first steps need is the beginning of what all of them need. */
static void a_shorter_path_has_the_beginning_of_the_schedule(void **unused) {
    (void)unused;
    scene k = scene_open(LOST_UPDATE, PROPERTY_ASSERT);
    size_t before = 0;
    for (size_t length = 0; length < k.wanted.path->size; length++) {
        path some = *k.wanted.path;
        some.size = length;
        trace_request shorter = k.wanted;
        shorter.path = &some;
        shorter.end = ENDS_ANYHOW;
        schedule s;
        assert_true(schedule_build(k.f.m, &shorter, &s));
        assert_in_range(s.operations.size, before, k.s.operations.size);
        before = s.operations.size;
        for (size_t i = 0; i < s.operations.size; i++) {
            const operation *one = &s.operations.data[i], *all = &k.s.operations.data[i];
            assert_int_equal(one->thread, all->thread);
            assert_int_equal(one->kind, all->kind);
            assert_int_equal(one->at.line, all->at.line);
            assert_int_equal(one->at.column, all->at.column);
            assert_int_equal(one->skip, all->skip);
        }
        schedule_free(&s);
    }
    assert_true(before > 0);
    scene_close(&k);
}

/* A store that others cannot see comes before one at the same place that they can: the compiled
 * program meets both. */
static void accesses_that_are_no_operations_are_skipped(void **unused) {
    (void)unused;
    scene k = scene_open("#include <assert.h>\n"
                         "#include <pthread.h>\n"
                         "int x;\n"
                         "void *run(void *a) {\n"
                         "    int own = 0, *to[5] = {&own, &own, &x, &own, &x};\n"
                         "    for (int i = 0; i < 5; i++)\n"
                         "        *to[i] = 1;\n" /* line 7 */
                         "    return a; }\n"
                         "int main(void) {\n"
                         "    pthread_t t;\n"
                         "    pthread_create(&t, 0, run, 0);\n"
                         "    pthread_join(t, 0);\n"
                         "    assert(x == 0);\n"
                         "    return 0; }\n",
                         PROPERTY_ASSERT);
    size_t found = 0;
    for (size_t i = 0; i < k.s.operations.size; i++) {
        const operation *o = &k.s.operations.data[i];
        if (o->thread != 1 || o->at.line != 7) continue;
        assert_int_equal(o->skip, found++ ? 1 : 2); /* since the last one */
    }
    assert_int_equal(found, 2);
    scene_close(&k);
}

/* Calls of the library are operations of the program, with what they return. */
static void calls_have_their_results(void **unused) {
    (void)unused;
    scene k = scene_open("#include <assert.h>\n"
                         "#include <pthread.h>\n"
                         "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int got;\n"
                         "void *run(void *a) {\n"
                         "    if (pthread_mutex_trylock(&m)) got = 1;\n" /* line 5 */
                         "    return a; }\n"
                         "int main(void) {\n"
                         "    pthread_t t;\n"
                         "    pthread_create(&t, 0, run, 0);\n"
                         "    pthread_mutex_lock(&m);\n" /* line 10 */
                         "    pthread_join(t, 0);\n"
                         "    assert(got == 0);\n"
                         "    return 0; }\n",
                         PROPERTY_ASSERT);
    size_t locked = SIZE_MAX, tried = SIZE_MAX;
    for (size_t i = 0; i < k.s.operations.size; i++) {
        const operation *o = &k.s.operations.data[i];
        if (o->kind != OPERATION_CALL) continue;
        if (o->thread == 0 && o->at.line == 10 && !o->continued) locked = i;
        if (o->thread == 1 && o->at.line == 5 && !o->continued) tried = i;
    }
    assert_true(locked < tried && tried != SIZE_MAX);
    assert_int_equal(k.s.operations.data[locked].result, 0);
    assert_int_not_equal(k.s.operations.data[tried].result, 0); /* EBUSY */
    scene_close(&k);
}

/* To wait for a condition unlocks, waits and locks again: one call. */
static void a_call_of_several_operations_goes_on(void **unused) {
    (void)unused;
    scene k = scene_open(
        "#include <assert.h>\n"
        "#include <pthread.h>\n"
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;\n"
        "void *run(void *a) {\n"
        "    pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);\n"
        "    return a; }\n"
        "int main(void) {\n"
        "    pthread_t t; int waited = 0;\n"
        "    pthread_create(&t, 0, run, 0);\n"
        "    pthread_mutex_lock(&m);\n"
        "    while (!ready) {\n"
        "        pthread_cond_wait(&c, &m);\n" /* line 13 */
        "        waited = 1; }\n"
        "    assert(!waited);\n"
        "    return 0; }\n",
        PROPERTY_ASSERT);
    size_t first = 0, further = 0;
    for (size_t i = 0; i < k.s.operations.size; i++) {
        const operation *o = &k.s.operations.data[i];
        if (o->thread || o->at.line != 13) continue;
        if (!first) assert_false(o->continued);
        first += !o->continued;
        further += o->continued;
    }
    assert_int_equal(first, 1);
    assert_true(further > 0);
    scene_close(&k);
}

static void a_race_ends_with_both_sides(void **unused) {
    (void)unused;
    scene k = scene_open("#include <pthread.h>\n"
                         "int x;\n"
                         "void *run(void *a) {\n"
                         "    x = 1;\n" /* line 4 */
                         "    return a; }\n"
                         "int main(void) {\n"
                         "    pthread_t t;\n"
                         "    pthread_create(&t, 0, run, 0);\n"
                         "    x = 2;\n" /* line 9 */
                         "    return 0; }\n",
                         PROPERTY_RACE);
    assert_int_equal(k.s.end, ENDS_IN_RACE);
    assert_true(k.s.operations.size >= 2);
    const operation *last = &k.s.operations.data[k.s.operations.size - 2];
    assert_true(last[0].thread != last[1].thread);
    for (int i = 0; i < 2; i++) assert_int_equal(last[i].at.line, last[i].thread ? 4 : 9);
    scene_close(&k);
}

/* --- tables --------------------------------------------------------------------------------------------- */

static void check_printed(const schedule *s, const char *const *expected) {
    text out = {0};
    schedule_print(s, &out);
    for (; *expected; expected++)
        if (!strstr(text_cstr(&out), *expected)) fail_msg("'%s' is not in\n%s", *expected, text_cstr(&out));
    text_free(&out);
}

static void tables_have_what_is_in_the_schedule(void **unused) {
    (void)unused;
    schedule s = {.end = ENDS_IN_RACE, .slots = 1, .asks_places = true};
    vec_push(&s.operations,
             ((operation){.thread = 1, .kind = OPERATION_CALL, .at = {7, 3}, .skip = 2, .result = -1}));
    vec_push(&s.operations,
             ((operation){.thread = 2, .kind = OPERATION_MEMORY, .at = {8, 4}, .continued = true}));
    vec_push(&s.operations, ((operation){.kind = OPERATION_SECTION, .at = {9, 5}}));
    vec_push(&s.creations, ((creation){0, 1, 2}));
    vec_push(&s.inputs, ((drawn){1, {4, 9}, UINT64_MAX}));
    vec_push(&s.handed, ((drawn){2, {5, 1}, 6}));
    vec_push(&s.results, ((given){1, {6, 2}, 17, NO_INDEX}));
    vec_push(&s.blocks, ((block_made){1, {3, 3}, 12, 40, 0}));
    vec_push(&s.blocks, ((block_made){2, {3, 4}, 13, 64, 0}));
    vec_push(&s.blocks, ((block_made){2, {3, 5}, 14, 99, NO_INDEX}));
    vec_push(&s.tails, 0);
    vec_push(&s.tails, 5);
    static const char *const expected[] = {
        "heddle_operations[] = {\n    {1, 1, 7, 3, 2, 0, -1},\n    {2, 0, 8, 4, 0, 1, 0},\n    {0, 2, 9, 5, "
        "0, 0, 0},\n"
        "    {-1, 0, 0, 0, 0, 0, 0}};",
        "heddle_creations[] = {\n    {0, 1, 2},\n    {-1, 0, 0}};",
        "heddle_drawn_count = 1;\nconst struct drawn heddle_drawn[] = {\n    {1, 4, 9, "
        "18446744073709551615u},\n",
        "heddle_handed_count = 1;\nconst struct drawn heddle_handed[] = {\n    {2, 5, 1, 6u},\n",
        "heddle_results[] = {\n    {1, 6, 2, 17u},\n",
        "heddle_blocks[] = {\n    {1, 3, 3, 0},\n    {2, 3, 4, 0},\n    {2, 3, 5, -1},\n",
        "heddle_slots[] = {\n    {0, 64},\n    {0, 0}};", /* the larger of those that lie there */
        "heddle_block_count = 3, heddle_slot_count = 1;",
        "heddle_keeps_freed = 1;",
        "heddle_tails[] = {0, 5, 0};\nconst int heddle_tail_count = 2;",
        "heddle_operation_count = 3, heddle_creation_count = 1;",
        "heddle_result_count = 1;",
        "heddle_end = 2, heddle_racing_first = 1;",
        NULL};
    check_printed(&s, expected);
    schedule_free(&s);
}

static void blocks_that_lie_alone_need_no_table(void **unused) {
    (void)unused;
    schedule s = {.end = ENDS_IN_DEADLOCK};
    vec_push(&s.blocks, ((block_made){1, {3, 3}, 12, 40, NO_INDEX}));
    static const char *const expected[] = {"heddle_block_count = 0, heddle_slot_count = 0;",
                                           "heddle_keeps_freed = 0;",
                                           "heddle_operations[] = {\n    {-1, 0, 0, 0, 0, 0, 0}};",
                                           "heddle_tails[] = {0};",
                                           "heddle_end = 1, heddle_racing_first = 0;",
                                           NULL};
    check_printed(&s, expected);
    schedule_free(&s);
}

static void a_stimulus_has_a_line_for_each_input(void **unused) {
    (void)unused;
    trace t = {0};
    vec_push(&t.steps, ((trace_step){0}));
    vec_push(&t.steps, ((trace_step){0}));
    vec_push(&t.steps, ((trace_step){0}));
    vec_push(&t.steps.data[0].inputs, ((trace_input){.name = "a.level", .value = "7"}));
    vec_push(&t.steps.data[2].inputs, ((trace_input){.name = "a.level", .value = "-3"}));
    vec_push(&t.steps.data[2].inputs, ((trace_input){.name = "b", .value = "true"}));
    text out = {0};
    simulator_print_stimulus(&t, &out);
    assert_string_equal(text_cstr(&out), "a.level 7\na.level -3\nb true\n");
    text_free(&out);
    for (size_t i = 0; i < t.steps.size; i++) vec_free(&t.steps.data[i].inputs);
    vec_free(&t.steps);
}

/* --- processes ------------------------------------------------------------------------------------------ */

static process_end run_shell(const char *script, double seconds, text *printed) {
    const char *words[] = {"sh", "-c", script, NULL}, *settings[] = {"HEDDLE_TEST=kept", NULL};
    return process_run(words, settings, seconds, printed);
}

static void processes_say_how_they_ended(void **unused) {
    (void)unused;
    text printed = {0};
    process_end end = run_shell("echo $HEDDLE_TEST; echo too >&2; exit 3", 20, &printed);
    assert_true(end.ran && !end.timed_out);
    assert_int_equal(end.status, 3);
    assert_int_equal(end.signal, 0);
    assert_string_equal(text_cstr(&printed), "kept\ntoo\n");
    text_free(&printed);
    end = run_shell("kill -TERM $$", 20, &printed);
    assert_true(end.ran && !end.timed_out);
    assert_int_equal(end.status, -1);
    assert_int_equal(end.signal, SIGNAL_TERM);
    end = run_shell("exec sleep 30", 0.2, &printed);
    assert_true(end.ran && end.timed_out);
    const char *nothing[] = {"/nowhere/no-program", NULL}, *settings[] = {NULL};
    end = process_run(nothing, settings, 20, &printed);
    assert_false(end.ran);
    assert_int_equal(printed.size, 0);
    text_free(&printed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_those_of_the_counterexample),
        cmocka_unit_test(creations_say_who_made_whom),
        cmocka_unit_test(inputs_stand_where_they_are_drawn),
        cmocka_unit_test(a_shorter_path_has_the_beginning_of_the_schedule),
        cmocka_unit_test(accesses_that_are_no_operations_are_skipped),
        cmocka_unit_test(calls_have_their_results),
        cmocka_unit_test(a_call_of_several_operations_goes_on),
        cmocka_unit_test(a_race_ends_with_both_sides),
        cmocka_unit_test(tables_have_what_is_in_the_schedule),
        cmocka_unit_test(blocks_that_lie_alone_need_no_table),
        cmocka_unit_test(a_stimulus_has_a_line_for_each_input),
        cmocka_unit_test(processes_say_how_they_ended),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
