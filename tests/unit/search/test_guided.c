/* Guided search: distances that are never too large, what they save, and what they must not hide. */
#include "c_text.h"
#include "ivl_listings.h"

#include "base/map.h"
#include "cegar/survey.h"
#include "machine/setup.h"

/* --- set-up --------------------------------------------------------------------------------------------- */

#define HEADER                                                                                               \
    "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"                                       \
    "extern _Bool __VERIFIER_nondet_bool(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n"       \
    "extern void __VERIFIER_assume(int);\n#ifndef GOAL\n#define GOAL 10\n#endif\n"

/* Each round doubles the number of states, of which one leads to the goal. Twice a number that is not 0 is
 * not 0 either, as long as it is small. */
static const char one_of_many[] = HEADER "int main(void) { unsigned x = 0, z = 0;\n"
                                         "while (x < GOAL) { x++; __VERIFIER_assume(z < 1u << 30); if "
                                         "(__VERIFIER_nondet_bool()) z = 2 * z + 1; else z = "
                                         "2 * z; }\n"
                                         "assert(!(x == GOAL && z == 0)); }\n";

/* A lock that opens after a word of twelve keys, beside a counter that has nothing to do with it. */
static const char word_lock[] = HEADER
    "static const unsigned char word[] = {3, 1, 2, 2, 0, 1, 3, 3, 0, 2, 1, 0}; unsigned char at, noise;\n"
    "int main(void) { for (;;) { unsigned char key = __VERIFIER_nondet_uchar();\n"
    "if (key == 9) { noise = (noise + 1) % 50; } else if (key == word[at]) { at++; assert(at < 12); }\n"
    "else if (key < 4) at = 0; } }\n";

/* The counter never repeats, but what is asserted is about something else. */
static const char counts_for_ever[] =
    HEADER "unsigned long count; int mode; int main(void) { for (;;) { count++;\n"
           "if (__VERIFIER_nondet_bool()) mode = mode == 1 ? 2 : 1; assert(mode != 3); } }\n";

static const char with_threads[] =
    HEADER "int turn, a, b, done; void *one(void *p) { for (int i = 0; i < 3; i++) if (turn == 0) { a++; "
           "turn = 1; }\n"
           "return p; }\n"
           "void *two(void *p) { for (int i = 0; i < 3; i++) if (turn == 1) { b++; turn = 0; } return p; }\n"
           "int main(void) { pthread_t t, u; pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0);\n"
           "int x = a, y = b; assert(!(x == 2 && y == GOAL)); }\n";

/* A list whose length says whether something is wrong. */
static const char list[] = HEADER
    "struct item { struct item *next; int number; }; int main(void) { struct item *first = 0; int n = 0;\n"
    "while (n < 5) { struct item *new = malloc(sizeof *new); __VERIFIER_assume(new != 0); new->next = "
    "first;\n"
    "new->number = n++; first = new; if (__VERIFIER_nondet_bool()) break; }\n"
    "int sum = 0; for (struct item *i = first; i; i = i->next) sum += i->number; assert(sum != GOAL); }\n";

static explore_options in_order(search_order order, uint32_t weight) {
    explore_options o = explore_default_options();
    o.deterministic = true;
    o.max_transitions = 40000;
    o.properties = PROPERTY_ASSERT;
    o.order = order;
    o.weight = weight;
    o.guide = GUIDE_COARSE;
    o.loop_heads_if_needed = true;
    return o;
}

static outcome run(program *p, const explore_options *how) {
    fixture f = fixture_of_program(p, NULL, 0);
    outcome out = {0};
    search_run(f.m, how, &out);
    for (size_t i = 0; i < out.violations.size; i++) assert_true(out.violations.data[i].confirmed);
    fixture_close(&f);
    return out;
}

typedef struct result {
    verdict verdict;
    uint64_t states;
    size_t length;
} result;

static result outcome_result(program *p, const explore_options *how) {
    outcome out = run(p, how);
    result r = {outcome_verdict(&out), out.stats.states,
                out.violations.size ? out.violations.data[0].path.size : 0};
    outcome_free(&out);
    return r;
}

static result result_on(const char *source, search_order order, uint32_t weight) {
    explore_options how = in_order(order, weight);
    return outcome_result(translate_c(source), &how);
}

