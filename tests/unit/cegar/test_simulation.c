/* Abstract graphs against real ones, edge by edge: every real run has an abstract one beside it. The real
 * steps are those of a search that leaves nothing out; from each pair of a real and an abstract state that
 * belong together, each of them must have an abstract step to a state that contains where it leads. */
#include "c_text.h"

#include "base/hash.h"
#include "base/map.h"
#include "cegar/survey.h"
#include "machine/setup.h"

/* --- real steps ----------------------------------------------------------------------------------------- */

enum { VIOLATION = UINT32_MAX };

typedef struct real_step {
    uint32_t from, to, thread; /* to: or VIOLATION */
} real_step;

typedef VEC(real_step) real_steps;
typedef VEC(uint32_t) numbers;

typedef struct real_graph {
    map known;
    VEC(state *) states; /* the first is where the program begins */
    real_steps steps;
    VEC(numbers) from; /* steps from each state */
} real_graph;

static uint32_t number_of(real_graph *g, const state *s) {
    uint64_t key = state_hash(s, HASH_EXACT), known = map_get(&g->known, key);
    assert_int_equal(state_path_count(s), 0);
    if (known != MAP_NONE) return (uint32_t)known;
    map_put(&g->known, key, g->states.size);
    vec_push(&g->states, state_assume(s, NULL, 0));
    vec_push(&g->from, ((numbers){0}));
    return (uint32_t)g->states.size - 1;
}

static void note_step(void *data, const state *from, transition by, const successor *to) {
    real_graph *g = data;
    if (to->end != STEP_VIOLATION && to->end != STEP_STOPPED) return;
    real_step step = {number_of(g, from), VIOLATION, by.thread};
    if (to->end == STEP_STOPPED) step.to = number_of(g, to->to);
    vec_push(&g->from.data[step.from], (uint32_t)g->steps.size);
    vec_push(&g->steps, step);
}

static void real_graph_free(real_graph *g, machine *m) {
    for (size_t k = 0; k < g->states.size; k++) {
        state_release(m, g->states.data[k]);
        vec_free(&g->from.data[k]);
    }
    vec_free(&g->states);
    vec_free(&g->from);
    vec_free(&g->steps);
    map_free(&g->known);
}

/* --- abstract steps ------------------------------------------------------------------------------------- */

typedef struct abstract_graph {
    survey *v;
    VEC(survey_place) places;
    VEC(numbers) children;
    uint32_t without; /* as if this state had never been made: the test of the test */
} abstract_graph;

static abstract_graph abstract_steps(survey *v) {
    abstract_graph a = {.v = v, .without = SURVEY_NO_NODE};
    for (uint32_t k = 0; k < survey_size(v); k++) {
        vec_push(&a.places, survey_look(v, k));
        vec_push(&a.children, ((numbers){0}));
    }
    for (uint32_t k = 1; k < a.places.size; k++) vec_push(&a.children.data[a.places.data[k].parent], k);
    return a;
}

static void abstract_graph_free(abstract_graph *a) {
    for (size_t k = 0; k < a->children.size; k++) vec_free(&a->children.data[k]);
    vec_free(&a->children);
    vec_free(&a->places);
}

/* --- side by side --------------------------------------------------------------------------------------- */

typedef struct pair {
    uint32_t real, node;
} pair;

typedef struct journey {
    const real_graph *real;
    const abstract_graph *abstract;
    map seen;
    VEC(pair) pairs;
    numbers inside; /* what is reached from a node within a step */
    map compared;   /* real steps */
} journey;

static bool meet(journey *w, uint32_t node, uint32_t real) {
    if (!survey_contains(w->abstract->v, node, w->real->states.data[real])) return false;
    uint64_t key = hash_pair(real, node);
    if (map_get(&w->seen, key) != MAP_NONE) return true;
    map_put(&w->seen, key, 1);
    vec_push(&w->pairs, ((pair){real, node}));
    return true;
}

/* Several abstract steps without a choice are one: the states between have no place of their own. */
static bool arrives(journey *w, uint32_t node, uint32_t steps, uint32_t real) {
    for (; steps; steps--) {
        const numbers *next = &w->real->from.data[real];
        if (next->size != 1) return !next->size;
        map_put(&w->compared, next->data[0], 1);
        real = w->real->steps.data[next->data[0]].to;
        if (real == VIOLATION) return false;
    }
    return meet(w, node, real);
}

/* All abstract steps are taken that the real one may be. */
static bool has_abstract_step(journey *w, uint32_t node, const real_step *step) {
    const abstract_graph *a = w->abstract;
    bool found = false;
    vec_clear(&w->inside);
    vec_push(&w->inside, node);
    for (size_t k = 0; k < w->inside.size; k++) {
        uint32_t at = w->inside.data[k];
        if (step->to == VIOLATION && a->places.data[at].ends) return true;
        for (size_t n = 0; n < a->children.data[at].size; n++) {
            uint32_t child = a->children.data[at].data[n];
            const survey_place *to = &a->places.data[child];
            if (child == a->without || (to->steps < 2 && to->by.thread != step->thread)) continue;
            if (!to->steps)
                vec_push(&w->inside, to->goes_on_as);
            else if (step->to != VIOLATION)
                found |= arrives(w, to->goes_on_as, to->steps - 1, step->to);
        }
    }
    return found;
}

