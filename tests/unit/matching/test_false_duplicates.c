/* False duplicates of approximate matching, counted: which of the states that were taken for visited ones
 * stand for something that no visited state stands for? Every value of every input is tried, so nothing of
 * what matches states is asked. */
#include "c_text.h"

#include "base/hash.h"
#include "base/map.h"
#include "machine/state.h"
#include "matching/matcher.h"

enum { LARGEST = 3, MOST_INPUTS = 3 }; /* inputs of the programs below lie between -LARGEST and LARGEST */

#define PROGRAM(globals, code)                                                                               \
    "#include <symcpp.h>\n#define ANY symcpp_nondet(-3, 3)\n" globals "\nint main() {\n" code "\n}\n"

/* --- what a state stands for ---------------------------------------------------------------------------- */

typedef struct described {
    const state *s;
    const term *inputs[MOST_INPUTS];
    size_t input_count;
    terms *c;
    valuation *chosen;
} described;

static void find_inputs_of(described *d, const term *t) {
    for (uint32_t k = 0; t && t->support && k < t->support->size; k++) {
        size_t at = 0;
        while (at < d->input_count && d->inputs[at] != t->support->symbol[k]) at++;
        if (at < d->input_count) continue;
        assert_true(d->input_count < MOST_INPUTS);
        d->inputs[d->input_count++] = t->support->symbol[k];
    }
}

/* Calls `look` with every value of the state, in an order that depends on where it stands alone. */
static void each_value(described *d, void (*look)(described *d, value v, uint64_t *sum), uint64_t *sum) {
    const state *s = d->s;
    for (uint32_t t = 0; t < s->thread_count; t++)
        for (uint32_t k = 0; k < s->threads[t]->value_count; k++) look(d, s->threads[t]->values[k], sum);
    for (uint32_t o = 0; o < s->static_count; o++)
        for (uint32_t k = 0; k < s->objects[o]->cells; k++) look(d, s->objects[o]->cell[k], sum);
    for (uint32_t o = 0; o < s->dynamic_count; o++)
        for (uint32_t k = 0; k < s->dynamic[o].object->cells; k++)
            look(d, s->dynamic[o].object->cell[k], sum);
}

static void look_for_inputs(described *d, value v, uint64_t *sum) {
    (void)sum;
    find_inputs_of(d, v.bits);
}

static void add_number(described *d, value v, uint64_t *sum) {
    *sum = hash_pair(*sum, v.bits ? term_evaluate(d->c, v.bits, d->chosen) : UINT64_MAX);
    *sum = hash_pair(*sum, v.base);
}

static uint64_t places_of(const state *s) {
    uint64_t sum = s->thread_count;
    for (uint32_t t = 0; t < s->thread_count; t++) {
        const thread_part *p = s->threads[t];
        sum = hash_pair(sum, p->status);
        for (uint32_t k = 0; k < p->frame_count; k++) {
            const frame *f = &p->frames[k];
            sum = hash_pair(hash_pair(sum, f->function), (uint64_t)f->block << 32 | f->index);
        }
    }
    return sum;
}

static bool is_possible(const described *d) {
    for (uint32_t k = 0; k < d->s->path_count; k++)
        if (!term_evaluate(d->c, state_path(d->s)[k], d->chosen)) return false;
    return true;
}

/* The next choice of values; false after the last. */
static bool choose_next(described *d, int *values) {
    size_t k = 0;
    while (k < d->input_count && ++values[k] > LARGEST) values[k++] = -LARGEST;
    return k < d->input_count;
}

typedef bool (*each_meaning)(void *data, uint64_t number);

