/* Engine esst: to which region predicates belong, what a step does to the regions of others, and verdicts
 * with every reduction under both kernels. */
#include "c_text.h"

#include "cegar/cegar.h"
#include "esst/esst.h"
#include "esst/regions.h"
#include "partial/abstract.h"

/* --- regions -------------------------------------------------------------------------------------------- */

static const char two_locals[] =
    "event e;\nuint g = 0;\n"
    "thread a { uint mine = 1; while (true) { wait e; mine += 1; assert mine != g; } }\n"
    "thread b { uint own = 1; while (true) { wait e; own += 2; assert own != g; } }\n"
    "main { start; }\n";

typedef struct known_places { /* in a state in which a and b wait, and nothing is known */
    fixture f;
    state *s;
    const term *global, *mine, *own;
} known_places;

enum { THREAD_A = 1, THREAD_B = 2 };

static const term *only_number_of(const state *s, uint32_t thread) {
    const term *found = NULL;
    for (uint32_t i = 0; i < value_count_of(thread_of(s, thread)); i++) {
        value v = values_of(thread_of(s, thread))[i];
        if (!v.bits || v.base) continue;
        assert_null(found);
        found = v.bits;
    }
    assert_non_null(found);
    return found;
}

static known_places places_open(void) {
    known_places p = {.f = fixture_open(two_locals)};
    reason_kind trouble;
    state *waiting = walk(&p.f, "a b");
    p.s = abstract_rename(p.f.m, waiting, (rename_options){.apart = ABSTRACT_MOST_APART}, &trouble);
    assert_non_null(p.s);
    assert_null(abstract_forget(p.f.m, p.s, NULL, NULL));
    p.global = cell_of(state_object(p.s, 0))->bits;
    p.mine = only_number_of(p.s, THREAD_A);
    p.own = only_number_of(p.s, THREAD_B);
    state_release(p.f.m, waiting);
    return p;
}

static void places_close(known_places *p) {
    state_release(p->f.m, p->s);
    fixture_close(&p->f);
}

static void a_predicate_belongs_to_the_thread_whose_variables_it_names(void **unused) {
    (void)unused;
    known_places p = places_open();
    const term *one = term_const(p.f.c, 32, 1);
    assert_int_equal(region_of(p.s, term_eq(p.f.c, p.global, one)), REGION_GLOBAL);
    assert_int_equal(region_of(p.s, term_eq(p.f.c, p.mine, one)), THREAD_A);
    assert_int_equal(region_of(p.s, term_ult(p.f.c, p.global, p.own)), THREAD_B);
    assert_int_equal(region_of(p.s, term_eq(p.f.c, p.mine, p.own)), REGION_GLOBAL);
    places_close(&p);
}

static void only_what_a_step_leaves_alone_stays_with_another_thread(void **unused) {
    (void)unused;
    known_places p = places_open();
    regions r = {.by_location = false};
    const term *both = term_eq(p.f.c, p.mine, p.global);
    predicate_need global = {.predicate = term_eq(p.f.c, p.global, term_const(p.f.c, 32, 1)), .s = p.s};
    predicate_need own_step = {.predicate = both, .s = p.s, .moved = THREAD_A};
    predicate_need left_alone = {.predicate = both, .s = p.s, .moved = THREAD_B, .left_alone = true};
    predicate_need changed = {.predicate = both, .s = p.s, .moved = THREAD_B};
    predicate_need again = {
        .predicate = both, .s = p.s, .moved = THREAD_B, .left_alone = true, .again = true};
    uint64_t common = regions_scope_for(&r, &global), of_a = regions_scope_for(&r, &own_step);
    assert_int_not_equal(common, of_a);
    assert_int_equal(regions_scope_for(&r, &left_alone), of_a);
    assert_int_equal(regions_scope_for(&r, &changed), common);
    assert_int_equal(regions_scope_for(&r, &again), common);
    places_close(&p);
}

static bool has_scope(const scope_list *list, size_t from, size_t to, uint64_t scope) {
    for (size_t i = from; i < to; i++)
        if (list->data[i] == scope) return true;
    return false;
}

