/* What dlang programs do: every bundled model has the trace counts and verdicts that its header promises, and
 * statements mean what docs/dlang.md says. Judged by the naive reference of dlang_reference.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dlang_reference.h"
#include "frontend/dlang/dlang.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 8, MOST_STATES = 20000 };

static program *compile(const char *source, const dlang_setting *settings, size_t count) {
    diagnostics d = {.file = "test.dl", .source = source};
    program *p = dlang_parse("test.dl", source, strlen(source), settings, count, &d);
    text said = {0};
    diag_print(&d, &said);
    if (!p) fail_msg("%s", text_cstr(&said));
    text_free(&said);
    diag_free(&d);
    return p;
}

static ref_result explore(const char *source, bool by_trace) {
    program *p = compile(source, NULL, 0);
    ref_result result = ref_explore(p, by_trace, MOST_STATES);
    program_destroy(p);
    assert_false(result.cut);
    return result;
}

static void expect_traces(const char *source, uint64_t traces) {
    ref_result result = explore(source, true);
    if (result.traces != traces)
        fail_msg("%llu traces instead of %llu: %s", (unsigned long long)result.traces,
                 (unsigned long long)traces, source);
}

static void expect_holds(const char *source) {
    ref_result result = explore(source, false);
    if (result.violations) fail_msg("violated: %s", source);
}

static void expect_violated(const char *source) {
    ref_result result = explore(source, false);
    if (!result.violations) fail_msg("not violated: %s", source);
}

/* --- the bundled models --------------------------------------------------------------------------------- */

typedef struct promise {
    char first[32]; /* the verdict, or the number of traces */
    bool about_deadlocks;
    char names[MOST_SETTINGS][32];
    dlang_setting settings[MOST_SETTINGS];
    size_t count;
} promise;

static promise read_promise(const char *line) {
    promise p = {0};
    char words[200], *rest = words, *word;
    snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n"), line);
    for (int k = 0; (word = strsep(&rest, " ")); k++) {
        char *equals = strchr(word, '=');
        if (k == 0) snprintf(p.first, sizeof p.first, "%s", word);
        if (!strcmp(word, "deadlock")) p.about_deadlocks = true;
        if (!equals) continue;
        assert_true(p.count < MOST_SETTINGS);
        snprintf(p.names[p.count], sizeof p.names[0], "%.*s", (int)(equals - word), word);
        p.settings[p.count].value = atoll(equals + 1);
        p.count++;
    }
    return p;
}

static program *compile_as_promised(const char *source, promise *p) {
    for (size_t k = 0; k < p->count; k++) p->settings[k].name = p->names[k];
    return compile(source, p->settings, p->count);
}

static const char *verdict_of(const ref_result *result, bool about_deadlocks) {
    if (about_deadlocks) return result->deadlocks ? "unsafe" : "safe";
    return result->violations ? "unsafe" : result->given_up ? "unknown" : "safe";
}

static unsigned promises_kept;

static void check_promise(const char *model, const char *source, const char *line, bool about_traces) {
    promise p = read_promise(line);
    program *compiled = compile_as_promised(source, &p);
    ref_result result = ref_explore(compiled, about_traces, MOST_STATES);
    program_destroy(compiled);
    if (result.cut && !about_traces && !result.violations) return; /* too large for this way of looking */
    char traces[32];
    snprintf(traces, sizeof traces, "%llu", (unsigned long long)result.traces);
    const char *found = about_traces ? traces : verdict_of(&result, p.about_deadlocks);
    if (result.cut && about_traces) found = "too many";
    if (strcmp(found, p.first)) fail_msg("%s: %s instead of: %.60s", model, found, line);
    promises_kept++;
}

static unsigned check_promises(const char *model, const char *source) {
    static const char *const marks[] = {"// expect: ", "// traces: "};
    unsigned expectations = 0;
    promises_kept = 0;
    for (int kind = 0; kind < 2; kind++)
        for (const char *at = source; (at = strstr(at, marks[kind]));) {
            at += strlen(marks[kind]);
            check_promise(model, source, at, kind == 1);
            expectations += kind == 0;
        }
    if (!promises_kept) fail_msg("%s: nothing could be checked", model);
    return expectations;
}

static char *read_file(const char *path) {
    text t = {0};
    char buffer[4096];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f));) text_add_bytes(&t, buffer, n);
    fclose(f);
    char *copy = strdup(text_cstr(&t));
    text_free(&t);
    return copy;
}

