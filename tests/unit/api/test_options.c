/* The option table and the parsing of values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/options.h"
#include "explore/explore.h"

static int open_options(void **slot) {
    options *o = mem_zero(1, sizeof *o);
    options_init(o);
    *slot = o;
    return 0;
}

static int close_options(void **slot) {
    options_free(*slot);
    mem_free(*slot);
    return 0;
}

static void accept(options *o, const char *name, const char *value) {
    text error = {0};
    bool good = options_set(o, name, value, &error);
    if (!good) print_error("%s\n", text_cstr(&error));
    assert_true(good);
    text_free(&error);
}

/* Refused, with a message that names the option and leaves the old value alone. */
static void refuse(options *o, const char *name, const char *value) {
    text error = {0};
    json_t *before = options_json(o);
    assert_false(options_set(o, name, value, &error));
    json_t *after = options_json(o);
    assert_non_null(strstr(text_cstr(&error), name));
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
    text_free(&error);
}

/* --- the table ------------------------------------------------------------------------------------------ */

static void every_option_is_described(void **slot) {
    (void)slot;
    const heddle_option *table = heddle_options();
    size_t count = 0;
    for (const heddle_option *o = table; o->name; o++, count++) {
        assert_int_equal(option_find(o->name), count);
        assert_true(o->commands != 0);
        assert_non_null(o->help);
        assert_non_null(o->group);
        assert_int_equal(o->kind == HEDDLE_OPTION_SWITCH, o->argument == NULL);
        bool choice = o->kind == HEDDLE_OPTION_CHOICE || o->kind == HEDDLE_OPTION_CHOICES;
        assert_int_equal(choice, o->values != NULL);
        assert_false(!strncmp(o->name, "no-", 3));
    }
    assert_int_equal(count, OPTION_COUNT);
    assert_int_equal(option_find("no-such-thing"), OPTION_COUNT);
}

static void groups_are_not_scattered(void **slot) {
    (void)slot;
    const heddle_option *table = heddle_options();
    for (size_t i = 1; i < OPTION_COUNT; i++)
        for (size_t k = 0; k + 1 < i; k++)
            if (!strcmp(table[i].group, table[k].group))
                assert_string_equal(table[i].group, table[k + 1].group);
}

static void presets_are_values(void **slot) {
    for (const heddle_option *o = heddle_options(); o->name; o++)
        if (*o->preset) accept(*slot, o->name, o->preset);
}

static void choices_are_what_the_explorers_know(void **slot) {
    options *o = *slot;
    por_kind por;
    match_kind match;
    for (int k = 0; k < POR_KINDS; k++) {
        accept(o, "por", por_name((por_kind)k));
        assert_true(por_from_name(o->value[OPTION_POR].written, &por));
        assert_int_equal(por, k);
    }
    for (int k = 0; k < MATCH_KINDS; k++) {
        accept(o, "match", match_name((match_kind)k));
        assert_true(match_from_name(o->value[OPTION_MATCH].written, &match));
        assert_int_equal(match, k);
    }
    accept(o, "property", "deadlock");
    assert_int_equal(o->value[OPTION_PROPERTY].choices, PROPERTY_DEADLOCK);
    accept(o, "property", "memory,assert");
    assert_int_equal(o->value[OPTION_PROPERTY].choices, PROPERTY_MEMORY | PROPERTY_ASSERT);
}

/* --- values --------------------------------------------------------------------------------------------- */

static void switches(void **slot) {
    options *o = *slot;
    assert_false(o->value[OPTION_ALL].on);
    accept(o, "all", NULL);
    assert_true(o->value[OPTION_ALL].on);
    assert_string_equal(o->value[OPTION_ALL].written, "on");
    accept(o, "no-all", NULL);
    assert_false(o->value[OPTION_ALL].on);
    accept(o, "all", "true");
    assert_string_equal(o->value[OPTION_ALL].written, "on");
    assert_true(o->value[OPTION_SLICING].on);
    accept(o, "no-slicing", NULL);
    assert_false(o->value[OPTION_SLICING].on);
    refuse(o, "all", "maybe");
    refuse(o, "no-all", "on");
    refuse(o, "no-por", NULL);
    refuse(o, "no-", NULL);
}

