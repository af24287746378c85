/* Who has what is asked for, and what is said where nobody has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "strategy/fit.h"

static void is_refused(const explorer *asked, wish w, const char *words) {
    text why = {0};
    const explorer *chosen = fit_choose(asked, &w, &why);
    if (chosen) fail_msg("%s is chosen", chosen->name);
    if (!strstr(text_cstr(&why), words)) fail_msg("'%s' does not say '%s'", text_cstr(&why), words);
    text_free(&why);
}

static const explorer *choose(const explorer *asked, const wish *w) {
    text why = {0};
    const explorer *chosen = fit_choose(asked, w, &why);
    assert_true(!chosen == (why.size > 0)); /* who is refused is told why, and nobody else */
    text_free(&why);
    return chosen;
}

static const explorer *first_that_fits(const wish *w) {
    for (const explorer *const *e = explorers; *e; e++)
        if (*e != &explorer_auto && choose(*e, w)) return *e;
    return NULL;
}

/* All reductions with all matchers and orders, for both kinds of kernels. */
static void auto_means_the_first_that_has_all_of_it(void **unused) {
    (void)unused;
    unsigned found = 0, refused = 0;
    for (int i = 0; i < POR_KINDS * MATCH_KINDS * 4 * RULES_KINDS; i++) {
        wish w = {.por = (por_kind)(i % POR_KINDS),
                  .match = (match_kind)(i / POR_KINDS % MATCH_KINDS),
                  .has_order = true,
                  .order = (search_order)(i / POR_KINDS / MATCH_KINDS % 4),
                  .kernel = (kernel_rules)(i / POR_KINDS / MATCH_KINDS / 4)};
        const explorer *chosen = choose(&explorer_auto, &w); /* which has no orders of its own */
        assert_ptr_equal(chosen, first_that_fits(&w));
        found += chosen != NULL;
        refused += !chosen;
    }
    assert_true(found > 100 && refused > 100);
    wish nothing = {.kernel = RULES_PREEMPTIVE};
    assert_ptr_equal(choose(&explorer_auto, &nothing), &explorer_auto);
}

static void refusals_say_what_there_is_instead(void **unused) {
    (void)unused;
    is_refused(
        &explorer_dpor, (wish){.kernel = RULES_PREEMPTIVE, .match = MATCH_ESM},
        "engine dpor has no matcher 'esm' for C, C++ and dlang: it has the matcher none; engine search "
        "has it");
    is_refused(&explorer_dpor, (wish){.kernel = RULES_SYSTEMC},
               "engine dpor does not explore SystemC and IVL, but engines search, cegar and esst do");
    is_refused(
        &explorer_auto, (wish){.kernel = RULES_SYSTEMC, .por = POR_OPTIMAL},
        "no engine has reduction 'optimal' for SystemC and IVL; engine dpor has it for C, C++ and dlang");
    is_refused(&explorer_auto,
               (wish){.kernel = RULES_PREEMPTIVE, .por = POR_OPTIMAL, .has_order = true, .order = ORDER_BFS},
               "no engine has all that is asked for: reduction 'optimal' (dpor), order 'bfs' (search, cegar "
               "and esst)");
}

static void rules_are_told_with_their_reasons(void **unused) {
    (void)unused;
    wish w = {.kernel = RULES_SYSTEMC, .has_order = true, .order = ORDER_BFS};
    vec_push(&w.options, ((wished_option){"visited-memory", "1M"}));
    is_refused(&explorer_search, w,
               "with order 'bfs' engine search has no option 'visited-memory': it needs a stack");
    is_refused(&explorer_auto, w, "it needs a stack");
    w.order = ORDER_DFS;
    assert_ptr_equal(choose(&explorer_search, &w), &explorer_search);
    vec_free(&w.options);
}

static void options_that_only_some_have(void **unused) {
    (void)unused;
    assert_true(fit_is_of_some("chain", "7"));
    assert_true(fit_is_of_some("what", "arg"));
    assert_false(fit_is_of_some("what", "ir"));
    assert_false(fit_is_of_some("unwind", "7"));
    wish w = {.kernel = RULES_PREEMPTIVE};
    vec_push(&w.options, ((wished_option){"state-tracking", "on"}));
    assert_ptr_equal(choose(&explorer_auto, &w), &explorer_lazypor);
    vec_free(&w.options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_means_the_first_that_has_all_of_it),
        cmocka_unit_test(refusals_say_what_there_is_instead),
        cmocka_unit_test(rules_are_told_with_their_reasons),
        cmocka_unit_test(options_that_only_some_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