static char *with_goal(const char *source, int goal) {
    size_t size = strlen(source) + 64;
    char *whole = mem_alloc(size);
    snprintf(whole, size, "#define GOAL %d\n%s", goal, source);
    return whole;
}

/* --- what it saves -------------------------------------------------------------------------------------- */

/* 2^(N+1) - 1 states breadth first, 2N + 1 guided: all of the last round are met before the goal, or none
 * that leads away is looked into. */
static void one_way_of_many_is_found_at_once(void **unused) {
    (void)unused;
    result blind = result_on(one_of_many, ORDER_BFS, 0);
    assert_int_equal(blind.verdict, VERDICT_UNSAFE);
    assert_int_equal(blind.states, 2047);
    static const uint32_t weights[] = {1, 2, 100};
    for (size_t i = 0; i < 3; i++) {
        result guided = result_on(one_of_many, ORDER_ASTAR, weights[i]);
        assert_int_equal(guided.verdict, VERDICT_UNSAFE);
        assert_int_equal(guided.states, 21);
        assert_int_equal(guided.length, blind.length);
    }
}

/* Surveys are made while the search goes on, and then take it to the goal. */
static void surveys_in_the_meantime_help(void **unused) {
    (void)unused;
    char *source = with_goal(one_of_many, 14);
    explore_options how = in_order(ORDER_BFS, 0);
    how.max_transitions = 0;
    result blind = outcome_result(translate_c(source), &how);
    how.order = ORDER_ASTAR;
    how.weight = 100;
    how.guide = GUIDE_AUTO;
    result guided = outcome_result(translate_c(source), &how);
    assert_int_equal(blind.states, 32767);
    assert_int_equal(guided.verdict, VERDICT_UNSAFE);
    assert_true(guided.states * 5 < blind.states);
    mem_free(source);
}

static void weight_0_is_breadth_first(void **unused) {
    (void)unused;
    static const char *const sources[] = {one_of_many, word_lock};
    for (size_t i = 0; i < 2; i++) {
        result blind = result_on(sources[i], ORDER_BFS, 0), guided = result_on(sources[i], ORDER_ASTAR, 0);
        assert_int_equal(guided.verdict, blind.verdict);
        assert_int_equal(guided.states, blind.states);
        assert_int_equal(guided.length, blind.length);
    }
}

static void what_has_nothing_to_do_with_it_is_left_alone(void **unused) {
    (void)unused;
    result blind = result_on(word_lock, ORDER_BFS, 0), guided = result_on(word_lock, ORDER_ASTAR, 100);
    assert_int_equal(blind.verdict, VERDICT_UNSAFE);
    assert_int_equal(guided.verdict, VERDICT_UNSAFE);
    assert_true(guided.states * 2 < blind.states);
}

static void no_abstract_violation_is_a_proof(void **unused) {
    (void)unused;
    explore_options how = in_order(ORDER_ASTAR, 100);
    outcome out = run(translate_c(counts_for_ever), &how);
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
    assert_int_equal(out.stats.transitions, 0);
    assert_true(out.stats.guide_states > 0);
    outcome_free(&out);
    assert_int_equal(result_on(counts_for_ever, ORDER_BFS, 0).verdict, VERDICT_UNKNOWN);
}

/* --- weight 1 ------------------------------------------------------------------------------------------- */

static void weight_1_finds_shortest_paths(void **unused) {
    (void)unused;
    unsigned unsafe = 0;
    for (size_t i = 0; i < sizeof ivl_listings / sizeof *ivl_listings; i++) {
        explore_options how = in_order(ORDER_BFS, 0);
        how.por = POR_NONE;
        how.max_transitions = 3000;
        result blind = outcome_result(compile_with(ivl_listings[i].source, NULL, 0), &how);
        for (int guide = GUIDE_AUTO; guide <= GUIDE_FINE; guide++) {
            how.order = ORDER_ASTAR;
            how.weight = 1;
            how.guide = (guide_kind)guide;
            result guided = outcome_result(compile_with(ivl_listings[i].source, NULL, 0), &how);
            if (blind.verdict == VERDICT_UNSAFE) assert_int_equal(guided.length, blind.length);
            if (blind.verdict == VERDICT_SAFE) assert_int_equal(guided.verdict, VERDICT_SAFE);
        }
        unsafe += blind.verdict == VERDICT_UNSAFE;
    }
    assert_true(unsafe > 2);
}