static void a_step_decides_its_own_region_and_the_global_one(void **unused) {
    (void)unused;
    known_places p = places_open();
    for (int by_location = 0; by_location < 2; by_location++) {
        regions r = {.by_location = by_location};
        const term *one = term_const(p.f.c, 32, 1);
        predicate_need global = {.predicate = term_eq(p.f.c, p.global, one), .s = p.s};
        predicate_need in_a = {.predicate = term_eq(p.f.c, p.mine, one), .s = p.s, .moved = THREAD_A};
        predicate_need in_b = {.predicate = term_eq(p.f.c, p.own, one), .s = p.s, .moved = THREAD_B};
        uint64_t common = regions_scope_for(&r, &global), a = regions_scope_for(&r, &in_a),
                 b = regions_scope_for(&r, &in_b);
        scope_list scopes = {0};
        size_t decided = regions_scopes_in(&r, p.s, THREAD_A, &scopes);
        assert_true(has_scope(&scopes, 0, decided, common) && has_scope(&scopes, 0, decided, a));
        assert_true(has_scope(&scopes, decided, scopes.size, b));
        vec_clear(&scopes);
        decided = regions_scopes_in(&r, p.s, MACHINE_KERNEL, &scopes);
        assert_true(has_scope(&scopes, 0, decided, common));
        assert_true(has_scope(&scopes, decided, scopes.size, a) &&
                    has_scope(&scopes, decided, scopes.size, b));
        vec_free(&scopes);
    }
    places_close(&p);
}

/* --- verdicts ------------------------------------------------------------------------------------------- */

static const por_kind reductions[] = {POR_NONE, POR_PERSISTENT, POR_SLEEP, POR_PERSISTENT_SLEEP};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

static explore_options abstracting(por_kind por) {
    explore_options o = explore_default_options();
    o.deterministic = true;
    o.max_transitions = 20000;
    o.properties = PROPERTY_ASSERT;
    o.por = por;
    return o;
}

static outcome run_program(program *p, const explore_options *how) {
    fixture f = fixture_of_program(p, NULL, 0);
    outcome out = {0};
    esst_run(f.m, how, &out);
    fixture_close(&f);
    return out;
}

static verdict esst_verdict(program *p, const explore_options *how) {
    outcome out = run_program(p, how);
    verdict v = outcome_verdict(&out);
    for (size_t i = 0; i < out.violations.size; i++) assert_true(out.violations.data[i].confirmed);
    assert_string_equal(out.engine, "esst");
    outcome_free(&out);
    return v;
}

static verdict ivl_verdict(const char *source, const explore_options *how) {
    return esst_verdict(compile_with(source, NULL, 0), how);
}

static void check_ivl(const char *source, verdict expected) {
    for (size_t i = 0; i < REDUCTIONS; i++)
        for (int order = ORDER_DFS; order <= ORDER_BFS; order++) {
            explore_options how = abstracting(reductions[i]);
            how.order = (search_order)order;
            assert_int_equal(ivl_verdict(source, &how), expected);
        }
}

/* Each thread knows of its own two counters; nothing is common. */
static const char regions_apart[] =
    "event e;\n"
    "thread a { uint x = 0; uint y = 0; while (true) { x += 1; y += 1; assert x == y; wait_time 1; } }\n"
    "thread b { uint x = 5; uint y = 5; while (true) { x += 2; y += 2; assert x == y; wait_time 1; } }\n"
    "main { start; }\n";

/* What a knows of its own variable and of a global one is changed by b. */
static const char token[] =
    "event to_b, to_a;\nuint token = 0;\n"
    "thread a { uint mine = 0; while (true) { token = ?(uint); mine = token; notify to_b, 0; wait to_a;\n"
    "assert token == mine + 1; } }\n"
    "thread b { while (true) { wait to_b; token += 1; notify to_a, 0; } }\n"
    "main { start; }\n";

