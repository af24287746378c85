/* dlang syntax: what is accepted, what printing preserves, what repetition blocks and settings do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend/dlang/dlang.h"
#include "frontend/dlang/syntax.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static program *compile_with(const char *source, const dlang_setting *settings, size_t count) {
    diagnostics d = {.file = "test.dl", .source = source};
    program *p = dlang_parse("test.dl", source, strlen(source), settings, count, &d);
    if (!p) fail_msg("%s\nin %s", d.list.size ? d.list.data[0].message : "no message", source);
    diag_free(&d);
    return p;
}

static char *print_with(const char *source, const dlang_setting *settings, size_t count) {
    diagnostics d = {.file = "test.dl", .source = source};
    text out = {0};
    if (!dlang_print("test.dl", source, strlen(source), settings, count, &d, &out))
        fail_msg("%s\nin %s", d.list.size ? d.list.data[0].message : "no message", source);
    diag_free(&d);
    return out.data;
}

/* --- equality of programs, positions aside -------------------------------------------------------------- */

static bool same_operand(operand a, operand b) {
    return a.kind == b.kind && a.width == b.width && a.index == b.index && a.value == b.value;
}

static bool same_instruction(const instruction *a, const instruction *b) {
    bool same_text = !a->text == !b->text && (!a->text || !strcmp(a->text, b->text));
    return a->kind == b->kind && a->arith == b->arith && a->sync == b->sync && a->order == b->order &&
           a->dst == b->dst && same_operand(a->a, b->a) && same_operand(a->b, b->b) &&
           same_operand(a->c, b->c) && a->target[0] == b->target[0] && a->target[1] == b->target[1] &&
           a->check == b->check && a->extra == b->extra && same_text;
}

static bool same_function(const function *a, const function *b) {
    if (strcmp(a->name, b->name) || a->role != b->role || a->registers.size != b->registers.size ||
        a->locals.size != b->locals.size || a->blocks.size != b->blocks.size)
        return false;
    for (size_t k = 0; k < a->blocks.size; k++) {
        if (a->blocks.data[k].code.size != b->blocks.data[k].code.size) return false;
        for (size_t i = 0; i < a->blocks.data[k].code.size; i++)
            if (!same_instruction(&a->blocks.data[k].code.data[i], &b->blocks.data[k].code.data[i]))
                return false;
    }
    return true;
}

static bool same_program(const program *a, const program *b) {
    if (a->functions.size != b->functions.size || a->objects.size != b->objects.size ||
        a->checks.size != b->checks.size)
        return false;
    for (size_t k = 0; k < a->functions.size; k++)
        if (!same_function(&a->functions.data[k], &b->functions.data[k])) return false;
    for (size_t k = 0; k < a->objects.size; k++) {
        const static_object *x = &a->objects.data[k], *y = &b->objects.data[k];
        if (strcmp(x->name, y->name) || x->count != y->count || x->is_array != y->is_array ||
            x->is_constant != y->is_constant || x->shape->stride != y->shape->stride)
            return false;
    }
    for (size_t k = 0; k < a->checks.size; k++)
        if (strcmp(a->checks.data[k].text, b->checks.data[k].text)) return false;
    return true;
}

static void check_round_trip(const char *source, const dlang_setting *settings, size_t count) {
    char *once = print_with(source, settings, count), *twice = print_with(once, NULL, 0);
    assert_string_equal(once, twice);
    program *p = compile_with(source, settings, count), *q = compile_with(once, NULL, 0);
    if (!same_program(p, q)) fail_msg("printing changes the program\n%s\ninto\n%s", source, once);
    program_destroy(p);
    program_destroy(q);
    free(once);
    free(twice);
}

/* --- printing ------------------------------------------------------------------------------------------- */

static char *read_file(const char *path) {
    text t = {0};
    char buffer[4096];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f));) text_add_bytes(&t, buffer, n);
    fclose(f);
    text_char(&t, 0);
    return t.data;
}

static void models_survive_printing(void **unused) {
    (void)unused;
    DIR *folder = opendir(HEDDLE_SOURCE_DIR "/models/dlang");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".dl")) continue;
        char path[600];
        snprintf(path, sizeof path, "%s/models/dlang/%s", HEDDLE_SOURCE_DIR, entry->d_name);
        char *source = read_file(path);
        check_round_trip(source, NULL, 0);
        free(source);
    }
    closedir(folder);
}

