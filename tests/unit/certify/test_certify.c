/* Certificates: proofs of the explorers are confirmed by a machine of its own, and nothing else is. */
#include "c_text.h"

#include "cegar/cegar.h"
#include "certify/certify.h"

#include <jansson.h>

/* --- set-up --------------------------------------------------------------------------------------------- */

static explore_options asking(unsigned properties) {
    explore_options o = explore_default_options();
    o.deterministic = true;
    o.max_transitions = 20000;
    o.properties = properties;
    return o;
}

/* What engine cegar says; with its certificate, if there is one. */
static verdict explore_for(program *p, explore_options how, text *certificate_text) {
    fixture f = fixture_of_program(p, NULL, 0);
    certificate_writer *w = certificate_writer_create(f.m);
    outcome out = {0};
    how.invariant = certificate_writer_add;
    how.invariant_data = w;
    cegar_run(f.m, &how, &out);
    verdict v = outcome_verdict(&out);
    if (certificate_writer_states(w)) certificate_write(w, "cegar", certificate_text);
    certificate_writer_destroy(w);
    outcome_free(&out);
    fixture_close(&f);
    return v;
}

typedef struct confirmation {
    bool confirmed;
    const char *reason; /* why not */
    uint64_t states;
} confirmation;

static confirmation confirm(program *p, const char *json, size_t length, unsigned properties) {
    fixture f = fixture_of_program(p, NULL, 0);
    confirmation result = {0};
    explore_options how = asking(properties);
    outcome out = {0};
    certificate *c = certificate_read(f.m, json, length, &result.reason);
    if (c) {
        certify_run(f.m, c, &how, &out);
        result.confirmed = outcome_verdict(&out) == VERDICT_SAFE;
        result.reason = out.doubts.size ? reason_words(vec_last(&out.doubts).why) : NULL;
        result.states = out.stats.states;
    }
    certificate_destroy(c);
    outcome_free(&out);
    fixture_close(&f);
    return result;
}

#define HEADER                                                                                               \
    "#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\n"                   \
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"

static const char in_step[] = HEADER "int main(void) { unsigned x = 0, y = 0;\n"
                                     "while (__VERIFIER_nondet_int()) { x++; y++; } assert(x == y); }\n";
static const char states_only[] =
    HEADER "int state; int main(void) { for (;;) { switch (state) { case 0: state = 1; break;\n"
           "case 1: if (__VERIFIER_nondet_int()) state = 2; break; case 2: state = 0; break;\n"
           "default: assert(0); } } }\n";
static const char two_counters[] =
    HEADER "unsigned x, y; void *w(void *a) { for (;;) { pthread_mutex_lock(&m); x++; y++;\n"
           "pthread_mutex_unlock(&m); } return a; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);\n"
           "for (;;) { pthread_mutex_lock(&m); assert(x == y); pthread_mutex_unlock(&m); } }\n";
static const char pointers[] =
    HEADER "#include <stdlib.h>\nint *shared; void *w(void *a) { int *mine = a; *mine = 1; return a; }\n"
           "int main(void) { int *p = malloc(4 * sizeof *p); if (!p) return 0; pthread_t t;\n"
           "int k = __VERIFIER_nondet_int(); if (k < 0 || k > 3) return 0; p[k] = 7; shared = p + k;\n"
           "int q = 0; pthread_create(&t, 0, w, &q); assert(*shared == 7); pthread_join(t, 0);\n"
           "assert(q == 1); free(p); }\n";
static const char ivl_source[] = "event e;\nuint x = 0;\nuint y = 0;\n"
                                 "thread a { while (true) { x += 1; y += 1; notify e, 0; wait e; } }\n"
                                 "thread b { while (true) { wait e; assert (x == y); } }\n"
                                 "main { start; }\n";

/* --- confirmed ------------------------------------------------------------------------------------------ */

