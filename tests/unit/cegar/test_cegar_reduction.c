/* Reductions of lazy abstraction: sets as the documents describe them, what goes wrong without validity sets
 * and without the rule for cycles, abstract steps that do not commute, orders. */
#include "c_text.h"

#include "analysis/distance.h"
#include "cegar/cegar.h"
#include "reduction/thread_sets.h"

static const por_kind all_kinds[] = {POR_NONE, POR_PERSISTENT, POR_SLEEP, POR_PERSISTENT_SLEEP, POR_AWARE};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

/* --- set-up --------------------------------------------------------------------------------------------- */

static explore_options reducing(por_kind por) {
    explore_options o = explore_default_options();
    o.deterministic = true;
    o.max_transitions = 20000;
    o.properties = PROPERTY_ASSERT;
    o.por = por;
    return o;
}

static verdict run_program(program *p, const explore_options *how, statistics *stats) {
    fixture f = fixture_of_program(p, NULL, 0);
    outcome out = {0};
    cegar_run(f.m, how, &out);
    verdict v = outcome_verdict(&out);
    for (size_t i = 0; i < out.violations.size; i++) assert_true(out.violations.data[i].confirmed);
    if (stats) *stats = out.stats;
    outcome_free(&out);
    fixture_close(&f);
    return v;
}

static verdict verdict_on_c(const char *source, const explore_options *how) {
    return run_program(translate_c(source), how, NULL);
}

static verdict verdict_on_ivl(const char *source, const explore_options *how) {
    return run_program(compile_with(source, NULL, 0), how, NULL);
}

#define HEADER                                                                                               \
    "#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\n"                   \
    "extern void __VERIFIER_assume(int);\n"

/* --- the case study of the Telbisz document ------------------------------------------------------------- */

static const char case_study[] =
    HEADER "int x, y; void *t(void *a) { x = 2; y = 2; if (x > y) assert(0); return a; }\n"
           "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); y = 1; return 0; }\n";

static state *after_step(fixture *f, state *from, uint32_t thread) {
    successors list = {0};
    step_options how = {.effects = true};
    machine_step(f->m, from, (transition){thread, 0}, &how, &list);
    assert_int_equal(list.size, 1);
    state *to = state_share(list.data[0].to);
    successors_free(f->m, &list);
    state_release(f->m, from);
    return to;
}

static void sets_are_those_of_the_case_study(void **unused) {
    (void)unused;
    fixture f = fixture_of_program(translate_c(case_study), NULL, 0);
    uint32_t x = object_named(&f, "x"), y = object_named(&f, "y");
    thread_sets *sets = thread_sets_create(f.m, STOP_LOOP_HEAD);
    relevance only_x = {.objects = (uint32_t)f.p->objects.size};
    only_x.matters = mem_zero(BITS_WORDS(only_x.objects) + 1, sizeof *only_x.matters);
    bits_add(only_x.matters, x);
    object_list relied = {0};
    transitions enabled = {0};
    enum { MAIN = 1, OTHER = 2 }; /* bits of the transitions */

    state *s = after_step(&f, machine_initial(f.m, 0), 0); /* main stands before y = 1, t before x = 2 */
    machine_enabled(f.m, s, &enabled);
    assert_int_equal(enabled.size, 2);
    assert_int_equal(thread_sets_compute(sets, s, &enabled, 0, NULL, NULL), OTHER);
    assert_int_equal(thread_sets_compute(sets, s, &enabled, MAIN, NULL, NULL), MAIN | OTHER);
    assert_int_equal(thread_sets_compute(sets, s, &enabled, OTHER, &only_x, &relied), OTHER);
    assert_int_equal(relied.size, 0);
    assert_int_equal(thread_sets_compute(sets, s, &enabled, MAIN, &only_x, &relied), MAIN);
    assert_int_equal(relied.size, 1);

    s = after_step(&f, s, 1); /* t stands before y = 2 */
    machine_enabled(f.m, s, &enabled);
    assert_int_equal(thread_sets_compute(sets, s, &enabled, 0, NULL, NULL), MAIN | OTHER);
    uint64_t aware = thread_sets_compute(sets, s, &enabled, 0, &only_x, &relied);
    assert_true(aware == MAIN || aware == OTHER);
    assert_int_equal(relied.size, 1);
    assert_int_equal(relied.data[0], y);

    bits_add(only_x.matters, y);
    assert_int_equal(thread_sets_compute(sets, s, &enabled, aware, &only_x, &relied), MAIN | OTHER);
    assert_int_equal(relied.size, 0);
    state_release(f.m, s);
    vec_free(&enabled);
    vec_free(&relied);
    mem_free(only_x.matters);
    thread_sets_destroy(sets);
    fixture_close(&f);
}