static void models_keep_their_promises(void **unused) {
    (void)unused;
    DIR *folder = opendir(HEDDLE_SOURCE_DIR "/models/dlang");
    assert_non_null(folder);
    unsigned models = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".dl")) continue;
        char path[600];
        snprintf(path, sizeof path, "%s/models/dlang/%s", HEDDLE_SOURCE_DIR, entry->d_name);
        char *source = read_file(path);
        if (!check_promises(entry->d_name, source)) fail_msg("%s: no expected verdict", entry->d_name);
        free(source);
        models++;
    }
    closedir(folder);
    assert_true(models > 20);
}

/* Thread t + 11 meets thread t in three slots; all eleven threads between are independent of both, so two
 * processes that count from 0 and from 11 show what the published 8 for twelve threads comes from. */
static void indexer_collides_three_times(void **unused) {
    (void)unused;
    const char *pair = "<2, const size 1 128, table size, local m 1, local w 1, local h 1>"
                       "<{2 [ while m < 4 { m := m + 1 w := (m * 11) + ($ * 11) h := (w * 7) % size"
                       " while cas(table[h], 0, w) == 0 { h := (h + 1) % size } } ] }>";
    expect_traces(pair, 8);
}

/* --- the meaning of statements -------------------------------------------------------------------------- */

static void statements_are_transitions(void **unused) {
    (void)unused;
    expect_traces("<2, x 1> [x := x + 1] [x := x + 1]", 2);
    expect_traces("<2, x 1, y 1> [x := y] [y := x]", 2);
    expect_traces("<2, x 1, y 1, local a 1> [a := y x := a] [y := 1 x := 1]", 4);
    expect_traces("<2, x 1> [if x == 0] [if x == 0]", 1);
    expect_traces("<2, x 1> [if x == 0 && x == 0] [x := 1]", 2);
    expect_traces("<2, x 1> [if x == 0 if x == 0] [x := 1]", 3);
    expect_traces("<2, local x 1> [x := x + 1 x := 2] [x := 1]", 1);
    expect_traces("<2, const t 3 1 2 3, local i 1> [i := t[i]] [i := t[i]]", 1);
    expect_traces("<2, x 2> [x[0] := 1] [x[1] := 1]", 1);
    expect_traces("<2, x 1> [cas(x, 1, 2)] [cas(x, 1, 2)]", 1);
    expect_traces("<2, x 1> [cas(x, 0, 2)] [cas(x, 0, 2)]", 2);
}

static void arithmetic_is_as_documented(void **unused) {
    (void)unused;
    expect_holds("<1, local a 1 -7, local b 1 2> [assert a / b == -4 assert a % b == 1"
                 " b := -2 assert a / b == 3 assert a % b == -1]");
    expect_holds("<1, local a 1 7, local b 1 -2> [assert a / b == -4 assert a % b == -1]");
    expect_holds(
        "<1, local a 1 -7> [assert a / 2 == -4 assert a % 2 == 1 assert a / -2 == 3 assert a % -2 == -1]");
    expect_holds("<1, local a 1 -6, local b 1 2> [assert a / b == -3 assert a % b == 0]");
    expect_holds("<1> [assert (0 - 7) / 2 == -4 assert -7 % 2 == 1]");
    expect_holds("<1, local a 1 2> [assert 1 + a * 3 == 9 assert a * 3 + 1 == 7 assert 10 - a - 3 == 5]");
    expect_holds("<1, local a 1 9223372036854775807> [a := a + 1 assert a < 0 assert a / -1 == a]");
    expect_holds("<1, local a 1 3> [assert a <= 3 && a >= 3 && !(a < 3) && !(a > 3) && a != 4 || a == 9]");
    expect_violated("<1, local a 1, local b 1> [a := 1 / b]");
    expect_violated("<1, local a 1> [a := 1 % 0]");
    expect_violated("<1, local a 1> [assert a == 1]");
}

static void connectives_leave_out_their_right_side(void **unused) {
    (void)unused;
    expect_holds("<1, x 2, local i 1 2> [assert i > 1 || x[i] == 0 if i < 2 && x[i] == 0]");
    expect_violated("<1, x 2, local i 1 2> [if i < 3 && x[i] == 0]");
    expect_violated("<1, x 2, local i 1 2> [if i < 2 || x[i] == 0]");
}

