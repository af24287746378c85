/* Files of projects and experiments: what is read is what was written, and what is wrong is told
 * with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "cli/matrix.h"
#include "cli/records.h"
#include "cli/stepper.h"
#include "cli/toml.h"

/* A file with this content; its name is in a place of the function's own. */
static const char *write_file(const char *content) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/heddle-test-XXXXXX");
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    return path;
}

static void read_all(FILE *from, char *out, size_t size) {
    rewind(from);
    out[fread(out, 1, size - 1, from)] = 0;
    fclose(from);
}

/* --- TOML ----------------------------------------------------------------------------------------------- */

static const char *list_entry(void *data, const toml_entry *e) {
    text *out = data;
    text_format(out, "[%s]", e->table);
    if (e->key) text_format(out, " %s%s", e->key, e->is_array ? " [" : "");
    for (size_t i = 0; i < e->count; i++) text_format(out, " <%s>", e->values[i]);
    text_add(out, "\n");
    return e->key && !strcmp(e->key, "never") ? "this is never right" : NULL;
}

static void check_read(const char *content, const char *expected) {
    const char *path = write_file(content);
    text out = {0};
    assert_true(toml_read(path, list_entry, &out, stderr));
    assert_string_equal(text_cstr(&out), expected);
    text_free(&out);
    remove(path);
}

/* `said` begins with the place. */
static void check_wrong(const char *content, const char *said) {
    const char *path = write_file(content);
    FILE *errors = tmpfile();
    text out = {0};
    char all[512];
    if (toml_read(path, list_entry, &out, errors)) fail_msg("'%s' is taken", content);
    read_all(errors, all, sizeof all);
    if (strncmp(all, path, strlen(path)) || strncmp(all + strlen(path), said, strlen(said)))
        fail_msg("'%s': %s", content, all);
    text_free(&out);
    remove(path);
}

static void entries_come_in_the_order_of_the_text(void **unused) {
    (void)unused;
    check_read("", "");
    check_read("# nothing\n\n", "");
    check_read(
        "top = 1\n[a.b]\nx = 'it is' # so\ny = \"a\\tb\\\"\"\nz = true\n[target.\"my file\"]\nk = -2.5\n",
        "[] top <1>\n[a.b]\n[a.b] x <it is>\n[a.b] y <a\tb\">\n[a.b] z <true>\n"
        "[target.my file]\n[target.my file] k <-2.5>\n");
    check_read("a = [1, 'two', # comment\n  \"three\",\n]\nb = []\n", "[] a [ <1> <two> <three>\n[] b [\n");
    check_read("\xef\xbb\xbf"
               "a = 1\r\nb = 2\r\n",
               "[] a <1>\n[] b <2>\n");
    check_read("a = 'no\\escape'\n", "[] a <no\\escape>\n");
}

static void what_is_wrong_has_its_place(void **unused) {
    (void)unused;
    check_wrong("a = 1\nb = \"open\nc = 2\n", ":2:5: error: this string does not end");
    check_wrong("a = 1\na = 2\n", ":2:1: error: this key stands here twice");
    check_wrong("[t]\na = 1\n[t]\n", ":3:1: error: this table stands here twice");
    check_wrong("a = 1979-05-27\n", ":1:5: error: ");
    check_wrong("a = {b = 1}\n", ":1:5: error: tables in one line are not supported");
    check_wrong("[[a]]\n", ":1:1: error: arrays of tables are not supported");
    check_wrong("a = \"\"\"x\"\"\"\n", ":1:5: error: strings of several lines are not supported");
    check_wrong("a = [1, [2]]\n", ":1:9: error: only plain values can be in an array");
    check_wrong("a = [1 2]\n", ":1:8: error: ',' or ']' should stand here");
    check_wrong("a = 1 b = 2\n", ":1:7: error: the line should end here");
    check_wrong("a = \"\\q\"\n", ":1:6: error: no such escape");
    check_wrong("a 1\n", ":1:3: error: '=' should stand here");
    check_wrong("[a\n", ":1:3: error: ']' should stand here");
    check_wrong("= 1\n", ":1:1: error: a name should stand here");
    check_wrong("a = maybe\n", ":1:5: error: ");
    check_wrong("x = 1\nnever = 1\n", ":2:1: error: this is never right"); /* as the taker says */
}

