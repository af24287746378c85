/* The text of a program, character by character: places, ends, and what means nothing. */
#include "core_fixture.h"

#include "frontend/scan.h"

static scan begin(const char *source, diagnostics *d) {
    *d = (diagnostics){.file = "text", .source = source};
    return scan_begin(source, strlen(source), d);
}

static void assert_at(const scan *s, uint32_t line, uint32_t column) {
    assert_int_equal(s->at.line, line);
    assert_int_equal(s->at.column, column);
}

static void places_count_lines_and_columns(void **unused) {
    (void)unused;
    diagnostics d;
    scan s = begin("ab\n\nc", &d);
    assert_at(&s, 1, 1);
    assert_int_equal(scan_peek(&s, 1), 'b');
    scan_skip_line(&s);
    assert_at(&s, 1, 3);
    scan_advance(&s, 2);
    assert_at(&s, 3, 1);
    assert_true(scan_goes_on(&s));
    scan_advance(&s, 100); /* never past the end */
    assert_at(&s, 3, 2);
    assert_false(scan_goes_on(&s));
    assert_int_equal(scan_peek(&s, 0), 0);
    assert_true(s.good);
    diag_free(&d);
}

static void spellings_are_found(void **unused) {
    (void)unused;
    static const spelling list[] = {{"<<=", 3, 1}, {"<<", 2, 2}, {"<", 1, 3}};
    diagnostics d;
    scan s = begin("<<<=", &d);
    assert_int_equal(scan_find(&s, list, 3)->kind, 2); /* the first one of the list that fits */
    assert_int_equal(scan_find_word(&s, list, 3, 1)->kind, 3);
    assert_null(scan_find_word(&s, list, 3, 3));
    scan_advance(&s, 1);
    assert_int_equal(scan_find(&s, list, 3)->kind, 1);
    scan_advance(&s, 2);
    assert_null(scan_find(&s, list, 3)); /* "=" */
    diag_free(&d);
}

/* What is no character of the language is one error, however many bytes it has; a zero byte ends the text. */
static void what_means_nothing_is_told_once(void **unused) {
    (void)unused;
    diagnostics d;
    scan s = begin("\xe2\x82\xac#", &d);
    scan_refuse(&s);
    assert_int_equal(d.errors, 1);
    assert_int_equal(scan_peek(&s, 0), '#');
    scan_refuse(&s);
    assert_int_equal(d.errors, 2);
    assert_false(scan_goes_on(&s) || s.good);
    diag_free(&d);
    d = (diagnostics){.file = "text", .source = "a"};
    s = scan_begin("a\0b", 3, &d);
    scan_advance(&s, 1);
    assert_false(scan_goes_on(&s));
    assert_int_equal(d.errors, 1);
    diag_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_count_lines_and_columns),
        cmocka_unit_test(spellings_are_found),
        cmocka_unit_test(what_means_nothing_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