static void assert_certified(program *first, program *second, explore_options how) {
    text json = {0};
    assert_int_equal(explore_for(first, how, &json), VERDICT_SAFE);
    assert_true(json.size > 0);
    confirmation c = confirm(second, text_cstr(&json), json.size, how.properties);
    if (!c.confirmed) fail_msg("%s", c.reason);
    assert_true(c.states > 0);
    text_free(&json);
}

static void proofs_are_confirmed(void **unused) {
    (void)unused;
    static const char *const sources[] = {in_step, states_only, two_counters};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (int blocks = BLOCKS_JOINS; blocks <= BLOCKS_SMALL; blocks++) {
            explore_options how = asking(PROPERTY_ASSERT);
            how.abstraction.blocks = (block_kind)blocks;
            assert_certified(translate_c(sources[i]), translate_c(sources[i]), how);
            how.por = POR_NONE;
            assert_certified(translate_c(sources[i]), translate_c(sources[i]), how);
        }
}

/* Heap, variables of other threads, an offset that nobody knows. */
static void pointers_are_confirmed(void **unused) {
    (void)unused;
    for (int blocks = BLOCKS_JOINS; blocks <= BLOCKS_LARGE; blocks++) {
        explore_options how = asking(PROPERTY_ASSERT);
        how.abstraction.blocks = (block_kind)blocks;
        assert_certified(translate_c(pointers), translate_c(pointers), how);
    }
}

static void every_domain_has_certificates(void **unused) {
    (void)unused;
    static const abstract_domain domains[] = {DOMAIN_PRODUCT, DOMAIN_CARTESIAN, DOMAIN_BOOLEAN};
    for (size_t d = 0; d < 3; d++) {
        explore_options how = asking(PROPERTY_ASSERT);
        how.abstraction.domain = domains[d];
        assert_certified(translate_c(in_step), translate_c(in_step), how);
        assert_certified(compile_with(ivl_source, NULL, 0), compile_with(ivl_source, NULL, 0), how);
    }
}

/* All combinations of predicates: the end of a step is in none of the states, but in all of them together. */
static void several_states_together_are_enough(void **unused) {
    (void)unused;
    static const char source[] = HEADER "int main(void) { int n = __VERIFIER_nondet_int(), found = 0;\n"
                                        "while (__VERIFIER_nondet_int()) { } if (n > 0) found = 1;\n"
                                        "while (__VERIFIER_nondet_int()) { } assert(n <= 0 || found); }\n";
    explore_options how = asking(PROPERTY_ASSERT);
    how.abstraction.domain = DOMAIN_BOOLEAN;
    how.abstraction.scope = SCOPE_GLOBAL;
    assert_certified(translate_c(source), translate_c(source), how);
}

/* --- refused -------------------------------------------------------------------------------------------- */

/* Nobody disturbs the thread that spins, so a reduction without its cycle rule never comes to the other one
 * and says safe. There is no invariant for that. */
static void a_wrong_reduction_shows(void **unused) {
    (void)unused;
    static const char spins[] =
        HEADER "int raised, other; void *w(void *a) { while (raised != 1) { } return a; }\n"
               "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); assert(other); }\n";
    explore_options how = asking(PROPERTY_ASSERT);
    text json = {0};
    how.proviso = false;
    fixture f = fixture_of_program(translate_c(spins), NULL, 0);
    outcome out = {0};
    cegar_run(f.m, &how, &out);
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE); /* wrong, as it must be */
    outcome_free(&out);
    fixture_close(&f);
    assert_int_equal(explore_for(translate_c(spins), how, &json), VERDICT_ERROR); /* hidden until then */
    assert_int_equal(json.size, 0);
}

/* An invariant of the same program that nobody asked to be safe. */
static void invariants_that_are_not_safe_are_refused(void **unused) {
    (void)unused;
    static const char fails[] = "int x = 0;\nthread a { x = ?(int); wait_time 1; assert (x != 3); }\n"
                                "main { start; }\n";
    text json = {0};
    assert_int_equal(explore_for(compile_with(fails, NULL, 0), asking(PROPERTY_MEMORY), &json), VERDICT_SAFE);
    assert_true(
        confirm(compile_with(fails, NULL, 0), text_cstr(&json), json.size, PROPERTY_MEMORY).confirmed);
    confirmation c = confirm(compile_with(fails, NULL, 0), text_cstr(&json), json.size, PROPERTY_ASSERT);
    assert_false(c.confirmed);
    assert_string_equal(c.reason, "a state of the certificate violates a property");
    text_free(&json);
}