static void every_construct_survives_printing(void **unused) {
    (void)unused;
    static const char *const sources[] = {
        "<\"all\" 2, x 3 1 -2, const k 1 7, const t 2 1 2, local a 1 5, local v 4, channel c 2, channel d 1 "
        "3,>"
        "\"one\" [ x[1] := (x[a + 1] - 2) * 3 / a % k - -a a := t[a] v[a] := cas(x[0], a, v[1]) cas(x[0], 1, "
        "2)"
        " if !(a == 1) && (a < 2 || a > 3) && (a == 1 || !(a != 2)) then { } else { a := 1 }"
        " if a <= 3 then { a := 2 } if x[0] >= 1 while a < 3 { a := a + 1 while a == 0 { } }"
        " assert a == length(c[1]) + length(d) send(c[a], x[0]) send(d, -1) receive(c[1], x[a]) receive(d, "
        "v[0]) ]"
        "[ indexer(max=k, size=k, m=a, w=a, h=a, target=x[a], nprocs=-3) ]",
        "<1, local a 1> [a := 1 - (2 - a) - 3 a := 1 - (2 * a) a := (1 + a) * 2 a := 1 * a + 2 a := -(a + "
        "1)]",
        "<1, local a 1> [a := 1 + a * 2 % 3]",
        "<1> []",
        "<3, x 1> <{3 [x := $] }>",
        "<1, assert 1, channel 2, cas 1, length 1, send 1> [assert := 1 channel[1] := assert cas := length"
        " assert cas == 0 send := 2]",
        "<1, x-y 1, x 1> [x-y := x - x-y]",
    };
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) check_round_trip(sources[k], NULL, 0);
}

static void settings_survive_printing(void **unused) {
    (void)unused;
    const dlang_setting n[] = {{"N", 4}, {"LOW", INT64_MIN}};
    check_round_trip("<N, const N 1 2, const LOW 1, x 1> <{N [x := LOW] }>", n, 2);
}

static void printed_form_is_the_documented_one(void **unused) {
    (void)unused;
    char *printed = print_with("<\"r\" (N+1), const N 1 1, x 1 0, l N> [x:=42]"
                               "<{N \"r$\" [if l[$]==0 if x==0 then{x:=1}]}>",
                               NULL, 0);
    assert_string_equal(printed,
                        "<\"r\" 2,\n const N 1 1,\n x 1 0,\n l 1>\n\n[\n    x := 42\n]\n\n"
                        "\"r0\" [\n    if l[0] == 0\n    if x == 0 then {\n        x := 1\n    }\n]\n");
    free(printed);
}

/* --- the document's grammar ----------------------------------------------------------------------------- */

static void listing_of_the_document_is_read_as_printed(void **unused) {
    (void)unused;
    program *p = compile_with("<\"readers-writers\" 21, x 1, l 20>\n[x := 42]\n<{20\n  [\n    if l[$] == 0\n"
                              "    if x == 0\n  ]\n}>\n",
                              NULL, 0);
    assert_int_equal(p->kernel, KERNEL_PREEMPTIVE);
    assert_int_equal(p->functions.size, 22);
    assert_int_equal(p->threads.size, 1);
    assert_int_equal(p->objects.size, 2);
    assert_string_equal(p->objects.data[1].name, "l");
    assert_int_equal(p->objects.data[1].count, 20);
    unsigned created = 0;
    const block *main_block = &p->functions.data[0].blocks.data[0];
    for (size_t k = 0; k < main_block->code.size; k++)
        created +=
            main_block->code.data[k].kind == INSTR_SYNC && main_block->code.data[k].sync == SYNC_CREATE;
    assert_int_equal(created, 21);
    program_destroy(p);
}

static void all_arithmetic_operators_have_one_rank(void **unused) {
    (void)unused;
    const char *source = "<1, local a 1> [a := 1 + a % 3]";
    char *printed = print_with(source, NULL, 0);
    assert_non_null(strstr(printed, "a := (1 + a) % 3"));
    free(printed);
    diagnostics d = {.file = "test.dl"};
    program *p = dlang_parse("test.dl", source, strlen(source), NULL, 0, &d);
    assert_int_equal(d.list.size, 1);
    assert_int_equal(d.list.data[0].level, DIAG_WARNING);
    assert_int_equal(d.list.data[0].at.column, 28);
    diag_free(&d);
    program_destroy(p);
    const char *clear = "<1, local a 1> [a := (1 + a) % 3 a := a % 3 + 1 a := 1 + (a % 3) a := 1 + a - 1]";
    p = dlang_parse("test.dl", clear, strlen(clear), NULL, 0, &d);
    assert_int_equal(d.list.size, 0);
    program_destroy(p);
}

static void repetitions_replace_dollars_everywhere(void **unused) {
    (void)unused;
    char *printed =
        print_with("<2, <{2 x$ 1 $, }>> \"a\" [ <{3 x1 := 1$ + $ }> ] <{1 \"b$c\" [x$ := $] }>", NULL, 0);
    assert_string_equal(printed, "<2,\n x0 1 0,\n x1 1 1>\n\n\"a\" [\n    x1 := 10 + 0\n    x1 := 11 + 1\n"
                                 "    x1 := 12 + 2\n]\n\n\"b0c\" [\n    x0 := 0\n]\n");
    free(printed);
}