static void variables_are_what_the_header_says(void **unused) {
    (void)unused;
    expect_holds("<1, x 3 5 -6, const c 2 8 9, local l 3 1 2> [assert x[0] == 5 assert x[1] == -6"
                 " assert x[2] == 0 assert c[0] == 8 assert l[1] == 2 assert l[2] == 0]");
    expect_holds(
        "<2, local l 2, local s 1, x 1> <{2 [l[0] := l[0] + 1 s := s + 1 assert l[0] == 1 assert s == 1] }>");
    expect_holds("<1, const c 3 4 5 6, local i 1 1> [assert c[i + 1] == 6]");
    expect_violated("<1, x 2, local i 1 2> [x[i] := 1]");
    expect_violated("<1, x 2, local i 1 -1> [x[i] := 1]");
    expect_violated("<1, local x 2, local i 1 2> [x[i] := 1]");
    expect_violated("<1, x 2> [x[2] := 1]");
    expect_violated("<1, const x 2, local i 1> [i := x[i + 2]]");
    expect_holds("<1, x 2, local i 1 1> [if i == 0 then { x[2] := 1 }]");
}

static void swaps_say_whether_they_happened(void **unused) {
    (void)unused;
    expect_holds("<1, x 1 3, local r 1> [r := cas(x, 3, 4) assert r == 1 assert x == 4 r := cas(x, 3, 5)"
                 " assert r == 0 assert x == 4]");
    expect_holds("<2, x 1, winners 1> <{2 [if cas(x, 0, 1) == 1 then { winners := winners + 1 }"
                 " assert winners < 2] }>");
}

static void conditionals_and_loops_choose(void **unused) {
    (void)unused;
    expect_holds(
        "<1, local a 1> [if a == 0 then { a := 5 } else { a := 6 } assert a == 5"
        " if a == 0 then { a := 7 } else { a := 8 } assert a == 8 if a == 8 then { } assert a == 8]");
    expect_holds("<1, local a 1, local s 1> [while a < 5 { a := a + 1 s := s + a } assert s == 15]");
}

static void channels_keep_order_and_block(void **unused) {
    (void)unused;
    expect_holds("<2, channel c 1 2, local m 1> [send(c, 1) send(c, 2) send(c, 3)]"
                 " [receive(c, m) assert m == 1 receive(c, m) assert m == 2 receive(c, m) assert m == 3"
                 " assert length(c) == 0]");
    expect_holds("<2, channel c 2, x 1, local m 1> [send(c[1], 7) x := 1] [receive(c[1], x) assert x > 0]");
    assert_int_equal(explore("<1, channel c 1, local m 1> [receive(c, m)]", true).deadlocks, 1);
    assert_int_equal(explore("<1, channel c 1 1> [send(c, 1) send(c, 1)]", true).deadlocks, 1);
    assert_int_equal(explore("<1, channel c 1> [send(c, 1) send(c, 1)]", true).deadlocks, 0);
    expect_violated("<1, channel c 2, local i 1 2> [send(c[i], 1)]");
    expect_traces("<2, channel c 2> <{2 [send(c[$], 1)] }>", 1);
    expect_traces("<2, channel c 1> <{2 [send(c, $)] }>", 2);
}

static void unbounded_channels_give_up_honestly(void **unused) {
    (void)unused;
    ref_result many = explore("<1, channel c 1, local i 1> [while i < 257 { send(c, i) i := i + 1 }]", false);
    assert_int_equal(many.given_up, 1);
    ref_result fit = explore("<1, channel c 1, local i 1> [while i < 256 { send(c, i) i := i + 1 }"
                             " assert length(c) == 256]",
                             false);
    assert_int_equal(fit.given_up, 0);
    assert_int_equal(fit.violations, 0);
    ref_result straight = explore("<1, channel c 1> [ <{300 send(c, $) }> ]", false);
    assert_int_equal(straight.given_up, 1);
}

static void indexer_is_its_loop(void **unused) {
    (void)unused;
    expect_holds("<1, t 8, local m 1, local w 1, local h 1>"
                 "[indexer(max=2, size=8, m=m, w=w, h=h, target=t[h], nprocs=3)"
                 " assert m == 2 assert w == 6 assert h == 2 assert t[5] == 3 assert t[2] == 6]");
    expect_holds(
        "<2, t 8, local m 1, local w 1, local h 1> []"
        "[indexer(max=1, size=8, m=m, w=w, h=h, target=t[h], nprocs=8) assert w == 9 assert t[7] == 9]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_keep_their_promises),
        cmocka_unit_test(indexer_collides_three_times),
        cmocka_unit_test(statements_are_transitions),
        cmocka_unit_test(arithmetic_is_as_documented),
        cmocka_unit_test(connectives_leave_out_their_right_side),
        cmocka_unit_test(variables_are_what_the_header_says),
        cmocka_unit_test(swaps_say_whether_they_happened),
        cmocka_unit_test(conditionals_and_loops_choose),
        cmocka_unit_test(channels_keep_order_and_block),
        cmocka_unit_test(unbounded_channels_give_up_honestly),
        cmocka_unit_test(indexer_is_its_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
