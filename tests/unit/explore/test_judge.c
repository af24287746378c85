/* What the end of a step means: a violation only if a replay shows it, else a doubt; and nothing that nobody
 * asked about. */
#include "core_fixture.h"

#include "explore/judge.h"

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
        cmocka_unit_test(traces_are_sorted_and_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
