/* What the end of a step means: a violation only if a replay shows it, else a doubt; and nothing that nobody
 * asked about. */
#include "c_text.h"

#include "dpor/dpor.h"
#include "explore/judge.h"
#include "search/search.h"

static const char failing[] = "int x = 1;\nmain { assert x == 2; }";

typedef struct judging {
    fixture f;
    explore_options options;
    outcome out;
    successors list; /* of main's only step */
    path path;       /* that is recorded for it */
    unsigned asked;  /* how often */
} judging;

static void open_judging(judging *g, const char *source) {
    *g = (judging){.f = fixture_open(source), .options = explore_default_options()};
    state *first = machine_initial(g->f.m, 0);
    step_options how = {.effects = true};
    machine_step(g->f.m, first, (transition){0, 0}, &how, &g->list);
    state_release(g->f.m, first);
    assert_int_equal(g->list.size, 1);
    vec_push(&g->path, g->list.data[0].step);
}

static void close_judging(judging *g) {
    successors_free(g->f.m, &g->list);
    vec_free(&g->path);
    outcome_free(&g->out);
    fixture_close(&g->f);
}

static void record(void *data, path *out) {
    judging *g = data;
    g->asked++;
    path_append(out, &g->path);
}

static judge judge_step(judging *g) {
    judge j = judge_create(g->f.m, &g->options, &g->out);
    judge_step_end(&j, &g->list.data[0], record, g);
    return j;
}

static void a_violation_is_confirmed_once(void **unused) {
    (void)unused;
    judging g;
    open_judging(&g, failing);
    assert_true(judge_step(&g).stop);
    assert_int_equal(g.out.violations.size, 1);
    assert_true(g.out.violations.data[0].confirmed);
    assert_int_equal(g.out.doubts.size, 0);
    judge_step(&g); /* the same again */
    assert_int_equal(g.out.violations.size, 1);
    assert_int_equal(g.asked, 1);
    close_judging(&g);
}

static void all_go_on(void **unused) {
    (void)unused;
    judging g;
    open_judging(&g, failing);
    g.options.all = true;
    assert_false(judge_step(&g).stop);
    assert_int_equal(g.out.violations.size, 1);
    close_judging(&g);
}

static bool yes(void *unused) {
    (void)unused;
    return true;
}

/* An empty path leads to nothing. */
static void what_no_replay_shows_is_a_doubt(void **unused) {
    (void)unused;
    judging g;
    open_judging(&g, failing);
    vec_clear(&g.path);
    assert_false(judge_step(&g).stop);
    assert_int_equal(g.out.violations.size, 0);
    assert_int_equal(g.out.doubts.size, 1);
    assert_int_equal(g.out.doubts.data[0].why.kind, REASON_UNCONFIRMED);
    assert_non_null(strstr(g.out.doubts.data[0].about, "x == 2"));
    g.options.interrupted = yes;
    assert_int_equal(judge_why_unconfirmed(&g.options), REASON_INTERRUPTED);
    close_judging(&g);
}

/* An assertion that nobody asks about is absent. Memory that is not checked is not known any more. */
static void what_nobody_asks_about(void **unused) {
    (void)unused;
    judging g;
    open_judging(&g, failing);
    g.options.properties = PROPERTY_MEMORY;
    judge_step(&g);
    assert_int_equal(g.out.violations.size + g.out.doubts.size, 0);
    close_judging(&g);
    open_judging(&g, "int x = 0; int y = 0;\nmain { y = 1 / x; }");
    g.options.properties = PROPERTY_ASSERT;
    judge_step(&g);
    assert_int_equal(g.out.violations.size, 0);
    assert_int_equal(g.out.doubts.size, 1);
    assert_int_equal(g.out.doubts.data[0].why.kind, REASON_UNCHECKED_VIOLATION);
    assert_int_equal(g.asked, 0);
    close_judging(&g);
}

/* A thread that never ends, of another file than main's. */
static const char *const two_files = "#include <pthread.h>\nint x; pthread_t t;\n"
                                     "#line 100 \"loops.c\"\n"
                                     "void *loops(void *a) { for (;;) x++; return a; }\n"
                                     "#line 200 \"main.c\"\n"
                                     "int main(void) { pthread_create(&t, 0, loops, 0); return x; }\n";

static bool is_in_its_file(uint32_t line, const char *file) {
    const char *expected = line < 200 ? "loops.c" : "main.c";
    return file && !strcmp(file + strlen(file) - strlen(expected), expected);
}

static void a_place_is_one_of_its_file(void **unused) {
    (void)unused;
    fixture f = fixture_of_program(translate_c(two_files), NULL, 0);
    explore_options how = explore_default_options();
    outcome out = {0};
    how.max_depth = 20;
    dpor_run(f.m, &how, &out);
    unsigned looked_at = 0;
    for (size_t i = 0; i < out.doubts.size; i++) {
        const doubt *d = &out.doubts.data[i];
        if (!d->at.line) continue;
        assert_true(is_in_its_file(d->at.line, d->file));
        looked_at++;
    }
    assert_true(looked_at > 0);
    outcome_free(&out);
    fixture_close(&f);
}

static void look_for_race(void *data, const state *from, transition by, const successor *to) {
    (void)from, (void)by;
    judging *g = data;
    access racing[2];
    seen_place places[2];
    bool races = to->end == STEP_STOPPED && state_thread_count(to->to) == 2 &&
                 state_races(g->f.m, to->to, &(step_options){0}, (const uint32_t[]){0, 1}, racing, places);
    for (int i = 0; i < 2 && races; i++) assert_true(is_in_its_file(places[i].at.line, places[i].file));
    g->asked += races;
}

static void so_is_that_of_a_race(void **unused) {
    (void)unused;
    judging g = {.f = fixture_of_program(translate_c(two_files), NULL, 0),
                 .options = explore_default_options()};
    g.options.max_transitions = 20;
    g.options.observe = look_for_race;
    g.options.observe_data = &g;
    search_run(g.f.m, &g.options, &g.out);
    assert_true(g.asked > 0);
    outcome_free(&g.out);
    fixture_close(&g.f);
}

static void traces_are_sorted_and_unique(void **unused) {
    (void)unused;
    static const uint64_t classes[] = {7, UINT64_MAX, 7, 1, 7, 0, 1}, sorted[] = {0, 1, 7, UINT64_MAX};
    outcome o = {0};
    judge_sort_traces(&o);
    assert_int_equal(o.trace_classes.size, 0);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) vec_push(&o.trace_classes, classes[i]);
    judge_sort_traces(&o);
    assert_int_equal(o.trace_classes.size, 4);
    assert_memory_equal(o.trace_classes.data, sorted, sizeof sorted);
    outcome_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_violation_is_confirmed_once),   cmocka_unit_test(all_go_on),
        cmocka_unit_test(what_no_replay_shows_is_a_doubt), cmocka_unit_test(what_nobody_asks_about),
        cmocka_unit_test(a_place_is_one_of_its_file),      cmocka_unit_test(so_is_that_of_a_race),
        cmocka_unit_test(traces_are_sorted_and_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