/* The reason is a relation between variables of two threads. */
static const char two_threads_agree[] =
    "event to_b, to_a;\nuint g = 0;\n"
    "thread a { uint mine = 0; while (true) { mine = ?(uint); g = mine; notify to_b, 0; wait to_a;\n"
    "assert g == mine; } }\n"
    "thread b { uint seen = 0; while (true) { wait to_b; seen = g; g = 0; wait_time 1; g = seen; notify "
    "to_a, 0;\n"
    "} }\n"
    "main { start; }\n";

static void unbounded_data_is_proved_with_every_reduction(void **unused) {
    (void)unused;
    check_ivl(regions_apart, VERDICT_SAFE);
    check_ivl(token, VERDICT_SAFE);
    check_ivl(two_threads_agree, VERDICT_SAFE);
}

static void scopes_and_domains_give_the_same_answer(void **unused) {
    (void)unused;
    static const abstract_domain domains[] = {DOMAIN_PRODUCT, DOMAIN_CARTESIAN, DOMAIN_BOOLEAN};
    for (size_t d = 0; d < 3; d++)
        for (int scope = SCOPE_AUTO; scope <= SCOPE_LOCATION; scope++)
            for (int prune = PRUNE_LAZY; prune <= PRUNE_FULL; prune++) {
                explore_options how = abstracting(POR_PERSISTENT_SLEEP);
                how.abstraction.domain = domains[d];
                how.abstraction.scope = (precision_scope)scope;
                how.abstraction.prune = (prune_kind)prune;
                assert_int_equal(ivl_verdict(regions_apart, &how), VERDICT_SAFE);
                assert_int_equal(ivl_verdict(token, &how), VERDICT_SAFE);
                assert_int_equal(ivl_verdict(two_threads_agree, &how), VERDICT_SAFE);
            }
}

/* Of independent steps one order may keep g1 < g2 and the other one may lose it: each of them decrements one
 * side (the document's Fig. 4). Concretely both orders give the same. */
#define DECREMENTS(FROM)                                                                                     \
    "int g1 = 0;\nint g2 = 0;\n"                                                                             \
    "thread a { wait_time 1; g1 -= 1; }\n"                                                                   \
    "thread b { wait_time 1; g2 -= 1; }\n"                                                                   \
    "thread c { g1 = ?(int); g2 = ?(int); assume g1 > -1000; assume g2 < 1000; assume " FROM ";\n"           \
    "wait_time 2; assert g1 < g2; }\n"                                                                       \
    "main { start; }\n"

static void abstract_steps_that_do_not_commute(void **unused) {
    (void)unused;
    check_ivl(DECREMENTS("g1 < g2"), VERDICT_SAFE);
    check_ivl(DECREMENTS("g1 <= g2"), VERDICT_UNSAFE);
}

/* The violation needs one of the orders: b before a, c in between. */
static const char needs_an_order[] = "uint x = 0;\nuint y = 0;\n"
                                     "thread a { x = 1; wait_time 1; }\n"
                                     "thread b { y = x; wait_time 1; }\n"
                                     "thread c { assert !(x == 1 && y == 0); }\n"
                                     "main { start; }\n";

/* The first wait is missed if the notification comes before it. */
static const char lost_notification[] = "event e;\nbool done = false;\n"
                                        "thread a { notify e; wait_time 1; assert done; }\n"
                                        "thread b { wait e; done = true; }\n"
                                        "main { start; }\n";

/* Two threads wake each other for ever, and are always the smaller set; those that fail are
 * independent of them. */
static const char ignored_on_a_cycle[] = "event e, f;\nuint z = 0;\n"
                                         "thread a { while (true) { notify f; wait e; } }\n"
                                         "thread b { while (true) { notify e; wait f; } }\n"
                                         "thread c { z = 2 * z + 1; assert z == 0; }\n"
                                         "thread d { z = 3 * z + 1; assert z == 0; }\n"
                                         "thread g { z = 5 * z + 1; assert z == 0; }\n"
                                         "main { start; }\n";

static void violations_are_found_with_every_reduction(void **unused) {
    (void)unused;
    check_ivl(needs_an_order, VERDICT_UNSAFE);
    check_ivl(lost_notification, VERDICT_UNSAFE);
    check_ivl(ignored_on_a_cycle, VERDICT_UNSAFE);
    explore_options how = abstracting(POR_PERSISTENT);
    how.proviso = false; /* this is what the rule is for */
    assert_int_equal(ivl_verdict(ignored_on_a_cycle, &how), VERDICT_SAFE);
}

