/* Lazy abstraction: what only it can prove, what it must find, what it must not claim; partly unknown states
 * and steps that are led. */
#include "c_text.h"

#include "cegar/cegar.h"
#include "partial/abstract.h"

/* --- set-up --------------------------------------------------------------------------------------------- */

static explore_options abstracting(abstract_domain domain) {
    explore_options o = explore_default_options();
    o.deterministic = true;
    o.max_transitions = 20000;
    o.properties = PROPERTY_ASSERT;
    o.abstraction.domain = domain;
    return o;
}

static outcome run_program(program *p, const explore_options *how) {
    fixture f = fixture_of_program(p, NULL, 0);
    outcome out = {0};
    cegar_run(f.m, how, &out);
    fixture_close(&f);
    return out;
}

static verdict verdict_on(const char *source, const explore_options *how) {
    outcome out = run_program(translate_c(source), how);
    verdict v = outcome_verdict(&out);
    for (size_t i = 0; i < out.violations.size; i++) assert_true(out.violations.data[i].confirmed);
    outcome_free(&out);
    return v;
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
static const char long_loop[] =
    HEADER "int main(void) { unsigned i = 0; while (i < 100000) i++; assert(i == 100000); }\n";
static const char fails_late[] = HEADER "int main(void) { int n = __VERIFIER_nondet_int(), i = 0;\n"
                                        "while (i < n) { i++; if (i == 5) assert(n != 77); } }\n";
static const char two_counters[] =
    HEADER "unsigned x, y; void *w(void *a) { for (;;) { pthread_mutex_lock(&m); x++; y++;\n"
           "pthread_mutex_unlock(&m); } return a; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);\n"
           "for (;;) { pthread_mutex_lock(&m); assert(x == y); pthread_mutex_unlock(&m); } }\n";
static const char two_counters_unlocked[] =
    HEADER "unsigned x, y; void *w(void *a) { for (;;) { x++; y++; } return a; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); for (;;) assert(x == y); }\n";

static const char tickets[] = HEADER
    "#include <stdatomic.h>\natomic_uint next, now; int inside;\n"
    "void *w(void *a) { for (;;) { unsigned mine = atomic_fetch_add(&next, 1); while (now != mine) { }\n"
    "inside++; assert(inside == 1); inside--; now++; } return a; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); }\n";
static const char tickets_drawn_twice[] =
    HEADER "#include <stdatomic.h>\natomic_uint next, now; int inside;\n"
           "void *w(void *a) { for (;;) { unsigned mine = next; next++; while (now != mine) { }\n"
           "inside++; assert(inside == 1); inside--; now++; } return a; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); }\n";

/* 8192 paths without a stop where a whole step could be cut. */
static const char many_branches[] =
    HEADER "int main(void) { unsigned set = 0;\n"
           "#define TWO(i) if (__VERIFIER_nondet_int()) set |= 1u << i; if (__VERIFIER_nondet_int()) set |= "
           "2u << i;\n"
           "TWO(0) TWO(2) TWO(4) TWO(6) TWO(8) TWO(10) if (__VERIFIER_nondet_int()) set |= 1u << 12;\n"
           "assert(set != 5461); }\n";

/* --- proofs --------------------------------------------------------------------------------------------- */

/* How far tickets are apart is bounded, the tickets are not. */
static void distances_prove_a_ticket_lock(void **unused) {
    (void)unused;
    explore_options how = abstracting(DOMAIN_PRODUCT);
    assert_int_equal(verdict_on(tickets, &how), VERDICT_SAFE);
    assert_int_equal(verdict_on(tickets_drawn_twice, &how), VERDICT_UNSAFE);
}

static void predicates_prove_what_never_repeats(void **unused) {
    (void)unused;
    static const abstract_domain domains[] = {DOMAIN_PRODUCT, DOMAIN_CARTESIAN, DOMAIN_BOOLEAN};
    for (size_t d = 0; d < 3; d++)
        for (int prune = PRUNE_LAZY; prune <= PRUNE_FULL; prune++)
            for (int blocks = BLOCKS_JOINS; blocks <= BLOCKS_SMALL; blocks++) {
                explore_options how = abstracting(domains[d]);
                how.abstraction.prune = (prune_kind)prune;
                how.abstraction.blocks = (block_kind)blocks;
                assert_int_equal(verdict_on(in_step, &how), VERDICT_SAFE);
            }
}

static void scopes_differ_in_effort_only(void **unused) {
    (void)unused;
    for (int scope = SCOPE_AUTO; scope <= SCOPE_LOCATION; scope++) {
        explore_options how = abstracting(DOMAIN_PRODUCT);
        how.abstraction.scope = (precision_scope)scope;
        assert_int_equal(verdict_on(in_step, &how), VERDICT_SAFE);
        assert_int_equal(verdict_on(two_counters, &how), VERDICT_SAFE);
    }
}

static void constants_are_enough_for_states(void **unused) {
    (void)unused;
    explore_options how = abstracting(DOMAIN_EXPLICIT);
    assert_int_equal(verdict_on(states_only, &how), VERDICT_SAFE);
    how.max_transitions = 300; /* it would count for ever */
    assert_int_equal(verdict_on(in_step, &how), VERDICT_UNKNOWN);
}

static void long_loops_are_not_unrolled(void **unused) {
    (void)unused;
    explore_options how = abstracting(DOMAIN_PRODUCT);
    outcome out = run_program(translate_c(long_loop), &how);
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
    assert_true(out.stats.transitions < 1000);
    assert_true(out.stats.refinements > 0);
    outcome_free(&out);
}

static void threads_are_proved_with_and_without_reduction(void **unused) {
    (void)unused;
    explore_options how = abstracting(DOMAIN_PRODUCT);
    for (int order = ORDER_DFS; order <= ORDER_BFS; order++) {
        how.order = (search_order)order;
        how.por = POR_NONE;
        assert_int_equal(verdict_on(two_counters, &how), VERDICT_SAFE);
        how.por = POR_PERSISTENT;
        assert_int_equal(verdict_on(two_counters, &how), VERDICT_SAFE);
    }
}

static void ivl_is_proved(void **unused) {
    (void)unused;
    static const char source[] = "event e;\nuint x = 0;\nuint y = 0;\n"
                                 "thread a { while (true) { x += 1; y += 1; notify e, 0; wait e; } }\n"
                                 "thread b { while (true) { wait e; assert (x == y); } }\n"
                                 "main { start; }\n";
    explore_options how = abstracting(DOMAIN_PRODUCT);
    outcome out = run_program(compile_with(source, NULL, 0), &how);
    assert_int_equal(outcome_verdict(&out), VERDICT_SAFE);
    outcome_free(&out);
}

/* --- violations ----------------------------------------------------------------------------------------- */

static void violations_are_found_and_confirmed(void **unused) {
    (void)unused;
    for (int domain = DOMAIN_PRODUCT; domain <= DOMAIN_BOOLEAN; domain++) {
        explore_options how = abstracting((abstract_domain)domain);
        if (domain != DOMAIN_EXPLICIT) assert_int_equal(verdict_on(fails_late, &how), VERDICT_UNSAFE);
        assert_int_equal(verdict_on(two_counters_unlocked, &how), VERDICT_UNSAFE);
    }
}

/* Nobody disturbs the thread that spins: a reduction follows it alone, and must come to the other one. */
static const char spins[] =
    HEADER "int raised, other; void *w(void *a) { while (raised != 1) { } return a; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); assert(other); }\n";

static void a_step_of_many_paths_is_replayed(void **unused) {
    (void)unused;
    explore_options how = abstracting(DOMAIN_PRODUCT);
    assert_int_equal(verdict_on(many_branches, &how), VERDICT_UNSAFE);
}

static void no_thread_is_ignored_all_the_way_round(void **unused) {
    (void)unused;
    for (int blocks = BLOCKS_JOINS; blocks <= BLOCKS_SMALL; blocks++) {
        explore_options how = abstracting(DOMAIN_PRODUCT);
        how.abstraction.blocks = (block_kind)blocks;
        assert_int_equal(verdict_on(spins, &how), VERDICT_UNSAFE);
        how.proviso = false; /* this is what the rule is for */
        assert_int_equal(verdict_on(spins, &how), VERDICT_SAFE);
    }
}

static void not_looked_for_is_not_safe(void **unused) {
    (void)unused;
    static const unsigned other[] = {PROPERTY_DEADLOCK, PROPERTY_RACE, PROPERTY_LEAK};
    for (size_t i = 0; i < 3; i++) {
        explore_options how = abstracting(DOMAIN_PRODUCT);
        how.properties |= other[i];
        assert_int_equal(verdict_on(in_step, &how), VERDICT_UNKNOWN);
    }
}

/* --- partly unknown states ------------------------------------------------------------------------------ */

static const term *keep_everything(void *data, const term *place, const term *number) {
    (void)data;
    (void)place;
    return term_is_const(number) ? number : NULL;
}

static void what_is_forgotten_is_its_place(void **unused) {
    (void)unused;
    fixture f = fixture_open("int x = 7;\nthread t { x = 8; }\nmain { start; }\n");
    reason_kind trouble;
    state *initial = machine_initial(f.m, 0);
    state *s = abstract_rename(f.m, initial, (rename_options){.apart = ABSTRACT_MOST_APART}, &trouble);
    state *kept = abstract_rename(f.m, initial, (rename_options){.apart = ABSTRACT_MOST_APART}, &trouble);
    assert_non_null(s);
    const term *zero = cell_of(state_object(s, 0))->bits; /* initialisers are code of main */
    assert_true(term_is_const(zero));
    assert_null(abstract_forget(f.m, s, NULL, NULL));
    const term *place = cell_of(state_object(s, 0))->bits;
    assert_true(abstract_is_place(place));
    assert_ptr_equal(abstract_value(f.m, initial, place).bits, zero);
    assert_ptr_equal(abstract_value(f.m, s, place).bits, place);
    assert_null(abstract_forget(f.m, kept, keep_everything, NULL));
    assert_ptr_equal(cell_of(state_object(kept, 0))->bits, zero);
    assert_true(abstract_same_control(s, kept));
    assert_int_equal(abstract_control_hash(s), abstract_control_hash(kept));
    state_release(f.m, kept);
    state_release(f.m, s);
    state_release(f.m, initial);
    fixture_close(&f);
}

/* Of a check that is known to fail it does not matter whether it fails on another path, too. */
static void a_check_that_fails_is_no_doubt(void **unused) {
    (void)unused;
    fixture f = fixture_open("int g = 0;\nupdate u { assert 0; }\nthread t { g &= 0; request_update u; }\n"
                             "main { assert (g && (?(int) & 1)); request_update u; start; }\n");
    explore_options how = abstracting(DOMAIN_PRODUCT);
    how.all = true;
    outcome out = {0};
    cegar_run(f.m, &how, &out);
    assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
    assert_int_equal(out.violations.size, 2);
    assert_true(out.complete && !out.doubts.size);
    outcome_free(&out);
    fixture_close(&f);
}

/* A delay of one bit that is not zero has one value: real paths are told by the same as abstract ones. */
static void a_delay_with_one_value_is_followed(void **unused) {
    (void)unused;
    for (int domain = 0; domain <= DOMAIN_EXPLICIT; domain++) {
        fixture f = fixture_open("bool g = 0;\nupdate u { assert (g == 0); }\n"
                                 "thread t { bool *a = &g; *a = ?(bool); request_update u; wait_time *a; }\n"
                                 "main { start; }\n");
        explore_options how = abstracting((abstract_domain)domain);
        outcome out = {0};
        cegar_run(f.m, &how, &out);
        assert_int_equal(outcome_verdict(&out), VERDICT_UNSAFE);
        outcome_free(&out);
        fixture_close(&f);
    }
}

/* A step from the initial state goes one way. Led the same way from a state in which nothing is known, it
 * says what must be true to go there, and that is true of the initial state. */
static void a_step_is_led_where_another_went(void **unused) {
    (void)unused;
    fixture f = fixture_open("int y = 1;\nthread t { if (y == 1) y = 2; else y = 3; wait_time 1; }\n"
                             "main { start; }\n");
    state *before = walk(&f, "");
    transition t = {1, 0};
    successors first = {0}, led = {0};
    step_options record = {.record = true, .abstract = true};
    machine_step(f.m, before, t, &record, &first);
    assert_int_equal(first.size, 1);
    reason_kind trouble;
    state *unknown = abstract_rename(f.m, before, (rename_options){.apart = ABSTRACT_MOST_APART}, &trouble);
    assert_null(abstract_forget(f.m, unknown, NULL, NULL));
    step_options follow = {.follow = first.data[0].went};
    machine_step(f.m, unknown, t, &follow, &led);
    assert_int_equal(led.size, 1);
    const step_way *went = led.data[0].went;
    assert_false(went->lost);
    assert_int_equal(went->next, first.data[0].went->marks.size);
    assert_int_equal(went->conditions.size, 1);
    const term *condition = went->conditions.data[0];
    assert_int_equal(condition->support->size, 1);
    substitution *values = substitution_create(f.c);
    const term *place = condition->support->symbol[0];
    substitution_set(values, place, abstract_value(f.m, before, place).bits);
    assert_true(term_is_true(substitution_apply(values, condition)));
    substitution_destroy(values);
    successors_free(f.m, &led);
    successors_free(f.m, &first);
    state_release(f.m, unknown);
    state_release(f.m, before);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(predicates_prove_what_never_repeats),
                                       cmocka_unit_test(scopes_differ_in_effort_only),
                                       cmocka_unit_test(constants_are_enough_for_states),
                                       cmocka_unit_test(long_loops_are_not_unrolled),
                                       cmocka_unit_test(threads_are_proved_with_and_without_reduction),
                                       cmocka_unit_test(ivl_is_proved),
                                       cmocka_unit_test(a_delay_with_one_value_is_followed),
                                       cmocka_unit_test(a_check_that_fails_is_no_doubt),
                                       cmocka_unit_test(violations_are_found_and_confirmed),
                                       cmocka_unit_test(distances_prove_a_ticket_lock),
                                       cmocka_unit_test(a_step_of_many_paths_is_replayed),
                                       cmocka_unit_test(no_thread_is_ignored_all_the_way_round),
                                       cmocka_unit_test(not_looked_for_is_not_safe),
                                       cmocka_unit_test(what_is_forgotten_is_its_place),
                                       cmocka_unit_test(a_step_is_led_where_another_went)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
