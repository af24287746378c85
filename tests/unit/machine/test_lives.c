/* Which objects lived at the same time is known to the states of a path with fixed inputs, each of its own. */
#include "c_text.h"

#include "explore/explore.h"
#include "explore/player.h"
#include "search/search.h"

/* The second block may lie where the first one was only if that is freed before. */
static const char *const blocks =
    "#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
    "uintptr_t first, second; int made;\n"
    "void *one(void *a) { int *p = malloc(4); first = (uintptr_t)p; free(p); return a; }\n"
    "void *two(void *a) { int *p = malloc(4); second = (uintptr_t)p; made = 1; free(p); return a; }\n"
    "int main(void) {\n"
    "    pthread_t t, u;\n"
    "    pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0);\n"
    "    pthread_join(t, 0); pthread_join(u, 0);\n"
    "    assert(first != second);\n"
    "}\n";

static violation found_by_search(const fixture *f, unsigned stops) {
    explore_options how = explore_default_options();
    how.properties = PROPERTY_ASSERT;
    how.stops = stops;
    outcome out = {0};
    search_run(f->m, &how, &out);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
    violation v = out.violations.data[0];
    out.violations.size = 0;
    outcome_free(&out);
    assert_true(v.confirmed && v.inputs);
    return v;
}

/* Leads a player to the last step but one, to a half of it in between. */
static void lead(player *p, const path *to, size_t until) {
    while (p->done.size < until) {
        player_look(p, to->data[p->done.size].by);
        assert_int_equal(p->next.size, 1); /* all inputs are given */
        player_take(p, &p->next.data[0]);
    }
}

static bool fails_at_last(player *p, const violation *v) {
    player_look(p, v->path.data[v->path.size - 1].by);
    return p->next.size == 1 && p->next.data[0].end == STEP_VIOLATION;
}

static void players_know_nothing_of_each_other(void **unused) {
    (void)unused;
    fixture f = fixture_of_program(translate_c(blocks), NULL, 0);
    unsigned stops = STOP_HEAP_ORDER;
    violation v = found_by_search(&f, stops);
    step_options given = {.stops = stops, .inputs = v.inputs};
    size_t last = v.path.size - 1;
    for (size_t cut = 0; cut < last; cut++) {
        player slow = player_begin(f.m, &given), fast = player_begin(f.m, &given);
        lead(&slow, &v.path, cut);
        lead(&fast, &v.path, last);
        assert_true(fails_at_last(&fast, &v));
        lead(&slow, &v.path, last);
        assert_true(fails_at_last(&slow, &v));
        assert_true(fails_at_last(&slow, &v)); /* whoever looks again sees the same */
        player_end(&slow);
        player_end(&fast);
    }
    assert_true(violation_replays_with(f.m, &v, &given, v.inputs));
    vec_free(&v.path);
    valuation_destroy(v.inputs);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(players_know_nothing_of_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