/* --- preemptive threads --------------------------------------------------------------------------------- */

#define HEADER                                                                                               \
    "#include <assert.h>\n#include <pthread.h>\n"                                                            \
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nunsigned x, y;\n"

static const char locked[] =
    HEADER "void *w(void *a) { for (;;) { pthread_mutex_lock(&m); x++; y++; pthread_mutex_unlock(&m); }\n"
           "return a; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);\n"
           "for (;;) { pthread_mutex_lock(&m); assert(x == y); pthread_mutex_unlock(&m); } }\n";
static const char unlocked[] =
    HEADER "void *w(void *a) { for (;;) { x++; y++; } return a; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); for (;;) assert(x == y); }\n";
static const char own_counters[] = HEADER
    "void *w(void *a) { unsigned i = 0, k = 0; for (;;) { i++; k++; x++; assert(i == k); } return a; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); }\n";
static const char alone[] = HEADER "int main(void) { while (x < 100000) x++; assert(x == 100000); }\n";

static void preemptive_threads_have_regions_too(void **unused) {
    (void)unused;
    for (size_t i = 0; i < REDUCTIONS; i++) {
        explore_options how = abstracting(reductions[i]);
        assert_int_equal(esst_verdict(translate_c(locked), &how), VERDICT_SAFE);
        assert_int_equal(esst_verdict(translate_c(unlocked), &how), VERDICT_UNSAFE);
        assert_int_equal(esst_verdict(translate_c(own_counters), &how), VERDICT_SAFE);
    }
    explore_options how = abstracting(POR_AUTO);
    assert_int_equal(esst_verdict(translate_c(alone), &how), VERDICT_SAFE);
}

/* --- nodes ---------------------------------------------------------------------------------------------- */

/* Without data both engines visit the same states; a node of the forest also is where a thread begins to run.
 * Here it is main, each of the two threads in both orders (the second one meets a covered state),
 * and main again. */
static void roots_of_trees_are_nodes(void **unused) {
    (void)unused;
    static const char source[] = "thread a { }\nthread b { }\nmain { start; }\n";
    explore_options how = abstracting(POR_NONE);
    fixture f = fixture_open(source);
    outcome plain = {0};
    cegar_run(f.m, &how, &plain);
    fixture_close(&f);
    outcome forest = run_program(compile_with(source, NULL, 0), &how);
    assert_int_equal(outcome_verdict(&plain), VERDICT_SAFE);
    assert_int_equal(outcome_verdict(&forest), VERDICT_SAFE);
    uint64_t trees = 2 + 4; /* main before and after the simulation, a and b first and second */
    assert_int_equal(forest.stats.nodes, plain.stats.nodes + trees);
    outcome_free(&plain);
    outcome_free(&forest);
}

static void not_looked_for_is_not_safe(void **unused) {
    (void)unused;
    static const unsigned other[] = {PROPERTY_DEADLOCK, PROPERTY_RACE, PROPERTY_LEAK};
    for (size_t i = 0; i < 3; i++) {
        explore_options how = abstracting(POR_AUTO);
        how.properties |= other[i];
        assert_int_equal(ivl_verdict(regions_apart, &how), VERDICT_UNKNOWN);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_predicate_belongs_to_the_thread_whose_variables_it_names),
        cmocka_unit_test(only_what_a_step_leaves_alone_stays_with_another_thread),
        cmocka_unit_test(a_step_decides_its_own_region_and_the_global_one),
        cmocka_unit_test(unbounded_data_is_proved_with_every_reduction),
        cmocka_unit_test(scopes_and_domains_give_the_same_answer),
        cmocka_unit_test(abstract_steps_that_do_not_commute),
        cmocka_unit_test(violations_are_found_with_every_reduction),
        cmocka_unit_test(preemptive_threads_have_regions_too),
        cmocka_unit_test(roots_of_trees_are_nodes),
        cmocka_unit_test(not_looked_for_is_not_safe)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