static void what_certificates_do_not_say_is_not_confirmed(void **unused) {
    (void)unused;
    static const unsigned other[] = {PROPERTY_DEADLOCK, PROPERTY_RACE, PROPERTY_LEAK};
    text json = {0};
    explore_for(compile_with(ivl_source, NULL, 0), asking(PROPERTY_ASSERT), &json);
    for (size_t i = 0; i < 3; i++)
        assert_false(confirm(compile_with(ivl_source, NULL, 0), text_cstr(&json), json.size,
                             PROPERTY_ASSERT | other[i])
                         .confirmed);
    text_free(&json);
}

/* --- tampered with -------------------------------------------------------------------------------------- */

typedef struct tampering {
    program *(*again)(void); /* the program */
    json_t *root;
    size_t states;
} tampering;

static program *counting_program(void) {
    return compile_with(ivl_source, NULL, 0);
}

static json_t *state_number(const tampering *t, size_t wanted, json_t **list, size_t *index) {
    json_t *groups = json_object_get(t->root, "invariant");
    for (size_t i = 0; i < json_array_size(groups); i++) {
        *list = json_object_get(json_array_get(groups, i), "states");
        if (wanted < json_array_size(*list)) {
            *index = wanted;
            return json_array_get(*list, wanted);
        }
        wanted -= json_array_size(*list);
    }
    return NULL;
}

static tampering prepare(program *(*again)(void)) {
    text json = {0};
    tampering t = {.again = again};
    assert_int_equal(explore_for(again(), asking(PROPERTY_ASSERT), &json), VERDICT_SAFE);
    t.root = json_loads(text_cstr(&json), 0, NULL);
    assert_non_null(t.root);
    json_t *list;
    size_t index;
    while (state_number(&t, t.states, &list, &index)) t.states++;
    text_free(&json);
    return t;
}

static confirmation confirm_tampered(const tampering *t) {
    char *json = json_dumps(t->root, 0);
    confirmation c = confirm(t->again(), json, strlen(json), PROPERTY_ASSERT);
    free(json);
    return c;
}

/* Applies a change to each state in turn; returns how many of the changed certificates are refused. */
static size_t count_refused(const tampering *t, bool (*change)(json_t *s, json_t *list, size_t index),
                            size_t *changed) {
    size_t refused = 0;
    *changed = 0;
    for (size_t i = 0; i < t->states; i++) {
        tampering copy = {.again = t->again, .root = json_deep_copy(t->root)};
        json_t *list;
        size_t index;
        json_t *s = state_number(&copy, i, &list, &index);
        if (change(s, list, index)) {
            ++*changed;
            refused += !confirm_tampered(&copy).confirmed;
        }
        json_decref(copy.root);
    }
    return refused;
}

static bool drop_state(json_t *s, json_t *list, size_t index) {
    (void)s;
    return !json_array_remove(list, index);
}

static bool change_first_constant(json_t *s, json_t *list, size_t index) {
    (void)list;
    (void)index;
    json_t *first = json_array_get(json_object_get(s, "constants"), 0);
    if (!first) return false;
    json_t *number = json_array_get(first, 2);
    json_integer_set(number, json_integer_value(number) ^ 1);
    return true;
}

static bool drop_conditions(json_t *s, json_t *list, size_t index) {
    (void)list;
    (void)index;
    json_t *conditions = json_object_get(s, "conditions");
    bool some = json_array_size(conditions) > 0;
    json_array_clear(conditions);
    return some;
}

