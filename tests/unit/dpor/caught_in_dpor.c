/* Mistakes inside the explorer, each of which an assertion of it ends: functions that stand in for its own
 * break sleep sets, wakeup trees and clocks. Its modules are compiled with assertions for this program. */
// clang-format off
#include "thread_programs.h"
#include "random_programs.h"
#include "random_threads.h"
#include "last_words.h"
// clang-format on

#include "dpor/internal.h"

/* --- what stands in --------------------------------------------------------------------------------------- */

static bool forgets_sleep, shares_trees, confuses_clocks;

/* The linker takes calls from other modules than the function's own here (--wrap). */
bool __real_may_start(const dpor *x, const node *n, uint32_t thread);
bool __wrap_may_start(const dpor *x, const node *n, uint32_t thread);
bool __wrap_may_start(const dpor *x, const node *n, uint32_t thread) {
    if (!forgets_sleep) return __real_may_start(x, n, thread);
    return bits_has(enabled_row(x, (uint32_t)(n - x->nodes.data)), thread);
}

uint32_t __real_wakeup_copy(wakeup *w, uint32_t subtree);
uint32_t __wrap_wakeup_copy(wakeup *w, uint32_t subtree);
uint32_t __wrap_wakeup_copy(wakeup *w, uint32_t subtree) {
    return shares_trees ? subtree : __real_wakeup_copy(w, subtree);
}

/* The first event of the race is taken for one of main. */
bool __real_could_come_first(dpor *x, const race *r, const state *control);
bool __wrap_could_come_first(dpor *x, const race *r, const state *control);
bool __wrap_could_come_first(dpor *x, const race *r, const state *control) {
    if (confuses_clocks) clock_row(x, r->first)[0] = r->first + 1;
    return __real_could_come_first(x, r, control);
}

/* --- programs --------------------------------------------------------------------------------------------- */

static void put_statement(maker *k, uint64_t *seed, const shape *s, uint32_t *local) {
    (void)s, (void)local;
    uint32_t cell = random_cell(seed);
    switch (random_below(seed, 3)) {
    case 0: put_store(k, cell, operand_const(32, random_below(seed, 3))); break;
    case 1: put_load(k, cell); break;
    default: {
        fork_in_code fork = begin_if(k, put_compare(k, ARITH_EQ, put_input(k), 1));
        put_store(k, cell, operand_const(32, 7));
        end_if(k, fork);
        break;
    }
    }
}

static void explore(por_kind por) {
    uint64_t seed = 1;
    for (int i = 0; i < 40; i++) {
        maker k =
            random_threads(&seed, &(shape){.threads = 3, .statements = 2, .locks = i % 2}, put_statement);
        fixture f = open_maker(&k);
        found r = run_dpor(&f, por, PROPERTY_ASSERT, true);
        found_free(&r);
        fixture_close(&f);
    }
}

/* --- mistakes --------------------------------------------------------------------------------------------- */

static void no_mistake(void) {
    explore(POR_SOURCE);
    explore(POR_OPTIMAL);
}

static void wake_without_reason(void) {
    forgets_sleep = true;
    explore(POR_SOURCE);
}

static void share_a_tree(void) {
    shares_trees = true;
    explore(POR_OPTIMAL);
}

static void take_an_event_for_that_of_another(void) {
    confuses_clocks = true;
    explore(POR_SOURCE);
}

static const struct {
    mistake *make;
    const char *assertion;
} mistakes[] = {
    {wake_without_reason, "!is_asleep(x, n, thread)"},
    {share_a_tree, "are_trees(x)"},
    {take_an_event_for_that_of_another, "is_right_clock(x, position)"},
};

static void mistakes_are_caught(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const char *said = last_words(mistakes[i].make);
        if (!said) fail_msg("nobody caught: %s", mistakes[i].assertion);
        if (!strstr(said, mistakes[i].assertion)) fail_msg("%s, but not %s", said, mistakes[i].assertion);
    }
}

static void nothing_else_is(void **unused) {
    (void)unused;
    const char *said = last_words(no_mistake);
    if (said) fail_msg("%s", said);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_else_is),
                                       cmocka_unit_test(mistakes_are_caught)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