/* --- matrices ------------------------------------------------------------------------------------------- */

static void parameters_are_combined_in_all_ways(void **unused) {
    (void)unused;
    const char *path =
        write_file("[programs]\nmatch = ['*.c']\n[options]\ntime = '5s'\nproperty = ['race', 'leak']\n"
                   "[configuration.a]\nengine = 'dpor'\n[configuration.b]\n"
                   "[sweep]\nN = [1, 2, 3, 4]\nK = ['x']\nM = [7, 8]\n[repetitions]\ncount = 4\n");
    matrix m;
    assert_true(matrix_read(path, &m));
    remove(path);
    assert_int_equal(m.repetitions, 4);
    assert_int_equal(m.patterns.size, 1);
    assert_int_equal(m.configurations.size, 2);
    assert_string_equal(m.configurations.data[0].options.data[0].values.data[0], "dpor");
    assert_string_equal(m.options.data[1].values.data[0], "race,leak"); /* a list of choices is one value */
    assert_int_equal(matrix_ways(&m), 8);
    for (size_t i = 0; i < 8; i++) {
        assert_string_equal(matrix_value(&m, i, 1), "x");
        for (size_t j = 0; j < i; j++)
            assert_true(strcmp(matrix_value(&m, i, 0), matrix_value(&m, j, 0)) ||
                        strcmp(matrix_value(&m, i, 2), matrix_value(&m, j, 2)));
    }
    matrix_free(&m);
}

