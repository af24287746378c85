/* Options that mean nothing for a program are told, those that do are not. */
#include "core_fixture.h"

#include "api/idle.h"

typedef struct given_option {
    const char *name, *value;
} given_option;

static const char model[] = "int x = 0;\nthread A { x += 1; }\nmain { start; }";

/* What is said of one option, for a program in IVL. */
static void describe(given_option given, text *out) {
    options o;
    text error = {0};
    options_init(&o);
    assert_true(options_set(&o, given.name, given.value, &error));
    if (strcmp(given.name, "engine")) assert_true(options_set(&o, "jobs", "7", &error));
    inquiry q = {.frontend = frontend_of("m.ivl")};
    program *p = compile_with(model, NULL, 0);
    idle_describe(&o, &q, p, out);
    program_destroy(p);
    options_free(&o);
    text_free(&error);
}

static void is_told(given_option given, const char *because) {
    text said = {0};
    describe(given, &said);
    if (!strstr(text_cstr(&said), because))
        fail_msg("%s %s: '%s'", given.name, given.value, text_cstr(&said));
    text_free(&said);
}

static void is_not_told(given_option given) {
    text said = {0};
    describe(given, &said);
    if (said.size) fail_msg("%s %s: '%s'", given.name, given.value, text_cstr(&said));
    text_free(&said);
}

static void options_of_other_languages(void **unused) {
    (void)unused;
    is_told((given_option){"define", "X=1"},
            "option 'define' changes nothing: it is for programs in C or C++\n");
    is_told((given_option){"entry", "f"}, "'entry' changes nothing");
    is_told((given_option){"atomicity", "statements"}, "'atomicity' changes nothing");
    is_told((given_option){"replay-binary", "on"}, "'replay-binary' changes nothing");
    is_told((given_option){"stops", "statements"}, "'stops statements' changes nothing");
    is_told((given_option){"context-bound", "3"}, "it is for programs in C, C++ and dlang\n");
    is_not_told((given_option){"unwind", "3"});
    is_not_told((given_option){"sim-time", "3"});
    is_not_told((given_option){"stops", "loops"});
    is_not_told((given_option){"data-model", "LP64"}); /* the preset */
}

static void explorers_that_run_alone(void **unused) {
    (void)unused;
    is_told((given_option){"max-states", "100"}, "option 'jobs' changes nothing: engine search runs alone\n");
    is_not_told((given_option){"all", "on"});        /* auto has it */
    is_not_told((given_option){"engine", "search"}); /* without jobs */
}

/* A new option for C alone is not forgotten. */
static void all_options_of_c_have_conditions(void **unused) {
    (void)unused;
    const heddle_option *table = heddle_options();
    for (unsigned id = 0; id < OPTION_COUNT; id++)
        if (!strcmp(table[id].group, table[OPTION_DEFINE].group) && !idle_is_known((option_id)id))
            fail_msg("%s", table[id].name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_other_languages),
        cmocka_unit_test(explorers_that_run_alone),
        cmocka_unit_test(all_options_of_c_have_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
