/* The HTML report as a file: complete, and nothing of the program can become markup. What a browser makes of
 * it is tested in tests/browser. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "heddle.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char hostile[] = "// </script><script>alert(1)</script> <!-- <b>\n"
                              "int x = 0; int kept = 1;\n"
                              "thread A { int mine; mine = x + 7; kept = mine; wait_time 1; kept = mine; }\n"
                              "thread B { x = kept; assert x == 1; }\n"
                              "main { start; }\n";

static char *read_all(const char *path) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f);
    rewind(f);
    char *content = mem_alloc(size + 1);
    assert_int_equal(fread(content, 1, size, f), size);
    content[size] = 0;
    fclose(f);
    return content;
}

/* The page that a check writes; for the caller to free. */
static char *page_of(const char *name, const char *source, const char *option, heddle_verdict expected) {
    char folder[] = "/tmp/heddle-html-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64];
    snprintf(path, sizeof path, "%s/out.html", folder);
    heddle *h = heddle_create();
    heddle_add_source(h, name, source, strlen(source));
    assert_null(heddle_set(h, "html", path));
    if (option) assert_null(heddle_set(h, option, NULL));
    heddle_result *r = heddle_check(h);
    assert_string_equal(heddle_result_diagnostics(r), "");
    assert_int_equal(heddle_result_verdict(r), expected);
    heddle_result_destroy(r);
    heddle_destroy(h);
    char *page = read_all(path);
    unlink(path);
    rmdir(folder);
    return page;
}

static json_t *data_of(const char *page) {
    static const char begin[] = "<script id=\"data\" type=\"application/json\">";
    const char *at = strstr(page, begin);
    assert_non_null(at);
    at += strlen(begin);
    const char *end = strstr(at, "</script>");
    assert_non_null(end);
    json_error_t error;
    json_t *data = json_loadb(at, (size_t)(end - at), 0, &error);
    if (!data) fail_msg("%s", error.text);
    return data;
}

static size_t occurrences(const char *page, const char *what) {
    size_t n = 0;
    for (const char *at = page; (at = strstr(at, what)); at += strlen(what)) n++;
    return n;
}

static void nothing_of_the_program_is_markup(void **unused) {
    (void)unused;
    char *page = page_of("<script>.ivl", hostile, NULL, HEDDLE_UNSAFE);
    assert_int_equal(occurrences(page, "</script>"), 2); /* data and program */
    assert_int_equal(occurrences(page, "<script"), 2);
    assert_int_equal(occurrences(page, "<!--"), 0);
    json_t *data = data_of(page), *source = json_array_get(json_object_get(data, "sources"), 0);
    assert_string_equal(json_string_value(json_object_get(source, "text")), hostile);
    assert_string_equal(json_string_value(json_object_get(source, "file")), "<script>.ivl");
    json_decref(data);
    mem_free(page);
}

static void nothing_is_loaded_from_elsewhere(void **unused) {
    (void)unused;
    char *page = page_of("m.ivl", hostile, NULL, HEDDLE_UNSAFE);
    assert_int_equal(occurrences(page, "://"), occurrences(page, "http://www.w3.org/2000/svg"));
    assert_int_equal(occurrences(page, "{{"), 0); /* every part has been put in */
    assert_int_equal(occurrences(page, " src="), 0);
    mem_free(page);
}

static const json_t *find_step(const json_t *steps, const char *thread) {
    for (size_t i = 0; i < json_array_size(steps); i++)
        if (!strcmp(json_string_value(json_object_get(json_array_get(steps, i), "thread")), thread))
            return json_array_get(steps, i);
    fail_msg("no step of %s", thread);
    return NULL;
}

static const json_t *find_named(const json_t *list, const char *name) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!strcmp(json_string_value(json_object_get(json_array_get(list, i), "name")), name))
            return json_array_get(list, i);
    return NULL;
}

/* A reads x, which it does not write, and writes kept, which is shared, and mine, which is not. */
static void steps_tell_what_is_local_and_what_was_read(void **unused) {
    (void)unused;
    char *page = page_of("m.ivl", hostile, NULL, HEDDLE_UNSAFE);
    json_t *data = data_of(page), *result = json_object_get(data, "result");
    assert_true(json_is_null(json_object_get(result, "trace"))); /* it is there once, with its property */
    const json_t *steps = NULL;
    for (size_t i = 0; i < json_array_size(json_object_get(result, "properties")); i++) {
        const json_t *p = json_array_get(json_object_get(result, "properties"), i);
        if (!json_is_null(json_object_get(p, "trace")))
            steps = json_object_get(json_object_get(p, "trace"), "steps");
    }
    const json_t *a = find_step(steps, "A"), *changes = json_object_get(a, "changes");
    assert_true(json_is_false(json_object_get(find_named(changes, "kept"), "local")));
    const json_t *mine = find_named(changes, "mine");
    assert_non_null(mine);
    assert_true(json_is_true(json_object_get(mine, "local")));
    assert_non_null(find_named(json_object_get(a, "reads"), "x"));
    assert_null(find_named(json_object_get(a, "reads"), "kept"));
    json_decref(data);
    mem_free(page);
}

static const char harmless[] =
    "int x = 0;\nthread A { x = x + 1; }\nthread B { x = x + 1; }\nmain { start; assert x == 2; }\n";

static void a_proof_has_its_invariant(void **unused) {
    (void)unused;
    char *page = page_of("m.ivl", harmless, NULL, HEDDLE_SAFE);
    json_t *data = data_of(page);
    assert_true(json_is_null(json_object_get(data, "invariant")));
    assert_true(json_is_object(json_object_get(json_object_get(data, "result"), "shape")));
    json_decref(data);
    mem_free(page);
    page = page_of("m.ivl", harmless, "certify", HEDDLE_SAFE);
    data = data_of(page);
    const json_t *invariant = json_object_get(data, "invariant");
    assert_true(json_integer_value(json_object_get(invariant, "places")) > 0);
    const json_t *first = json_array_get(json_object_get(invariant, "shown"), 0);
    assert_true(json_array_size(json_object_get(first, "at")) > 0);
    assert_true(json_is_string(json_array_get(json_object_get(first, "holds"), 0)));
    json_decref(data);
    mem_free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_of_the_program_is_markup),
        cmocka_unit_test(nothing_is_loaded_from_elsewhere),
        cmocka_unit_test(steps_tell_what_is_local_and_what_was_read),
        cmocka_unit_test(a_proof_has_its_invariant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