/* The first condition and its negation: a state that stands for nothing. */
static bool add_contradiction(json_t *s, json_t *list, size_t index) {
    (void)list;
    (void)index;
    json_array_append_new(json_object_get(s, "conditions"), json_integer(0));
    return true;
}

static void no_state_can_be_left_out(void **unused) {
    (void)unused;
    tampering t = prepare(counting_program);
    size_t changed, refused = count_refused(&t, drop_state, &changed);
    assert_true(confirm_tampered(&t).confirmed);
    assert_true(t.states > 3);
    assert_int_equal(changed, t.states);
    assert_int_equal(refused, t.states);
    json_decref(t.root);
}

static void no_constant_can_be_changed(void **unused) {
    (void)unused;
    tampering t = prepare(counting_program);
    size_t changed, refused = count_refused(&t, change_first_constant, &changed);
    assert_true(changed > 0);
    assert_int_equal(refused, changed);
    json_decref(t.root);
}

/* x == y is what the proof is about: without it the assertion fails, or the next state is not reached. */
static void no_condition_can_be_dropped(void **unused) {
    (void)unused;
    tampering t = prepare(counting_program);
    size_t changed, refused = count_refused(&t, drop_conditions, &changed);
    assert_true(changed > 0);
    assert_int_equal(refused, changed);
    json_decref(t.root);
}

static void states_cannot_be_made_smaller(void **unused) {
    (void)unused;
    tampering t = prepare(counting_program);
    json_t *falsehood = json_pack("[s, i, i]", "const", 1, 0), *terms = json_object_get(t.root, "terms");
    json_t *groups = json_object_get(t.root, "invariant");
    json_array_insert_new(terms, 0, falsehood);
    for (size_t i = 1; i < json_array_size(terms); i++) { /* everything moves up by one */
        json_t *one = json_array_get(terms, i);
        for (size_t k = 3; k < json_array_size(one); k++) {
            json_t *at = json_array_get(one, k);
            json_integer_set(at, json_integer_value(at) + 1);
        }
    }
    for (size_t i = 0; i < json_array_size(groups); i++) {
        json_t *states = json_object_get(json_array_get(groups, i), "states");
        for (size_t k = 0; k < json_array_size(states); k++) {
            json_t *list = json_object_get(json_array_get(states, k), "conditions");
            for (size_t j = 0; j < json_array_size(list); j++)
                json_integer_set(json_array_get(list, j), json_integer_value(json_array_get(list, j)) + 1);
        }
    }
    assert_true(confirm_tampered(&t).confirmed);
    size_t changed, refused = count_refused(&t, add_contradiction, &changed);
    assert_int_equal(changed, t.states);
    assert_int_equal(refused, changed);
    json_decref(t.root);
}

static void the_first_state_must_be_there(void **unused) {
    (void)unused;
    tampering t = prepare(counting_program);
    json_array_clear(json_object_get(t.root, "invariant"));
    confirmation c = confirm_tampered(&t);
    assert_false(c.confirmed);
    assert_string_equal(c.reason, "the initial state is not in the certificate");
    json_decref(t.root);
}

/* A certificate of a program that is safe, for one that is not. */
static void certificates_of_other_programs_are_refused(void **unused) {
    (void)unused;
    static const char other[] = "event e;\nuint x = 0;\nuint y = 0;\n"
                                "thread a { while (true) { x += 1; y += 2; notify e, 0; wait e; } }\n"
                                "thread b { while (true) { wait e; assert (x == y); } }\n"
                                "main { start; }\n";
    text json = {0};
    explore_for(compile_with(ivl_source, NULL, 0), asking(PROPERTY_ASSERT), &json);
    confirmation c = confirm(compile_with(other, NULL, 0), text_cstr(&json), json.size, PROPERTY_ASSERT);
    assert_false(c.confirmed);
    assert_string_equal(c.reason, "a step leads out of the certificate");
    text_free(&json);
}

/* --- broken --------------------------------------------------------------------------------------------- */

static void assert_unreadable(const char *json) {
    confirmation c = confirm(counting_program(), json, strlen(json), PROPERTY_ASSERT);
    assert_false(c.confirmed);
    assert_memory_equal(c.reason, "certificate: ", 13);
}