/* Whether each real step has an abstract one, and all of them were met. */
static bool is_simulated(const real_graph *real, const abstract_graph *abstract) {
    journey w = {.real = real, .abstract = abstract};
    bool good = meet(&w, 0, 0);
    for (size_t k = 0; k < w.pairs.size && good; k++) {
        const pair p = w.pairs.data[k];
        const numbers *steps = &real->from.data[p.real];
        for (size_t n = 0; n < steps->size && good; n++) {
            map_put(&w.compared, steps->data[n], 1);
            good = has_abstract_step(&w, p.node, &real->steps.data[steps->data[n]]);
        }
    }
    good = good && w.compared.size == real->steps.size;
    vec_free(&w.pairs);
    vec_free(&w.inside);
    map_free(&w.compared);
    map_free(&w.seen);
    return good;
}

/* --- programs ------------------------------------------------------------------------------------------- */

#define HEADER "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"

static const char takes_turns[] = HEADER
    "int turn, a, b; void *one(void *p) { for (int i = 0; i < 3; i++) if (turn == 0) { a++; turn = 1; }\n"
    "    return p; }\n"
    "void *two(void *p) { for (int i = 0; i < 3; i++) if (turn == 1) { b++; turn = 0; } return p; }\n"
    "int main(void) { pthread_t t, u; pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0);\n"
    "    int x = a, y = b; assert(!(x == 2 && y == 2)); }\n";

static const char never_meets[] = HEADER
    "int want0, want1, turn, inside;\n"
    "#define ENTER(mine, other, her) mine = 1; turn = her; while (other && turn == her) {} inside++;\\\n"
    "    assert(inside == 1); inside--; mine = 0;\n"
    "void *other(void *p) { ENTER(want1, want0, 0) return p; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); ENTER(want0, want1, 1) }\n";

/* On the heap, with two objects. */
static const char list[] =
    HEADER "struct item { struct item *next; int number; }; struct item *first; int sum;\n"
           "void *adds(void *p) { for (int n = 1; n < 3; n++) { struct item *i = malloc(sizeof *i);\n"
           "    if (!i) return p; i->number = n; i->next = first; first = i; } return p; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, adds, 0);\n"
           "    for (struct item *i = first; i; i = i->next) sum += i->number; assert(sum != 3); }\n";

static real_graph all_steps(machine *m, explore_options *how) {
    real_graph g = {0};
    *how = explore_default_options();
    how->deterministic = true;
    how->all = true;
    how->order = ORDER_BFS;
    how->por = POR_NONE;
    how->match = MATCH_CEQ;
    how->properties = PROPERTY_ASSERT;
    how->observe = note_step;
    how->observe_data = &g;
    outcome out = {0};
    state *start = machine_initial(m, 0);
    number_of(&g, start);
    state_release(m, start);
    search_run(m, how, &out);
    assert_true(out.complete);
    outcome_free(&out);
    how->observe = NULL;
    return g;
}

/* Steps that lead nowhere are missed, though not all: others may lead to what stands for more. */
static uint32_t count_steps_that_are_missed(const real_graph *real, abstract_graph *a) {
    uint32_t missed = 0;
    for (a->without = 1; a->without < a->places.size; a->without++) missed += !is_simulated(real, a);
    return missed;
}

static void check_program(const char *source, unsigned levels, bool leave_out) {
    machine_options awake = awake_options();
    fixture f = fixture_of_program(translate_c(source), &awake, 0);
    explore_options how;
    real_graph real = all_steps(f.m, &how);
    how.abstraction.apart = 3; /* more than any of the programs makes */
    survey *v = survey_begin(f.m, &how);
    for (unsigned level = 0; level < levels; level++) {
        assert_non_null(v);
        assert_true(survey_go_on(v, (survey_budget){0}));
        abstract_graph a = abstract_steps(v);
        assert_true(is_simulated(&real, &a));
        if (leave_out) assert_true(count_steps_that_are_missed(&real, &a) > real.states.size);
        abstract_graph_free(&a);
        survey *finer = survey_begin_finer(v);
        survey_destroy(v);
        v = finer;
    }
    survey_destroy(v);
    real_graph_free(&real, f.m);
    fixture_close(&f);
}

static void every_real_step_has_an_abstract_one(void **unused) {
    (void)unused;
    check_program(takes_turns, 4, false);
    check_program(list, 1, false);
}

static void a_step_that_is_left_out_is_missed(void **unused) {
    (void)unused;
    check_program(never_meets, 3, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_real_step_has_an_abstract_one),
        cmocka_unit_test(a_step_that_is_left_out_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