static void threads_are_guided(void **unused) {
    (void)unused;
    for (int goal = 1; goal <= 4; goal *= 2) {
        char *source = with_goal(with_threads, goal);
        explore_options how = in_order(ORDER_BFS, 0);
        how.por = POR_NONE;
        result blind = outcome_result(translate_c(source), &how), guided;
        assert_int_equal(blind.verdict, goal == 4 ? VERDICT_SAFE : VERDICT_UNSAFE);
        for (int guide = GUIDE_AUTO; guide <= GUIDE_FINE; guide++)
            for (uint32_t weight = 1; weight <= 100; weight *= 100) {
                how = in_order(ORDER_ASTAR, weight);
                how.guide = (guide_kind)guide;
                guided = outcome_result(translate_c(source), &how);
                assert_int_equal(guided.verdict, blind.verdict);
                if (weight == 1) assert_int_equal(guided.length, blind.length);
            }
        mem_free(source);
    }
}

/* --- objects that are not told apart -------------------------------------------------------------------- */

/* Beyond the first object, or the first two, all of them are one, which holds anything. */
static void objects_that_are_one_hide_nothing(void **unused) {
    (void)unused;
    static const struct {
        int sum;
        verdict expected;
    } cases[] = {{6, VERDICT_UNSAFE}, {10, VERDICT_UNSAFE}, {7, VERDICT_SAFE}};
    for (uint32_t apart = 1; apart <= 4; apart++)
        for (size_t i = 0; i < 3; i++) {
            char *source = with_goal(list, cases[i].sum);
            explore_options how = in_order(ORDER_ASTAR, 100);
            how.abstraction.apart = apart;
            assert_int_equal(outcome_result(translate_c(source), &how).verdict, cases[i].expected);
            mem_free(source);
        }
}

/* --- distances ------------------------------------------------------------------------------------------ */

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct whole_graph { /* of a program without inputs */
    machine *m;
    map numbers; /* of states */
    VEC(state *) states;
    VEC(edge) edges;
    VEC(uint32_t) ends; /* from where a step violates something */
} whole_graph;

static uint32_t number_of(whole_graph *g, const state *s) {
    uint64_t key = state_hash(s, HASH_EXACT), known = map_get(&g->numbers, key);
    if (known != MAP_NONE) return (uint32_t)known;
    map_put(&g->numbers, key, g->states.size);
    vec_push(&g->states, state_assume(s, NULL, 0));
    return (uint32_t)g->states.size - 1;
}

static void note_step(void *data, const state *from, transition by, const successor *to) {
    whole_graph *g = data;
    (void)by;
    uint32_t first = number_of(g, from);
    if (to->end == STEP_VIOLATION) vec_push(&g->ends, first);
    if (to->end == STEP_STOPPED) vec_push(&g->edges, ((edge){first, number_of(g, to->to)}));
}

/* By repeated relaxation: nothing of what is tested. */
static uint32_t *true_distances(const whole_graph *g) {
    uint32_t *d = mem_alloc((g->states.size + 1) * sizeof *d);
    for (size_t i = 0; i < g->states.size; i++) d[i] = UINT32_MAX;
    for (size_t i = 0; i < g->ends.size; i++) d[g->ends.data[i]] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < g->edges.size; i++) {
            edge e = g->edges.data[i];
            if (d[e.to] == UINT32_MAX || d[e.from] <= d[e.to] + 1) continue;
            d[e.from] = d[e.to] + 1;
            changed = true;
        }
    }
    return d;
}

/* Every state that is told a distance has at least that many steps to go, at every level of detail, and of an
 * unfinished survey, too. */
static void compare_distances(const whole_graph *g, const uint32_t *real, survey *v, unsigned *told) {
    survey_measure(v);
    for (size_t i = 0; i < g->states.size; i++) {
        uint32_t d = survey_distance(v, g->states.data[i]);
        if (d == SURVEY_UNKNOWN) continue;
        (*told)++;
        if (d == SURVEY_NEVER || d == SURVEY_FAR)
            assert_int_equal(real[i], UINT32_MAX);
        else
            assert_true(d <= real[i]);
    }
}