/* Calls `each` with a number for each combination of values the state stands for, until it says no. */
static bool each_concrete(terms *c, const state *s, each_meaning each, void *data) {
    described d = {.s = s, .c = c, .chosen = valuation_create()};
    each_value(&d, look_for_inputs, NULL);
    for (uint32_t k = 0; k < s->path_count; k++) find_inputs_of(&d, state_path(s)[k]);
    int values[MOST_INPUTS];
    for (size_t k = 0; k < MOST_INPUTS; k++) values[k] = -LARGEST;
    bool go_on = true;
    do {
        for (size_t k = 0; k < d.input_count; k++)
            valuation_set(d.chosen, d.inputs[k],
                          (uint64_t)(int64_t)values[k] & term_mask(d.inputs[k]->width));
        if (!is_possible(&d)) continue;
        uint64_t sum = places_of(s);
        each_value(&d, add_number, &sum);
        go_on = each(data, sum);
    } while (go_on && choose_next(&d, values));
    valuation_destroy(d.chosen);
    return go_on;
}

/* --- what a search did ---------------------------------------------------------------------------------- */

typedef struct watched {
    terms *c;
    map covered;       /* what states stand for from which steps were taken */
    VEC(state *) came; /* to these states */
} watched;

static bool note_meaning(void *data, uint64_t number) {
    map_put(data, number, 1);
    return true;
}

static bool is_known(void *data, uint64_t number) {
    return map_get(data, number) != MAP_NONE;
}

static void watch_step(void *data, const state *from, transition by, const successor *to) {
    watched *w = data;
    (void)by;
    each_concrete(w->c, from, note_meaning, &w->covered);
    if (to->end == STEP_STOPPED) vec_push(&w->came, state_clone(to->to));
}

typedef struct counted {
    uint64_t duplicates, false_duplicates;
    map covered;
} counted;

static explore_options all_states(match_kind match, uint64_t chain) {
    explore_options how = explore_default_options();
    how.deterministic = true;
    how.all = true;
    how.order = ORDER_BFS;
    how.por = POR_NONE;
    how.match = match;
    how.chain = chain;
    how.properties = PROPERTY_ASSERT;
    return how;
}

static counted count_with(const char *source, match_kind match, uint64_t chain) {
    fixture f = fixture_of_program(translate_cpp(source), NULL, 0);
    watched w = {.c = f.c};
    explore_options how = all_states(match, chain);
    how.stops = STOP_STATEMENT;
    how.observe = watch_step;
    how.observe_data = &w;
    outcome out = {0};
    search_run(f.m, &how, &out);
    assert_true(out.complete);
    counted result = {.duplicates = out.stats.matched, .covered = w.covered};
    for (size_t k = 0; k < w.came.size; k++) {
        result.false_duplicates += !each_concrete(f.c, w.came.data[k], is_known, &w.covered);
        state_release(f.m, w.came.data[k]);
    }
    vec_free(&w.came);
    outcome_free(&out);
    fixture_close(&f);
    return result;
}

/* --- small programs ------------------------------------------------------------------------------------- */

#define SMALLEST(less)                                                                                       \
    PROGRAM("int x1, x2, x3, y, error;\n"                                                                    \
            "int smallest(int a, int b, int c) { int m = a; if (b < m) m = b; if (c " less " m) m = c;\n"    \
            "    return m; }",                                                                               \
            "x1 = ANY; x2 = ANY; x3 = ANY; y = smallest(x1, x2, x3);\n"                                      \
            "if (y == x1) error = (x2 < x1) || (x3 < x1); else if (y == x2) error = (x1 < x2) || (x3 < "     \
            "x2);\n"                                                                                         \
            "else if (y == x3) error = (x1 < x3) || (x2 < x3); else error = 1;")