static void durations(void **slot) {
    options *o = *slot;
    static const struct {
        const char *written;
        double seconds;
    } good[] = {{"60s", 60}, {"2m", 120}, {"500ms", 0.5}, {"1h", 3600}, {"7", 7}, {"1.5s", 1.5}, {"0", 0}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        accept(o, "time", good[i].written);
        assert_float_equal(o->value[OPTION_TIME].seconds, good[i].seconds, 1e-9);
    }
    static const char *const bad[] = {"",    "s",   "-1s",   "1d",    "1 s", "1s ",
                                      "nan", "inf", "0x10s", "1e999", "+1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refuse(o, "time", bad[i]);
    refuse(o, "time", NULL);
}

static void sizes(void **slot) {
    options *o = *slot;
    static const struct {
        const char *written;
        uint64_t bytes;
    } good[] = {
        {"4G", UINT64_C(4) << 30}, {"512M", 512 << 20},        {"100K", 100 << 10},         {"7", 7},
        {"1T", UINT64_C(1) << 40}, {"2GB", UINT64_C(2) << 30}, {"2GiB", UINT64_C(2) << 30}, {"3k", 3 << 10}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        accept(o, "memory", good[i].written);
        assert_int_equal(o->value[OPTION_MEMORY].number, good[i].bytes);
    }
    static const char *const bad[] = {"",           "G", "-1G", "1.5G", "4X", "4GG", "99999999999999999999",
                                      "9999999999G"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refuse(o, "memory", bad[i]);
}

static void numbers(void **slot) {
    options *o = *slot;
    accept(o, "max-states", "123456789012");
    assert_int_equal(o->value[OPTION_MAX_STATES].number, 123456789012);
    assert_true(o->value[OPTION_MAX_STATES].given);
    assert_false(o->value[OPTION_MAX_DEPTH].given);
    static const char *const bad[] = {"",   "-1", "+1", " 1", "1 ", "1x", "0x10", "18446744073709551616",
                                      "1e3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refuse(o, "max-states", bad[i]);
}

static void choices(void **slot) {
    options *o = *slot;
    accept(o, "order", "bfs");
    assert_int_equal(o->value[OPTION_ORDER].choice, 1);
    static const char *const bad[] = {"", "b", "bfs|dfs", "BFS", "bfsx"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refuse(o, "order", bad[i]);
    static const char *const bad_lists[] = {"", ",", "assert,", ",assert", "assert,,memory", "assert memory",
                                            "x"};
    for (size_t i = 0; i < sizeof bad_lists / sizeof *bad_lists; i++) refuse(o, "property", bad_lists[i]);
}

static void parameters(void **slot) {
    options *o = *slot;
    accept(o, "set", "N=3");
    accept(o, "set", "M_2=-7");
    accept(o, "set", "N=0x10");
    assert_int_equal(o->parameters.size, 2);
    assert_string_equal(o->parameters.data[0].name, "N");
    assert_int_equal(o->parameters.data[0].value, 16);
    assert_int_equal(o->parameters.data[1].value, -7);
    static const char *const bad[] = {
        "", "N", "N=", "=3", "N=x", "3=N", "N=3x", "N =3", "N=99999999999999999999", "a.b=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refuse(o, "set", bad[i]);
    assert_int_equal(o->parameters.size, 2);
}

static void unknown_options(void **slot) {
    refuse(*slot, "nonsense", "1");
    refuse(*slot, "", "1");
    refuse(*slot, "--por", "ct");
    refuse(*slot, "no-nonsense", NULL);
}

/* A value may be set to the very string that heddle_get returned. */
static void setting_to_itself(void **slot) {
    options *o = *slot;
    accept(o, "por", "ct");
    accept(o, "por", o->value[OPTION_POR].written);
    assert_string_equal(o->value[OPTION_POR].written, "ct");
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void json_is_typed(void **slot) {
    options *o = *slot;
    accept(o, "time", "90s");
    accept(o, "set", "N=5");
    accept(o, "trace", "bad\xff.json");
    json_t *j = options_json(o);
    assert_int_equal(json_object_size(j), OPTION_COUNT);
    assert_string_equal(json_string_value(json_object_get(j, "por")), "auto");
    assert_true(json_is_false(json_object_get(j, "all")));
    assert_true(json_is_true(json_object_get(j, "slicing")));
    assert_float_equal(json_real_value(json_object_get(j, "time")), 90, 1e-9);
    assert_true(json_is_null(json_object_get(j, "memory")));
    assert_int_equal(json_integer_value(json_object_get(j, "seed")), 0);
    assert_int_equal(json_array_size(json_object_get(j, "property")), 2);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(j, "set"), "N")), 5);
    assert_string_equal(json_string_value(json_object_get(j, "trace")), "bad\xef\xbf\xbd.json");
    json_decref(j);
}

#define OPTIONS_TEST(f) cmocka_unit_test_setup_teardown(f, open_options, close_options)

int main(void) {
    const struct CMUnitTest tests[] = {
        OPTIONS_TEST(every_option_is_described),
        OPTIONS_TEST(groups_are_not_scattered),
        OPTIONS_TEST(presets_are_values),
        OPTIONS_TEST(choices_are_what_the_explorers_know),
        OPTIONS_TEST(switches),
        OPTIONS_TEST(durations),
        OPTIONS_TEST(sizes),
        OPTIONS_TEST(numbers),
        OPTIONS_TEST(choices),
        OPTIONS_TEST(parameters),
        OPTIONS_TEST(unknown_options),
        OPTIONS_TEST(setting_to_itself),
        OPTIONS_TEST(json_is_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