/* No step between states that are told a distance brings the goal nearer by more than one. Those inside a
 * chain of single steps are told none. */
static unsigned check_every_step(const whole_graph *g, survey *v) {
    unsigned compared = 0;
    for (size_t i = 0; i < g->edges.size; i++) {
        uint32_t before = survey_distance(v, g->states.data[g->edges.data[i].from]);
        uint32_t after = survey_distance(v, g->states.data[g->edges.data[i].to]);
        if (before == SURVEY_UNKNOWN || after == SURVEY_UNKNOWN) continue;
        assert_true(before <= (uint64_t)after + 1);
        compared++;
    }
    return compared;
}

/* Breadth first, what is found is as near as the graph says. */
static void check_shortest(const char *source, uint32_t real) {
    explore_options how = in_order(ORDER_BFS, 0);
    how.por = POR_NONE;
    how.match = MATCH_CEQ;
    result found = outcome_result(translate_c(source), &how);
    assert_int_equal(found.verdict, real == UINT32_MAX ? VERDICT_SAFE : VERDICT_UNSAFE);
    if (real != UINT32_MAX) assert_int_equal(found.length, real);
}

static void distances_are_never_too_large(void **unused) {
    (void)unused;
    for (int goal = 1; goal <= 4; goal *= 2) {
        char *source = with_goal(with_threads, goal);
        machine_options awake = awake_options();
        fixture f = fixture_of_program(translate_c(source), &awake, 0);
        whole_graph g = {.m = f.m};
        explore_options how = in_order(ORDER_BFS, 0);
        how.all = true;
        how.por = POR_NONE;
        how.match = MATCH_CEQ;
        how.observe = note_step;
        how.observe_data = &g;
        outcome out = {0};
        search_run(f.m, &how, &out);
        assert_true(out.complete && g.states.size > 100);
        uint32_t *real = true_distances(&g);
        check_shortest(source, real[0]);
        unsigned told = 0;
        survey *v = survey_begin(f.m, &how);
        for (unsigned level = 0; v && level < 4; level++) {
            survey_go_on(v, (survey_budget){.steps = 50});
            compare_distances(&g, real, v, &told);
            assert_true(survey_go_on(v, (survey_budget){0}));
            compare_distances(&g, real, v, &told);
            assert_true(check_every_step(&g, v) > g.edges.size / 2);
            survey *finer = survey_begin_finer(v);
            survey_destroy(v);
            v = finer;
        }
        assert_true(told > g.states.size);
        survey_destroy(v);
        mem_free(real);
        for (size_t i = 0; i < g.states.size; i++) state_release(f.m, g.states.data[i]);
        vec_free(&g.states);
        vec_free(&g.edges);
        vec_free(&g.ends);
        map_free(&g.numbers);
        outcome_free(&out);
        fixture_close(&f);
        mem_free(source);
    }
}

/* --- what it knows nothing of --------------------------------------------------------------------------- */

static void deadlocks_are_looked_for_breadth_first(void **unused) {
    (void)unused;
    static const char stuck[] =
        HEADER "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
               "void *w(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); return p; }\n"
               "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&a);\n"
               "pthread_mutex_lock(&b); pthread_join(t, 0); }\n";
    explore_options how = in_order(ORDER_ASTAR, 100);
    how.properties = PROPERTY_DEADLOCK;
    outcome out = run(translate_c(stuck), &how);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
    assert_int_equal(out.stats.guide_states, 0);
    outcome_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_way_of_many_is_found_at_once),
        cmocka_unit_test(surveys_in_the_meantime_help),
        cmocka_unit_test(weight_0_is_breadth_first),
        cmocka_unit_test(what_has_nothing_to_do_with_it_is_left_alone),
        cmocka_unit_test(no_abstract_violation_is_a_proof),
        cmocka_unit_test(weight_1_finds_shortest_paths),
        cmocka_unit_test(threads_are_guided),
        cmocka_unit_test(objects_that_are_one_hide_nothing),
        cmocka_unit_test(distances_are_never_too_large),
        cmocka_unit_test(deadlocks_are_looked_for_breadth_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