static const struct {
    const char *source;
    uint64_t false_duplicates; /* by hand: breadth first, a state behind every statement */
} programs[] = {
    /* behind each of the first two conditions who took the longer way meets one who excludes it */
    {PROGRAM("int x, y, more, error;",
             "x = ANY; y = ANY; if (x > 2) more = 0; if (y > 0) more = 0; if (x < 1) error = 1;"),
     2},
    /* the same in what looks for the smallest of three, right or wrong */
    {SMALLEST("<"), 2},
    {SMALLEST(">"), 2},
    /* reactive: what was drawn is gone at the end of a round, and on is 0 or 1, from both values of it */
    {PROGRAM("int x, on, k;", "for (k = 0; k < 3; k++) { x = ANY; if (x > 0) on = 1; else on = 0; x = 0; }"),
     0},
    /* two parts come later than the whole */
    {PROGRAM("int x, y;", "x = ANY; y = ANY; if (y > 0) y = 1; else if (x > 0) { y = 1; y = 1; }\n"
                          "else { y = 1; y = 1; } y = 0; x = -x;"),
     0},
    /* one of two parts comes later than the other */
    {PROGRAM("int x, y;", "x = ANY; y = 0; if (x > 0) { y = 1; y = 1; } else y = 1; y = 0; x = -x;"), 1},
    /* one of two parts comes first, the other and then the whole later */
    {PROGRAM("int x, y;", "x = ANY; y = ANY; if (y > 0) { y = 1; y = 1; y = 1; } else if (x > 0) y = 1;\n"
                          "else y = 1; y = 0; x = -x;"),
     2},
    {PROGRAM("int sem, buf, out;\n"
             "class Sensor : public Thread { void Run() override { await(&sem); buf = ANY; sem = 1; } };\n"
             "class Actuator : public Thread { void Run() override {\n"
             "    await(&sem); out = 2 * buf; sem = 1; } };\n"
             "Sensor sensor; Actuator actuator;",
             "sem = 1; sensor.Start(); actuator.Start();"),
     0},
};

static bool stand_for_the_same(const counted *a, const counted *b) {
    for (size_t k = 0; k < a->covered.capacity; k++) {
        const map_slot *slot = &a->covered.slots[k];
        if (slot->value != MAP_NONE && map_get(&b->covered, slot->key) == MAP_NONE) return false;
    }
    return a->covered.size == b->covered.size;
}

/* Without matching all is explored that there is. A search that has no false duplicate has come to the same,
 * one that has some has not. */
static void false_duplicates_are_what_is_missing(void **unused) {
    (void)unused;
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
        counted everything = count_with(programs[k].source, MATCH_NONE, 0);
        assert_int_equal(everything.false_duplicates, 0);
        static const match_kind exact[] = {MATCH_ESM, MATCH_ESS};
        for (size_t n = 0; n < 2; n++) {
            counted c = count_with(programs[k].source, exact[n], 0);
            assert_int_equal(c.false_duplicates, 0);
            assert_true(stand_for_the_same(&c, &everything));
            map_free(&c.covered);
        }
        for (uint64_t chain = 0; chain <= 100; chain += 100) {
            counted c = count_with(programs[k].source, MATCH_APPROXIMATE, chain);
            if (!chain) assert_int_equal(c.false_duplicates, programs[k].false_duplicates);
            assert_true(c.false_duplicates <= c.duplicates);
            assert_int_equal(stand_for_the_same(&c, &everything), !c.false_duplicates);
            map_free(&c.covered);
        }
        map_free(&everything.covered);
    }
}

/* --- models --------------------------------------------------------------------------------------------- */

typedef VEC(uint32_t) numbers;

typedef struct explored {
    matcher *exact;
    map known;            /* states from which steps were taken, by what they are */
    map alike;            /* buckets of them, by what can cover each other */
    VEC(numbers) buckets; /* of numbers in `from` */
    VEC(state *) from, came;
} explored;

static uint64_t identity_of(const state *s) {
    uint64_t sum = state_hash(s, HASH_EXACT);
    for (uint32_t k = 0; k < s->path_count; k++) sum += hash_mix(state_path(s)[k]->id);
    return sum;
}