#define START                                                                                                \
    "{\"format\": \"heddle-certificate\", \"version\": 1, \"stops\": 1, \"threads\": [], \"objects\": [], "  \
    "\"sites\": [], \"terms\": "

static void broken_texts_are_refused(void **unused) {
    (void)unused;
    assert_unreadable("");
    assert_unreadable("{");
    assert_unreadable("[]");
    assert_unreadable("{\"format\": \"other\"}");
    assert_unreadable("{\"format\": \"heddle-certificate\", \"version\": 2, \"stops\": 1}");
    assert_unreadable("{\"format\": \"heddle-certificate\", \"version\": 1, \"stops\": 64}");
    assert_unreadable(
        "{\"format\": \"heddle-certificate\", \"version\": 1, \"stops\": 1, \"threads\": [[9, 9, "
        "9]], \"objects\": [], \"sites\": [], \"terms\": [], \"invariant\": []}");
    assert_unreadable(START "[[\"symbol\", 32, 5]], \"invariant\": []}"); /* an input, not a place */
    assert_unreadable(START "[[\"add\", 32, 0, 0, 0]], \"invariant\": []}");
    assert_unreadable(START
                      "[[\"const\", 8, 1], [\"const\", 9, 1], [\"add\", 8, 0, 0, 1]], \"invariant\": []}");
    assert_unreadable(START "[[\"const\", 8, 1], [\"extract\", 8, 1, 0]], \"invariant\": []}");
    assert_unreadable(START "[[\"const\", 65, 1]], \"invariant\": []}");
    assert_unreadable(START "[[\"const\", 8, 1]], \"invariant\": [{\"control\": \"0\", \"states\": "
                            "[{\"constants\": [], \"others\": [], \"conditions\": [0]}]}]}");
    assert_unreadable(START "[], \"invariant\": [{\"control\": \"xyz\", \"states\": []}]}");
    assert_unreadable(START "[], \"invariant\": 5}");
}

/* Whatever a text has become, it is never a proof for a program that fails. */
static void mutants_prove_nothing_wrong(void **unused) {
    (void)unused;
    static const char fails[] = "int x = 0;\nthread a { x = ?(int); wait_time 1; assert (x != 3); }\n"
                                "main { start; }\n";
    text json = {0};
    assert_int_equal(explore_for(compile_with(fails, NULL, 0), asking(PROPERTY_MEMORY), &json), VERDICT_SAFE);
    uint64_t random = 1;
    for (int i = 0; i < 400; i++) {
        char *copy = malloc(json.size);
        memcpy(copy, json.data, json.size);
        for (int k = 0; k < 1 + i % 4; k++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            copy[(random >> 33) % json.size] = "0123456789[]{},\""[random >> 60];
        }
        assert_false(confirm(compile_with(fails, NULL, 0), copy, json.size, PROPERTY_ASSERT).confirmed);
        free(copy);
    }
    text_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(proofs_are_confirmed),
                                       cmocka_unit_test(pointers_are_confirmed),
                                       cmocka_unit_test(every_domain_has_certificates),
                                       cmocka_unit_test(several_states_together_are_enough),
                                       cmocka_unit_test(a_wrong_reduction_shows),
                                       cmocka_unit_test(invariants_that_are_not_safe_are_refused),
                                       cmocka_unit_test(what_certificates_do_not_say_is_not_confirmed),
                                       cmocka_unit_test(no_state_can_be_left_out),
                                       cmocka_unit_test(no_constant_can_be_changed),
                                       cmocka_unit_test(no_condition_can_be_dropped),
                                       cmocka_unit_test(states_cannot_be_made_smaller),
                                       cmocka_unit_test(the_first_state_must_be_there),
                                       cmocka_unit_test(certificates_of_other_programs_are_refused),
                                       cmocka_unit_test(broken_texts_are_refused),
                                       cmocka_unit_test(mutants_prove_nothing_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
