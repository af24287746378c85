/* The search for shorter counterexamples is one that engine search can make, whatever the first one
 * was asked for. */
#include "core_fixture.h"

#include "api/shrinking.h"

static const char two_threads[] = "int x = 0;\nthread A { x += 1; }\nthread B { assert x == 0; }\n"
                                  "main { start; }";

typedef struct asked {
    const char *name, *value;
} asked;

/* Whether it can be made for a run with this option, with the stops of the first search. */
static void check_search(asked option, unsigned stops) {
    options given;
    text error = {0};
    options_init(&given);
    assert_true(options_set(&given, option.name, option.value, &error));
    inquiry q = {.frontend = frontend_of("m.ivl"), .spec = specification_of_properties(PROPERTY_ASSERT)};
    session s;
    atomic_bool interrupted = false;
    session_open(&s, compile_with(two_threads, NULL, 0), &given, &q, &interrupted, 0);
    for (int by_steps = 0; by_steps < 2; by_steps++) {
        explore_options how = shrinking_search_options(&s, stops, by_steps);
        bool possible = explorer_can(&explorer_search, &how, RULES_SYSTEMC);
        if (!possible) fail_msg("refused because of %s %s", option.name, option.value);
        outcome found = {0};
        search_run(s.machine, &how, &found);
        assert_int_equal(outcome_verdict(&found), VERDICT_UNSAFE);
        outcome_free(&found);
    }
    session_close(&s);
    options_free(&given);
    text_free(&error);
}

static const asked each_alone[] = {{"visited-memory", "1M"}, {"dump-traces", "traces"},
                                   {"visited", "compact"},   {"visited", "compact-unconfirmed"},
                                   {"chain", "7"},           {"por", "dpor"},
                                   {"match", "none"},        {"order", "astar"},
                                   {"weight", "1"},          {"guide", "fine"},
                                   {"max-depth", "1000"},    {"stops", "loops"},
                                   {"domain", "boolean"},    {"all", "on"},
                                   {"check-reduction", "on"}};

static void no_option_of_the_first_search_refuses_the_second(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof each_alone / sizeof *each_alone; i++) {
        check_search(each_alone[i], STOP_VISIBLE);
        check_search(each_alone[i], STOP_LOOP_HEAD);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_option_of_the_first_search_refuses_the_second)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