static void keep_step(void *data, const state *from, transition by, const successor *to) {
    explored *e = data;
    (void)by;
    if (to->end == STEP_STOPPED) vec_push(&e->came, state_clone(to->to));
    uint64_t identity = identity_of(from), hash = matcher_hash(e->exact, from);
    if (map_get(&e->known, identity) != MAP_NONE) return;
    map_put(&e->known, identity, 1);
    uint64_t bucket = map_get(&e->alike, hash);
    if (bucket == MAP_NONE) {
        bucket = e->buckets.size;
        map_put(&e->alike, hash, bucket);
        vec_push(&e->buckets, ((numbers){0}));
    }
    vec_push(&e->buckets.data[bucket], (uint32_t)e->from.size);
    vec_push(&e->from, state_clone(from));
}

static bool is_covered(const explored *e, const state *s) {
    if (map_get(&e->known, identity_of(s)) != MAP_NONE) return true;
    uint64_t bucket = map_get(&e->alike, matcher_hash(e->exact, s));
    if (bucket == MAP_NONE) return false;
    const numbers *candidates = &e->buckets.data[bucket];
    for (size_t k = 0; k < candidates->size; k++)
        if (matcher_covers(e->exact, s, e->from.data[candidates->data[k]])) return true;
    return false;
}

static void explored_free(explored *e, machine *m) {
    for (size_t k = 0; k < e->from.size; k++) state_release(m, e->from.data[k]);
    for (size_t k = 0; k < e->came.size; k++) state_release(m, e->came.data[k]);
    for (size_t k = 0; k < e->buckets.size; k++) vec_free(&e->buckets.data[k]);
    vec_free(&e->from);
    vec_free(&e->came);
    vec_free(&e->buckets);
    map_free(&e->known);
    map_free(&e->alike);
    matcher_destroy(e->exact);
}

static void explore(machine *m, match_kind match, explored *e, outcome *out) {
    const match_options subsumed = {.kind = MATCH_ESS};
    e->exact = matcher_create(m, &subsumed);
    explore_options how = all_states(match, 1000000);
    how.observe = keep_step;
    how.observe_data = e;
    search_run(m, &how, out);
    assert_true(out->complete);
}

static uint64_t false_duplicates_of(const explored *e) {
    uint64_t uncovered = 0;
    for (size_t k = 0; k < e->came.size; k++) uncovered += !is_covered(e, e->came.data[k]);
    return uncovered;
}

/* A duplicate counts as false here if no single visited state covers it; several together might. */
static void count_in_model(const char *file, const char *defined, counted *sum) {
    char path[512];
    snprintf(path, sizeof path, "%s/models/symcpp/%s", HEDDLE_SOURCE_DIR, file);
    fixture f = fixture_of_program(translate_file(path, defined), NULL, 0);
    explored all = {0}, some = {0};
    outcome exact = {0}, approximate = {0};
    explore(f.m, MATCH_ESS, &all, &exact);
    explore(f.m, MATCH_APPROXIMATE, &some, &approximate);
    assert_int_equal(false_duplicates_of(&all), 0);
    uint64_t uncovered = false_duplicates_of(&some);
    bool missed = false;
    for (size_t k = 0; k < all.from.size && !missed; k++) missed = !is_covered(&some, all.from.data[k]);
    assert_int_equal(missed, uncovered > 0);
    sum->duplicates += approximate.stats.matched;
    sum->false_duplicates += uncovered;
    explored_free(&all, f.m);
    explored_free(&some, f.m);
    outcome_free(&exact);
    outcome_free(&approximate);
    fixture_close(&f);
}

static void in_reactive_models_they_are_few(void **unused) {
    (void)unused;
    static const struct {
        const char *file, *defined;
    } models[] = {{"dishwasher.cpp", NULL},
                  {"home-alarm.cpp", NULL},
                  {"can-bus.cpp", "-DNODES=2"},
                  {"pbx.cpp", "-DTELEPHONES=2"},
                  {"home-heating.cpp", "-DROOMS=1"}};
    counted sum = {0};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        count_in_model(models[k].file, models[k].defined, &sum);
    assert_true(sum.false_duplicates > 0 && sum.false_duplicates * 20 < sum.duplicates);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_duplicates_are_what_is_missing),
        cmocka_unit_test(in_reactive_models_they_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
