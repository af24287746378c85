/* The command line: which words are options, values and files, and what is said of those that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/arguments.h"

enum { MOST_WORDS = 16, MOST_SAID = 1024 };

typedef struct parsed {
    heddle *h;
    arguments a;
    bool good;
    char said[MOST_SAID]; /* on standard error */
} parsed;

/* The words of a line, which are separated by blanks; what is said goes into a file meanwhile. */
static parsed parse(const char *line) {
    parsed p = {.h = heddle_create()};
    char *copy = strdup(line), *words[MOST_WORDS + 1] = {"heddle"};
    int count = 1;
    for (char *save, *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        assert_true(count < MOST_WORDS);
        words[count++] = word;
    }
    fflush(stderr);
    FILE *said = tmpfile();
    int before = dup(STDERR_FILENO);
    assert_true(said && before >= 0);
    dup2(fileno(said), STDERR_FILENO);
    p.good = arguments_parse(count, words, p.h, &p.a);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(said);
    p.said[fread(p.said, 1, MOST_SAID - 1, said)] = 0;
    fclose(said);
    /* words that are kept are those of the caller, and his are about to go */
    p.a.engine = p.a.engine ? strdup(p.a.engine) : NULL;
    p.a.por = p.a.por ? strdup(p.a.por) : NULL;
    p.a.trace = p.a.trace ? strdup(p.a.trace) : NULL;
    p.a.first_file = p.a.first_file ? strdup(p.a.first_file) : NULL;
    for (size_t i = 0; i < p.a.script_count; i++) p.a.script[i] = strdup(p.a.script[i]);
    free(copy);
    return p;
}

static void parsed_free(parsed *p) {
    for (size_t i = 0; i < p->a.script_count; i++) free((char *)p->a.script[i]);
    free(p->a.script);
    free((char *)p->a.engine);
    free((char *)p->a.por);
    free((char *)p->a.trace);
    free((char *)p->a.first_file);
    heddle_destroy(p->h);
}

static parsed parse_well(const char *line) {
    parsed p = parse(line);
    if (!p.good) fail_msg("%s: %s", line, p.said);
    assert_string_equal(p.said, "");
    return p;
}

static void check_option(const char *line, const char *option, const char *value) {
    parsed p = parse_well(line);
    if (strcmp(heddle_get(p.h, option), value))
        fail_msg("%s: %s is '%s'", line, option, heddle_get(p.h, option));
    assert_int_equal(p.a.options, 1);
    assert_int_equal(p.a.files, 1);
    assert_string_equal(p.a.first_file, "x.c");
    parsed_free(&p);
}

static void check_refused(const char *line, const char *said) {
    parsed p = parse(line);
    if (p.good) fail_msg("%s is taken", line);
    if (!strstr(p.said, said)) fail_msg("%s: %s", line, p.said);
    parsed_free(&p);
}

/* --- options -------------------------------------------------------------------------------------------- */

static void values_stand_behind_an_equals_sign_or_apart(void **unused) {
    (void)unused;
    check_option("check --engine=dpor x.c", "engine", "dpor");
    check_option("check --engine dpor x.c", "engine", "dpor");
    check_option("check x.c --engine dpor", "engine", "dpor");
    check_option("check --time=5s x.c", "time", "5s");
    check_option("check --entry=a=b x.c", "entry", "a=b"); /* the first sign counts */
}

static void switches_are_turned_on_and_off(void **unused) {
    (void)unused;
    check_option("check --all x.c", "all", "on");
    check_option("check --no-all x.c", "all", "off");
    check_option("check --no-sleep-spins x.c", "sleep-spins", "off");
    check_refused("check --no-engine x.c", "unknown option '--no-engine'"); /* only of switches */
}

static void flags_of_compilers_are_options(void **unused) {
    (void)unused;
    check_option("check -m32 x.c", "data-model", "ILP32");
    check_option("check --64 x.c", "data-model", "LP64");
    check_option("check -std=c99 x.c", "std", "c99");
    static const char *const macros[] = {"check -DN=3 x.c", "check -D N=3 x.c", "check --define N=3 x.c"};
    for (int i = 0; i < 3; i++) check_option(macros[i], "define", "N=3");
    check_refused("check x.c -D", "option '-D' needs a value");
    check_refused("check x.c -q", "unknown option '-q'");
}

static void a_slip_is_put_right(void **unused) {
    (void)unused;
    check_refused("check --engin dpor x.c", "unknown option '--engin'; did you mean '--engine'?");
    check_refused("check --proprety=race x.c", "did you mean '--property'?");
    check_refused("check --tiem 5s x.c", "did you mean '--time'?");
    parsed p = parse("check --frobnicate x.c"); /* nothing is near */
    assert_false(p.good);
    assert_non_null(strstr(p.said, "unknown option '--frobnicate'\n"));
    assert_null(strstr(p.said, "did you mean"));
    parsed_free(&p);
    char line[400] = "check --";
    memset(line + strlen(line), 'a', 300);
    check_refused(line, "unknown option '--aaa");
}

