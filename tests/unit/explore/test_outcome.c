/* Doubts that an outcome takes over from another machine's exploration. */
#include "core_fixture.h"

#include "explore/explore.h"
#include "machine/record.h"

static const char *const nothing = "main { start; }\n";

static void texts_outlive_the_machine_they_come_from(void **unused) {
    (void)unused;
    fixture first = fixture_open(nothing);
    fixture second = fixture_open(nothing);
    outcome all = {0};
    outcome others = {0};
    char words[] = "too deep";
    char about[] = "3 threads";
    char file[] = "a.c";
    outcome_add_doubt(&others, (doubt){.why = {REASON_NOT_MODELLED, machine_keep_text(second.m, words)},
                                       .at = {7, 3},
                                       .file = machine_keep_text(second.m, file),
                                       .about = machine_keep_text(second.m, about),
                                       .busy = BUSY_ASKING});
    outcome_doubt(&others, REASON_TIME, (position){0, 0});
    outcome_take_doubts(&all, first.m, &others);
    outcome_free(&others);
    fixture_close(&second);

    assert_int_equal(all.doubts.size, 2);
    const doubt *d = &all.doubts.data[0];
    assert_string_equal(d->why.words, words);
    assert_string_equal(d->file, file);
    assert_string_equal(d->about, about);
    assert_int_equal(d->at.line, 7);
    assert_int_equal(d->busy, BUSY_ASKING);
    assert_null(all.doubts.data[1].about);
    outcome_free(&all);
    fixture_close(&first);
}

static void what_is_known_is_not_taken_twice(void **unused) {
    (void)unused;
    fixture f = fixture_open(nothing);
    outcome all = {0};
    outcome others = {0};
    outcome_doubt(&all, REASON_TIME, (position){0, 0});
    outcome_doubt(&others, REASON_TIME, (position){0, 0});
    outcome_take_doubts(&all, f.m, &others);
    assert_int_equal(all.doubts.size, 1);
    outcome_free(&all);
    outcome_free(&others);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_outlive_the_machine_they_come_from),
        cmocka_unit_test(what_is_known_is_not_taken_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
