/* Task definitions and property files of SV-COMP. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/specification.h"
#include "api/task.h"

/* --- task definitions ----------------------------------------------------------------------------------- */

static task read(const char *source) {
    diagnostics d = {.file = "t.yml", .source = source};
    task t;
    bool good = task_parse(source, strlen(source), &d, &t);
    if (!good) print_error("%s\n", d.list.data[0].message);
    assert_true(good);
    diag_free(&d);
    return t;
}

/* Refused at this line; 0: as a whole. */
static void refuse(const char *source, uint32_t line) {
    diagnostics d = {.file = "t.yml", .source = source};
    task t;
    assert_false(task_parse(source, strlen(source), &d, &t));
    assert_int_equal(d.errors > 0, 1);
    assert_int_equal(d.list.data[0].at.line, line);
    diag_free(&d);
}

static void the_format_of_2019(void **unused) {
    (void)unused;
    task t = read("format_version: '1.0'\n\n# old file name: fib_false-unreach-call.i\ninput_files: "
                  "'fib.i'\n\nproperties:\n"
                  "  - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n");
    assert_int_equal(t.inputs.size, 1);
    assert_string_equal(t.inputs.data[0], "fib.i");
    assert_int_equal(t.properties.size, 1);
    assert_string_equal(t.properties.data[0].file, "../properties/unreach-call.prp");
    assert_int_equal(t.properties.data[0].expected, EXPECTED_FALSE);
    assert_null(t.properties.data[0].subproperty);
    assert_int_equal(t.data_model, 0);
    assert_null(t.language);
    task_free(&t);
}

static void the_present_format(void **unused) {
    (void)unused;
    task t = read("format_version: '2.0'\ninput_files:\n  - a.c\n  - \"b.c\"   # the rest\nproperties:\n"
                  "  - property_file: ../properties/no-data-race.prp\n    expected_verdict: true\n"
                  "  - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: false\n"
                  "    subproperty: valid-deref\n  - property_file: ../properties/termination.prp\n"
                  "options:\n  language: C\n  data_model: LP64\n");
    assert_int_equal(t.inputs.size, 2);
    assert_string_equal(t.inputs.data[1], "b.c");
    assert_int_equal(t.properties.size, 3);
    assert_int_equal(t.properties.data[0].expected, EXPECTED_TRUE);
    assert_string_equal(t.properties.data[1].subproperty, "valid-deref");
    assert_int_equal(t.properties.data[2].expected, EXPECTED_NOTHING);
    assert_int_equal(t.data_model, 64);
    assert_string_equal(t.language, "C");
    task_free(&t);
}

static void other_ways_to_write_it(void **unused) {
    (void)unused;
    task t =
        read("---\r\nformat_version: \"2.1\"\r\ninput_files: ['a#1.c', b.c]\r\nproperties: []\r\noptions:\r\n"
             "  data_model: ILP32\r\nadditional_information:\r\n  whatever: [1, 2]\r\n  - more\r\n");
    assert_int_equal(t.inputs.size, 2);
    assert_string_equal(t.inputs.data[0], "a#1.c");
    assert_string_equal(t.inputs.data[1], "b.c");
    assert_int_equal(t.properties.size, 0);
    assert_int_equal(t.data_model, 32);
    task_free(&t);
}

static void what_is_no_task(void **unused) {
    (void)unused;
    refuse("", 0);
    refuse("format_version: '1.0'\n", 0);
    refuse("input_files: a.c\n", 0);
    refuse("format_version: '9.0'\ninput_files: a.c\n", 1);
    refuse("format_version: '1.0'\ninput_files: 'a.c\n", 2);
    refuse("format_version: '1.0'\ninput_files: [a.c\n", 2);
    refuse("format_version: '1.0'\ninput_files: a.c\nproperties:\n  - expected_verdict: maybe\n", 4);
    refuse("format_version: '1.0'\ninput_files: a.c\nproperties:\n    property_file: p.prp\n", 4);
    refuse("format_version: '1.0'\ninput_files: a.c\nproperties:\n  - expected_verdict: true\n", 0);
    refuse("format_version: '1.0'\ninput_files: a.c\nsurprise: 1\n", 3);
    refuse("format_version: '1.0'\ninput_files: a.c\noptions:\n  data_model: ILP64\n", 4);
    refuse("format_version: '1.0'\ninput_files: a.java\noptions:\n  language: Java\n", 4);
    refuse("\tformat_version: '1.0'\n", 1);
}

/* --- property files ------------------------------------------------------------------------------------- */

static specification understand(const char *source) {
    diagnostics d = {.file = "p.prp", .source = source};
    specification s;
    bool good = specification_parse(source, strlen(source), &d, &s);
    if (!good) print_error("%s\n", d.list.data[0].message);
    assert_true(good);
    diag_free(&d);
    return s;
}