static void the_case_study_is_unsafe_in_the_second_iteration(void **unused) {
    (void)unused;
    for (size_t k = 0; k < KINDS; k++) {
        explore_options how = reducing(all_kinds[k]);
        how.abstraction.domain = DOMAIN_EXPLICIT;
        statistics stats;
        assert_int_equal(run_program(translate_c(case_study), &how, &stats), VERDICT_UNSAFE);
        assert_int_equal(stats.refinements, 1);
    }
}

/* --- must-miss examples --------------------------------------------------------------------------------- */

/* While nothing is known of y, main may go first. That path is excluded by what is known behind the write of
 * the other thread, where the graph is cut; the node before it stays, but now its set is not enough. */
static const char goes_stale[] =
    HEADER "int y; void *t(void *a) { y = 1; assert(y != 2); return a; }\n"
           "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); y = 2; return 0; }\n";
static const char goes_stale_ivl[] = "uint y = 0;\nthread a { y = 2; }\n"
                                     "thread b { y = 1; wait_time 0; assert (y != 2); }\nmain { start; }\n";

static void lazy_pruning_needs_validity_sets(void **unused) {
    (void)unused;
    for (int prune = PRUNE_LAZY; prune <= PRUNE_FULL; prune++) {
        explore_options how = reducing(POR_AWARE);
        how.abstraction.prune = (prune_kind)prune;
        assert_int_equal(verdict_on_c(goes_stale, &how), VERDICT_UNSAFE);
        assert_int_equal(verdict_on_ivl(goes_stale_ivl, &how), VERDICT_UNSAFE);
        how.validity = false;
        verdict naive = prune == PRUNE_LAZY ? VERDICT_SAFE : VERDICT_UNSAFE;
        assert_int_equal(verdict_on_c(goes_stale, &how), naive);
        assert_int_equal(verdict_on_ivl(goes_stale_ivl, &how), naive);
    }
}

static const char goes_round[] =
    HEADER "int up, other; void *t(void *a) { while (up != 1) {} return a; }\n"
           "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); assert(other); return 0; }\n";
static const char goes_round_inside[] = /* of a step, where nobody else could go on */
    HEADER "int other; void *t(void *a) { other = 1; for (;;) { if (__VERIFIER_nondet_int()) continue; }\n"
           "return a; }\n"
           "int kept; int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); assert(kept); return 0; }\n";

static void sets_need_the_rule_for_cycles(void **unused) {
    (void)unused;
    static const por_kind kinds[] = {POR_PERSISTENT, POR_PERSISTENT_SLEEP, POR_AWARE};
    static const char *const sources[] = {goes_round, goes_round_inside};
    bool missed[2] = {false, false};
    for (size_t k = 0; k < 3; k++)
        for (int order = ORDER_DFS; order <= ORDER_ERROR_DISTANCE; order++)
            for (int blocks = BLOCKS_JOINS; blocks <= BLOCKS_SMALL; blocks++)
                for (size_t i = 0; i < 2; i++) {
                    explore_options how = reducing(kinds[k]);
                    how.order = (search_order)order;
                    how.abstraction.blocks = (block_kind)blocks;
                    assert_int_equal(verdict_on_c(sources[i], &how), VERDICT_UNSAFE);
                    how.proviso = false;
                    missed[i] |= verdict_on_c(sources[i], &how) == VERDICT_SAFE;
                }
    assert_true(missed[0] && missed[1]);
}

/* --- abstract steps that do not commute ----------------------------------------------------------------- */

/* Fig. 4 of the document of Cimatti, Narasamdya and Roveri: from g1 < g2, known of which are only g1 < g2 and
 * g1 = g2, the two steps lead to different abstract states in different orders. */
#define DO_NOT_COMMUTE(claim)                                                                                \
    HEADER "int g1, g2; void *a(void *p) { g1 = g1 - 1; return p; }\n"                                       \
           "void *b(void *p) { g2 = g2 - 1; return p; }\n"                                                   \
           "int main(void) { pthread_t s, t; g1 = __VERIFIER_nondet_int(); g2 = __VERIFIER_nondet_int();\n"  \
           "__VERIFIER_assume(g1 > -1000 && g2 < 1000 && g1 < g2);\n"                                        \
           "pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); pthread_join(s, 0);\n"                 \
           "pthread_join(t, 0); assert(" claim "); return 0; }\n"

