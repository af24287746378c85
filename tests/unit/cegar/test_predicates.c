/* What is known of predicates behind a step: the document's examples of weakest preconditions (5.4), which
 * are symbolic execution and solver here, and assignments that count together. */
#include "core_fixture.h"

#include "cegar/internal.h"

enum { MOST = 4 };

typedef struct setting {
    fixture f;
    explore_options how;
    cegar_variant variant;
    cegar x;
    state *unknown; /* where thread A is about to begin and nothing is known of the data */
} setting;

static setting setting_open(const char *source) {
    setting k = {.f = fixture_open(source), .how = explore_default_options()};
    k.how.abstraction = (abstraction_options){.domain = DOMAIN_PRODUCT, .scope = SCOPE_GLOBAL};
    state *first = walk(&k.f, "");
    reason_kind trouble;
    k.unknown = abstract_rename(
        k.f.m, first, (rename_options){.apart = ABSTRACT_MOST_APART, .ignore_time = true}, &trouble);
    assert_non_null(k.unknown);
    assert_null(abstract_forget(k.f.m, k.unknown, NULL, NULL));
    state_release(k.f.m, first);
    return k;
}

/* The setting must stay where it is from now on. */
static void begin_deciding(setting *k, const term *const *predicates, size_t count) {
    k->x = (cegar){
        .machine = k->f.m, .options = &k->how, .variant = &k->variant, .thorough = true, .ignore_time = true};
    k->x.values = substitution_create(k->f.c);
    k->x.precision = precision_create(k->f.m, &k->how.abstraction);
    for (size_t i = 0; i < count; i++) assert_true(precision_add(k->x.precision, 0, predicates[i]));
}

static void setting_close(setting *k) {
    if (k->x.values) {
        precision_destroy(k->x.precision);
        substitution_destroy(k->x.values);
    }
    state_release(k->f.m, k->unknown);
    fixture_close(&k->f);
}

static const term *place_of(const setting *k, const char *name) {
    const term *place = cell_term(&k->f, k->unknown, name);
    assert_true(abstract_is_place(place));
    return place;
}

static const term *word(const setting *k, uint64_t number) {
    return term_const(k->f.c, 32, number);
}

/* Thread A's step from where these conditions hold. */
static void step_from(const setting *k, const term *const *conditions, uint32_t count, successors *out) {
    state *s = state_assume(k->unknown, conditions, count);
    step_list(&k->f, s, "A", out);
    state_release(k->f.m, s);
}

static bool path_has(const state *s, const term *t) {
    for (uint32_t i = 0; i < state_path_count(s); i++)
        if (state_path(s)[i] == t) return true;
    return false;
}

/* Behind the only successor: 1 true, 0 false, ? open, for each predicate. */
static void check_behind(setting *k, const term *const *predicates, size_t count,
                         const term *const *conditions, uint32_t held, const char *expected) {
    successors list = {0};
    state_list abstract = {0};
    step_from(k, conditions, held, &list);
    assert_int_equal(list.size, 1);
    assert_null(abstraction_of(&k->x, list.data[0].to, thread_named(&k->f, "A"), &abstract));
    assert_int_equal(abstract.size, 1);
    char known[MOST + 1] = "";
    for (size_t i = 0; i < count; i++) {
        bool yes = path_has(abstract.data[0], predicates[i]);
        bool no = path_has(abstract.data[0], term_not(k->f.c, predicates[i]));
        assert_false(yes && no);
        known[i] = yes ? '1' : no ? '0' : '?';
    }
    assert_string_equal(known, expected);
    state_release(k->f.m, abstract.data[0]);
    vec_free(&abstract);
    successors_free(k->f.m, &list);
}

/* v < 8 and v == 3, then v += 2. The weakest precondition of v < 8 is v < 6, which of all combinations only
 * those with v == 3 imply; 8 and more stays so, if it is not so large that the sum comes round. */