static void processes_have_names(void **unused) {
    (void)unused;
    program *p = compile_with("<3> [] \"two\" [] []", NULL, 0);
    assert_string_equal(p->functions.data[0].name, "main");
    assert_string_equal(p->functions.data[1].name, "process[0]");
    assert_string_equal(p->functions.data[2].name, "two");
    assert_string_equal(p->functions.data[3].name, "process[2]");
    program_destroy(p);
}

/* --- constants and settings ----------------------------------------------------------------------------- */

static void settings_change_constants(void **unused) {
    (void)unused;
    const char *source =
        "<(N + M), const N 1 2, const M 1 (N * 2), x (N + 1) 1 M> <{N [x[0] := M] }> <{M [] }>";
    program *p = compile_with(source, NULL, 0);
    assert_int_equal(p->functions.size, 1 + 6);
    assert_int_equal(p->objects.data[0].count, 3);
    program_destroy(p);
    const dlang_setting three = {"N", 3};
    p = compile_with(source, &three, 1);
    assert_int_equal(p->functions.size, 1 + 9);
    assert_int_equal(p->objects.data[0].count, 4);
    program_destroy(p);
    const dlang_setting both[] = {{"N", 1}, {"M", 0}};
    p = compile_with(source, both, 2);
    assert_int_equal(p->functions.size, 1 + 1);
    program_destroy(p);
}

static void later_settings_win(void **unused) {
    (void)unused;
    const dlang_setting twice[] = {{"N", 1}, {"N", 5}};
    program *p = compile_with("<N, const N 1 2> <{N [] }>", twice, 2);
    assert_int_equal(p->functions.size, 1 + 5);
    program_destroy(p);
}

/* --- instructions --------------------------------------------------------------------------------------- */

static unsigned count_syncs(const char *source, sync_op op) {
    program *p = compile_with(source, NULL, 0);
    unsigned count = 0;
    const function *f = &p->functions.data[1];
    for (size_t b = 0; b < f->blocks.size; b++)
        for (size_t k = 0; k < f->blocks.data[b].code.size; k++) {
            const instruction *i = &f->blocks.data[b].code.data[k];
            count += i->kind == INSTR_SYNC && i->sync == op;
        }
    program_destroy(p);
    return count;
}

static void only_statements_with_several_accesses_are_sections(void **unused) {
    (void)unused;
    assert_int_equal(count_syncs("<1, x 1, local a 1> [x := a]", SYNC_ATOMIC_BEGIN), 0);
    assert_int_equal(count_syncs("<1, x 1, local a 1> [a := x]", SYNC_ATOMIC_BEGIN), 0);
    assert_int_equal(count_syncs("<1, x 1, local a 1> [if x == a then { a := 1 }]", SYNC_ATOMIC_BEGIN), 0);
    assert_int_equal(count_syncs("<1, x 1> [x := x + 1]", SYNC_ATOMIC_BEGIN), 1);
    assert_int_equal(count_syncs("<1, x 2> [x[x[0]] := 1]", SYNC_ATOMIC_BEGIN), 1);
    assert_int_equal(count_syncs("<1, x 2, y 1> [while x[0] == y { }]", SYNC_ATOMIC_BEGIN), 1);
    assert_int_equal(count_syncs("<1, x 1> [cas(x, 0, 1)]", SYNC_ATOMIC_BEGIN), 1);
    assert_int_equal(count_syncs("<1, channel c 1 1, x 1> [send(c, x)]", SYNC_AWAIT), 1);
    assert_int_equal(count_syncs("<1, channel c 1 1, x 1> [send(c, x)]", SYNC_ATOMIC_BEGIN), 0);
    assert_int_equal(count_syncs("<1, channel c 1, x 1> [send(c, x)]", SYNC_AWAIT), 0);
    assert_int_equal(count_syncs("<1, channel c 1, x 1> [receive(c, x)]", SYNC_AWAIT), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_survive_printing),
        cmocka_unit_test(every_construct_survives_printing),
        cmocka_unit_test(settings_survive_printing),
        cmocka_unit_test(printed_form_is_the_documented_one),
        cmocka_unit_test(listing_of_the_document_is_read_as_printed),
        cmocka_unit_test(all_arithmetic_operators_have_one_rank),
        cmocka_unit_test(repetitions_replace_dollars_everywhere),
        cmocka_unit_test(processes_have_names),
        cmocka_unit_test(settings_change_constants),
        cmocka_unit_test(later_settings_win),
        cmocka_unit_test(only_statements_with_several_accesses_are_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