static void abstract_steps_need_not_commute(void **unused) {
    (void)unused;
    static const abstract_domain domains[] = {DOMAIN_CARTESIAN, DOMAIN_BOOLEAN, DOMAIN_PRODUCT};
    for (size_t k = 0; k < KINDS; k++)
        for (size_t d = 0; d < 3; d++) {
            explore_options how = reducing(all_kinds[k]);
            how.abstraction.domain = domains[d];
            assert_int_equal(verdict_on_c(DO_NOT_COMMUTE("g1 < g2"), &how), VERDICT_SAFE);
            assert_int_equal(verdict_on_c(DO_NOT_COMMUTE("g1 + 1 < g2"), &how), VERDICT_UNSAFE);
        }
}

/* --- effort --------------------------------------------------------------------------------------------- */

static const char counts_aside[] = /* `seen` matters to nobody */
    HEADER "int seen, ready; void *t(void *a) { seen = 1; seen = 2; seen = 3; ready = 1; return a; }\n"
           "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); seen = 4; seen = 5; seen = 6;\n"
           "assert(ready == 0 || ready == 1); pthread_join(p, 0); return 0; }\n";

static uint64_t actions(por_kind por) {
    explore_options how = reducing(por);
    statistics stats;
    assert_int_equal(run_program(translate_c(counts_aside), &how, &stats), VERDICT_SAFE);
    return stats.transitions;
}

static void what_is_not_known_of_does_not_order_steps(void **unused) {
    (void)unused;
    assert_true(actions(POR_AWARE) < actions(POR_PERSISTENT));
    assert_true(actions(POR_SLEEP) < actions(POR_NONE));
}

static void every_order_gives_the_same_answers(void **unused) {
    (void)unused;
    for (size_t k = 0; k < KINDS; k++)
        for (int order = ORDER_DFS; order <= ORDER_ERROR_DISTANCE; order++) {
            explore_options how = reducing(all_kinds[k]);
            how.order = (search_order)order;
            assert_int_equal(verdict_on_c(counts_aside, &how), VERDICT_SAFE);
            assert_int_equal(verdict_on_c(goes_stale, &how), VERDICT_UNSAFE);
            assert_int_equal(verdict_on_ivl(goes_stale_ivl, &how), VERDICT_UNSAFE);
        }
}

/* --- distances ------------------------------------------------------------------------------------------ */

static void distances_shrink_towards_a_check(void **unused) {
    (void)unused;
    program *p = compile_with("uint x = 0;\nthread a { x = 1; wait_time 0; x = 2; assert (x == 2); x = 3; }\n"
                              "main { start; }\n",
                              NULL, 0);
    distances *d = distances_compute(p);
    uint32_t function = p->threads.data[1].function;
    const struct function *f = &p->functions.data[function];
    uint32_t last = DISTANCE_NONE, checks = 0;
    assert_int_equal(f->blocks.data[0].code.data[0].kind == INSTR_CHECK, 0);
    for (uint32_t b = 0; b < f->blocks.size; b++)
        for (uint32_t k = 0; k < f->blocks.data[b].code.size; k++) {
            call_site at = {function, b, k};
            uint32_t now = distances_to_check(d, &at, 1);
            bool check = f->blocks.data[b].code.data[k].kind == INSTR_CHECK;
            checks += check;
            assert_int_equal(check, now == 0);
            if (!checks) assert_true(now < last);
            if (!checks) last = now;
            if (checks && !check) assert_int_equal(now, DISTANCE_NONE);
        }
    assert_int_equal(checks, 1);
    distances_destroy(d);
    program_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_those_of_the_case_study),
        cmocka_unit_test(the_case_study_is_unsafe_in_the_second_iteration),
        cmocka_unit_test(lazy_pruning_needs_validity_sets),
        cmocka_unit_test(sets_need_the_rule_for_cycles),
        cmocka_unit_test(abstract_steps_need_not_commute),
        cmocka_unit_test(what_is_not_known_of_does_not_order_steps),
        cmocka_unit_test(every_order_gives_the_same_answers),
        cmocka_unit_test(distances_shrink_towards_a_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