/* Two letters too many are near enough for the name that was meant, or for another one. */
static void every_option_is_found_again_after_a_slip(void **unused) {
    (void)unused;
    for (const heddle_option *o = heddle_options(); o->name; o++) {
        char line[200];
        snprintf(line, sizeof line, "check --%sqq x.c", o->name);
        check_refused(line, "did you mean '--");
    }
}

static void options_belong_to_commands(void **unused) {
    (void)unused;
    for (const heddle_option *o = heddle_options(); o->name; o++)
        for (const command *c = commands; c->name; c++) {
            if (o->commands & c->bit) continue;
            char line[200], expected[200];
            snprintf(line, sizeof line, "%s --%s x.c", c->name, o->name);
            snprintf(expected, sizeof expected, "option '--%s' is not for '%s'", o->name, c->name);
            check_refused(line, expected);
        }
}

static void values_are_asked_for_and_checked(void **unused) {
    (void)unused;
    check_refused("check x.c --engine", "option '--engine' needs a value: ENGINE");
    check_refused("check x.c --engine=nobody", "nobody");
    check_refused("check x.c --time=soon", "soon");
}

/* --- commands and files --------------------------------------------------------------------------------- */

static void commands_have_their_files(void **unused) {
    (void)unused;
    for (const command *c = commands; c->name; c++) assert_ptr_equal(command_find(c->name), c);
    assert_null(command_find("chekc"));
    check_refused("", "what to do?");
    check_refused("chekc x.c", "unknown command 'chekc'");
    check_refused("dump", "'dump' needs a file");
    check_refused("simulate --seed 3", "'simulate' needs a file");
    parsed p = parse_well("check"); /* a project may name them */
    assert_int_equal(p.a.files, 0);
    assert_null(p.a.first_file);
    parsed_free(&p);
    p = parse_well("check a.c b.c --all c.c");
    assert_int_equal(p.a.files, 3);
    assert_string_equal(p.a.first_file, "a.c");
    assert_int_equal(p.a.options, 1);
    parsed_free(&p);
}

static void behind_two_dashes_there_are_only_files(void **unused) {
    (void)unused;
    parsed p = parse_well("check -- --all -m32");
    assert_int_equal(p.a.files, 2);
    assert_int_equal(p.a.options, 0);
    assert_string_equal(p.a.first_file, "--all");
    assert_string_equal(heddle_get(p.h, "all"), "off");
    parsed_free(&p);
    p = parse_well("check -"); /* one dash is a name */
    assert_string_equal(p.a.first_file, "-");
    parsed_free(&p);
}

static void the_first_file_to_explain_is_the_trace(void **unused) {
    (void)unused;
    parsed p = parse_well("explain t.json new.c --command next --command=quit more.c");
    assert_string_equal(p.a.trace, "t.json");
    assert_string_equal(p.a.first_file, "new.c");
    assert_int_equal(p.a.files, 2);
    assert_int_equal(p.a.script_count, 2);
    assert_string_equal(p.a.script[0], "next");
    assert_string_equal(p.a.script[1], "quit");
    assert_int_equal(p.a.options, 0);
    parsed_free(&p);
    p = parse_well("explain t.json");
    assert_int_equal(p.a.files, 0);
    parsed_free(&p);
}

/* The library knows one engine at a time: lists are for the command. */
static void to_compare_takes_lists(void **unused) {
    (void)unused;
    parsed p = parse_well("compare --engine search,dpor --por=none,optimal x.c");
    assert_string_equal(p.a.engine, "search,dpor");
    assert_string_equal(p.a.por, "none,optimal");
    assert_string_equal(heddle_get(p.h, "engine"), "auto");
    parsed_free(&p);
    check_refused("check --engine search,dpor x.c", "search,dpor");
}

static void help_comes_first(void **unused) {
    (void)unused;
    static const struct {
        const char *line;
        int help;
    } cases[] = {{"--help", HELP_TEXT},
                 {"-h", HELP_TEXT},
                 {"check --help", HELP_TEXT},
                 {"check x.c --engine dpor --help=all", HELP_ALL},
                 {"dump --help=man", HELP_MANUAL},
                 {"--help=engines", HELP_ENGINES},
                 {"--help=bash", HELP_BASH},
                 {"--help=zsh", HELP_ZSH},
                 {"--help=markdown", HELP_MARKDOWN},
                 {"--version", HELP_VERSION},
                 {"simulate --help", HELP_TEXT},
                 {"check x.c", HELP_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parsed p = parse_well(cases[i].line);
        if ((int)p.a.help != cases[i].help) fail_msg("%s: %d", cases[i].line, p.a.help);
        parsed_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stand_behind_an_equals_sign_or_apart),
        cmocka_unit_test(switches_are_turned_on_and_off),
        cmocka_unit_test(flags_of_compilers_are_options),
        cmocka_unit_test(a_slip_is_put_right),
        cmocka_unit_test(every_option_is_found_again_after_a_slip),
        cmocka_unit_test(options_belong_to_commands),
        cmocka_unit_test(values_are_asked_for_and_checked),
        cmocka_unit_test(commands_have_their_files),
        cmocka_unit_test(behind_two_dashes_there_are_only_files),
        cmocka_unit_test(the_first_file_to_explain_is_the_trace),
        cmocka_unit_test(to_compare_takes_lists),
        cmocka_unit_test(help_comes_first),
    };
    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