static void check_no_matrix(const char *content) {
    const char *path = write_file(content);
    fflush(stderr);
    FILE *said = tmpfile();
    int before = dup(STDERR_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    matrix m;
    bool good = matrix_read(path, &m);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    char all[512];
    read_all(said, all, sizeof all);
    if (good) fail_msg("'%s' is taken", content);
    assert_int_equal(strncmp(all, path, strlen(path)), 0);
    matrix_free(&m);
    remove(path);
}

static void a_plan_that_no_run_would_take_is_refused(void **unused) {
    (void)unused;
    check_no_matrix("[programs]\nmatch = 'x.c'\n"); /* no configuration */
    check_no_matrix("[configuration.a]\nengine = 'nobody'\n");
    check_no_matrix("[configuration.a]\nenigne = 'dpor'\n");
    check_no_matrix("[configuration.a]\nengine = ['dpor', 'search']\n");
    check_no_matrix("[configuration.a]\n[configuration.a]\n");
    check_no_matrix("[configuration.a]\n[repetitions]\ncount = 0\n");
    check_no_matrix("[configuration.a]\n[repetitions]\ncount = 'many'\n");
    check_no_matrix("[configuration.a]\n[sweep]\nN = []\n");
    check_no_matrix("[configuration.a]\n[swoop]\n");
}

/* --- records -------------------------------------------------------------------------------------------- */

static record sample(unsigned repetition) {
    return (record){.program = "a \"b\", c.c",
                    .configuration = "first,",
                    .parameters = "N=3 K=2",
                    .repetition = repetition,
                    .verdict = "unknown",
                    .reason = "time limit",
                    .engine = "dpor",
                    .por = "",
                    .match = "none",
                    .seconds = 1.5,
                    .cpu_seconds = 0.25,
                    .transitions = UINT64_MAX,
                    .states = 12,
                    .solver_queries = 0,
                    .peak_memory_bytes = 1 << 20};
}

static char *begin_table(unsigned lines) {
    char *path = strdup(write_file(""));
    FILE *file = records_open(path);
    assert_non_null(file);
    for (unsigned i = 0; i < lines; i++) {
        record r = sample(i);
        assert_true(records_append(file, &r));
    }
    fclose(file);
    return path;
}

static void what_is_appended_is_read_again(void **unused) {
    (void)unused;
    char *path = begin_table(2);
    FILE *more = records_open(path); /* no second heading */
    record broken = sample(2), found;
    broken.reason = "two\nlines";
    assert_true(records_append(more, &broken));
    fclose(more);
    records all = {0};
    assert_true(records_read(path, &all));
    assert_int_equal(all.size, 3);
    for (unsigned i = 0; i < 3; i++) {
        found = all.data[i];
        assert_string_equal(found.program, "a \"b\", c.c");
        assert_string_equal(found.configuration, "first,");
        assert_string_equal(found.parameters, "N=3 K=2");
        assert_int_equal(found.repetition, i);
        assert_string_equal(found.reason, i == 2 ? "two lines" : "time limit");
        assert_string_equal(found.por, "");
        assert_string_equal(found.match, "none");
        assert_true(found.seconds == 1.5 && found.cpu_seconds == 0.25);
        assert_true(found.transitions == UINT64_MAX && found.peak_memory_bytes == 1 << 20);
        assert_false(record_is_decided(&found));
    }
    record like = sample(1), other = sample(1);
    other.parameters = "N=3 K=3";
    assert_ptr_equal(records_find(&all, &like), &all.data[1]);
    assert_null(records_find(&all, &other));
    records_free(&all);
    remove(path);
    free(path);
}

/* A run that was ended while it wrote leaves half a line, which is cut off and done again. */
static void a_torn_line_is_cut_off(void **unused) {
    (void)unused;
    char *path = begin_table(2);
    FILE *file = fopen(path, "r+");
    fseek(file, 0, SEEK_END);
    long whole = ftell(file);
    fputs("half,a,li", file);
    fclose(file);
    records all = {0};
    assert_true(records_read(path, &all));
    assert_int_equal(all.size, 2);
    records_free(&all);
    file = fopen(path, "r");
    fseek(file, 0, SEEK_END);
    assert_int_equal(ftell(file), whole);
    fclose(file);
    remove(path);
    free(path);
}

static void a_table_of_others_is_not_touched(void **unused) {
    (void)unused;
    const char *path = write_file("name,value\nx,1");
    records all = {0};
    FILE *said = tmpfile();
    fflush(stderr);
    int before = dup(STDERR_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    bool good = records_read(path, &all);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    fclose(said);
    assert_false(good);
    records_free(&all);
    char kept[64];
    read_all(fopen(path, "r"), kept, sizeof kept);
    assert_string_equal(kept, "name,value\nx,1");
    remove(path);
    all = (records){0};
    assert_true(records_read(path, &all)); /* none yet */
    assert_int_equal(all.size, 0);
}

/* --- steps of a trace ----------------------------------------------------------------------------------- */

static void steps_are_asked_for_changes_and_words(void **unused) {
    (void)unused;
    json_t *step = json_loads("{\"thread\": \"worker\", \"source\": \"x = t + 1;\", \"changes\": ["
                              "{\"name\": \"x\", \"before\": \"0\", \"after\": \"1\"},"
                              "{\"name\": \"buf[3]\", \"after\": \"7\"},"
                              "{\"name\": \"same\", \"before\": \"4\", \"after\": \"4\"}],"
                              "\"notified\": [\"ready\"]}",
                              0, NULL);
    assert_non_null(step);
    assert_true(step_changes(step, "x", NULL));
    assert_true(step_changes(step, "x", "1"));
    assert_false(step_changes(step, "x", "0"));
    assert_false(step_changes(step, "y", NULL));
    assert_false(step_changes(step, "same", NULL));
    assert_true(step_changes(step, "b*", "7"));
    static const char *const words[] = {"work", "t + 1", "buf", "read"};
    for (int i = 0; i < 4; i++) assert_true(step_contains(step, words[i]));
    assert_false(step_contains(step, "nowhere"));
    json_decref(step);
}

static void text_of_a_file_does_not_command_the_terminal(void **unused) {
    (void)unused;
    FILE *out = tmpfile();
    put_text(out, "a\tb \x1b[31mred\x7f\n\r\xc3\xa4");
    char all[64];
    read_all(out, all, sizeof all);
    assert_string_equal(all, "a\tb ?[31mred???\xc3\xa4");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_in_the_order_of_the_text),
        cmocka_unit_test(what_is_wrong_has_its_place),
        cmocka_unit_test(parameters_are_combined_in_all_ways),
        cmocka_unit_test(a_plan_that_no_run_would_take_is_refused),
        cmocka_unit_test(what_is_appended_is_read_again),
        cmocka_unit_test(a_torn_line_is_cut_off),
        cmocka_unit_test(a_table_of_others_is_not_touched),
        cmocka_unit_test(steps_are_asked_for_changes_and_words),
        cmocka_unit_test(text_of_a_file_does_not_command_the_terminal),
    };
    return cmocka_run_group_tests_name("experiments", tests, NULL, NULL);
}