static void expect_property(const char *formula, unsigned properties) {
    text source = {0};
    text_format(&source, "CHECK( init(main()), LTL(%s) )\n\n", formula);
    specification s = understand(text_cstr(&source));
    assert_int_equal(s.properties, properties);
    assert_string_equal(s.entry, "main");
    specification_free(&s);
    text_free(&source);
}

static void every_property(void **unused) {
    (void)unused;
    expect_property("G ! call(reach_error())", PROPERTY_ASSERT);
    expect_property("G ! call(__VERIFIER_error())", PROPERTY_ASSERT);
    expect_property("G valid-free", PROPERTY_MEMORY);
    expect_property("G valid-deref", PROPERTY_MEMORY);
    expect_property("G valid-memtrack", PROPERTY_LEAK);
    expect_property("G valid-memcleanup", PROPERTY_LEAK);
    expect_property("G ! overflow", PROPERTY_OVERFLOW);
    expect_property("G ! data-race", PROPERTY_RACE);
    expect_property("G ! deadlock", PROPERTY_DEADLOCK);
}

static void names_of_violations(void **unused) {
    (void)unused;
    specification s =
        understand("CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
                   "CHECK( init(main()), LTL(G valid-memtrack) )\n");
    assert_int_equal(s.properties, PROPERTY_MEMORY | PROPERTY_LEAK);
    assert_string_equal(specification_violated(&s, VIOLATION_CHECK, CHECK_NULL), "valid-deref");
    assert_string_equal(specification_violated(&s, VIOLATION_CHECK, CHECK_FREED), "valid-deref");
    assert_string_equal(specification_violated(&s, VIOLATION_CHECK, CHECK_FREE), "valid-free");
    /* Undefined, but another property. */
    assert_null(specification_violated(&s, VIOLATION_CHECK, CHECK_DIVISION));
    assert_null(specification_violated(&s, VIOLATION_CHECK, CHECK_LEAK)); /* it may still be reachable */
    assert_null(specification_violated(&s, VIOLATION_CHECK, CHECK_ASSERTION));
    assert_null(specification_violated(&s, VIOLATION_DEADLOCK, CHECK_ASSERTION));
    specification_free(&s);

    s = understand("CHECK(init(main()),LTL(G!data-race))");
    assert_string_equal(specification_violated(&s, VIOLATION_RACE, CHECK_ASSERTION), "no-data-race");
    specification_free(&s);
    s = specification_of_properties(PROPERTY_ASSERT | PROPERTY_DEADLOCK);
    assert_string_equal(specification_violated(&s, VIOLATION_CHECK, CHECK_ASSERTION), "unreach-call");
    assert_string_equal(specification_violated(&s, VIOLATION_DEADLOCK, CHECK_ASSERTION), "no-deadlock");
    assert_null(specification_violated(&s, VIOLATION_CHECK, CHECK_NULL));
    assert_null(specification_violated(&s, VIOLATION_CHECK, CHECK_MISUSE));

    s = specification_of_properties(PROPERTY_MEMORY); /* who asks for memory asks for misuse, but SV-COMP */
    assert_string_equal(specification_violated(&s, VIOLATION_CHECK, CHECK_MISUSE), "misuse");
    s = understand("CHECK(init(main()),LTL(Gvalid-deref))");
    assert_null(specification_violated(&s, VIOLATION_CHECK, CHECK_MISUSE));
    specification_free(&s);
}

static void what_cannot_be_verified(void **unused) {
    (void)unused;
    static const char *const bad[] = {
        "",
        "\n\n",
        "CHECK( init(main()), LTL(F end) )",
        "CHECK( init(main()), LTL(G ! call(other())) )",
        "CHECK( init(main()), LTL(G def-behavior) )",
        "CHECK( init(main()), CTL(G ! overflow) )",
        "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        "CHECK( init(main()), LTL(G ! overflow )",
        "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(f()), LTL(G ! overflow) )",
        "CHECK( init(main()), LTL(G ! overflow) )\nand so on",
        "G ! overflow"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        diagnostics d = {.file = "p.prp", .source = bad[i]};
        specification s;
        if (specification_parse(bad[i], strlen(bad[i]), &d, &s)) fail_msg("accepted: %s", bad[i]);
        assert_true(d.errors > 0);
        diag_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_format_of_2019),      cmocka_unit_test(the_present_format),
        cmocka_unit_test(other_ways_to_write_it),  cmocka_unit_test(what_is_no_task),
        cmocka_unit_test(every_property),          cmocka_unit_test(names_of_violations),
        cmocka_unit_test(what_cannot_be_verified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