static void what_must_hold_before_an_assignment(void **unused) {
    (void)unused;
    setting k = setting_open("int v; thread A{v = v + 2; wait_time 1;} main{start;}");
    terms *c = k.f.c;
    const term *v = place_of(&k, "v");
    const term *predicates[] = {term_slt(c, v, word(&k, 8)), term_eq(c, v, word(&k, 3))};
    const term *fails[] = {term_not(c, predicates[0]), term_not(c, predicates[1])};
    const term *not_large = term_slt(c, v, word(&k, 100));
    begin_deciding(&k, predicates, 2);
    check_behind(&k, predicates, 2, (const term *[]){predicates[0], predicates[1]}, 2, "10");
    /* 1 and 7; 1 and 0. */
    check_behind(&k, predicates, 2, (const term *[]){predicates[0], fails[1]}, 2, "??");
    check_behind(&k, predicates, 2, (const term *[]){fails[0], fails[1]}, 2, "?0"); /* 8 and 2^31 - 1 */
    check_behind(&k, predicates, 2, (const term *[]){fails[0], fails[1], not_large}, 3, "00");
    check_behind(&k, predicates, 2, NULL, 0, "??");
    setting_close(&k);
}

/* What is known of v > 0 from v > 2 and v == 0: it holds, it does not, or either. */
static void conditions_go_where_predicates_allow(void **unused) {
    (void)unused;
    setting k = setting_open("int v; thread A{if (v > 0) v = 1; else v = 2; wait_time 1;} main{start;}");
    terms *c = k.f.c;
    const term *v = place_of(&k, "v");
    const term *large = term_slt(c, word(&k, 2), v), *zero = term_eq(c, v, word(&k, 0));
    const term *cases[][2] = {
        {large, term_not(c, zero)}, {term_not(c, large), zero}, {term_not(c, large), term_not(c, zero)}};
    static const unsigned expected[] = {1, 2, 1 + 2}; /* sum of the ends */
    for (size_t i = 0; i < 3; i++) {
        successors list = {0};
        step_from(&k, cases[i], 2, &list);
        unsigned sum = 0;
        for (size_t n = 0; n < list.size; n++) sum += (unsigned)cell(&k.f, list.data[n].to, "v");
        assert_int_equal(list.size, i == 2 ? 2 : 1);
        assert_int_equal(sum, expected[i]);
        successors_free(k.f.m, &list);
    }
    setting_close(&k);
}

/* x == 1 and x == y, from 0 and 0: one predicate after the other and each assignment on its own would say
 * that x == y fails behind. */
static void assignments_count_together(void **unused) {
    (void)unused;
    setting k = setting_open("int x, y; thread A{x = 1; y = 1; wait_time 1;} main{start;}");
    terms *c = k.f.c;
    const term *x = place_of(&k, "x"), *y = place_of(&k, "y");
    const term *predicates[] = {term_eq(c, x, word(&k, 1)), term_eq(c, x, y)};
    begin_deciding(&k, predicates, 2);
    check_behind(&k, predicates, 2, (const term *[]){term_not(c, predicates[0]), predicates[1]}, 2, "11");
    check_behind(&k, predicates, 2, NULL, 0, "11");
    setting_close(&k);
}

/* Old values are meant on both sides. */
static void exchanged_values(void **unused) {
    (void)unused;
    setting k = setting_open("int x, y; thread A{int t = x; x = y; y = t; wait_time 1;} main{start;}");
    terms *c = k.f.c;
    const term *x = place_of(&k, "x"), *y = place_of(&k, "y");
    const term *predicates[] = {term_slt(c, x, y), term_slt(c, y, x)};
    begin_deciding(&k, predicates, 2);
    check_behind(&k, predicates, 2, (const term *[]){predicates[0]}, 1, "01");
    check_behind(&k, predicates, 2, (const term *[]){predicates[1]}, 1, "10");
    check_behind(&k, predicates, 2, (const term *[]){term_not(c, predicates[0])}, 1, "?0");
    setting_close(&k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_must_hold_before_an_assignment),
        cmocka_unit_test(conditions_go_where_predicates_allow),
        cmocka_unit_test(assignments_count_together),
        cmocka_unit_test(exchanged_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
