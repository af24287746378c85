/* What front ends say of themselves: which file is whose, and what can be done with it. */
#include "core_fixture.h"

#include "frontend/llvm/llvm.h"

static void each_ending_has_one_front_end(void **unused) {
    (void)unused;
    size_t count = 0;
    for (const frontend *const *f = frontends; *f; f++)
        for (const char *const *e = (*f)->endings; *e; e++, count++) {
            char name[32];
            snprintf(name, sizeof name, "folder.x/name%s", *e);
            assert_ptr_equal(frontend_of(name), *f);
            assert_null(frontend_of(*e)); /* an ending alone is no name */
            frontend_text none = {name, "", 0};
            assert_true((*f)->guess_kernel(&none) < KERNEL_KINDS);
        }
    assert_true(count >= 10);
    static const char *const of_nobody[] = {"a", "a.yml", "a.json", "a.ivl.txt", "ivl", "a.h", ""};
    for (size_t i = 0; i < sizeof of_nobody / sizeof *of_nobody; i++) assert_null(frontend_of(of_nobody[i]));
}

static bool is_listed(kernel_rules r, const char *language) {
    text all = {0};
    rules_describe(r, ", ", &all);
    char words[128], *save;
    snprintf(words, sizeof words, "%s", text_cstr(&all));
    bool found = false;
    for (char *word = strtok_r(words, ", ", &save); word; word = strtok_r(NULL, ", ", &save))
        found |= !strcmp(word, language);
    text_free(&all);
    return found;
}

/* The list of languages by their rules, which stands in program/kernel.c, has those of every front end. */
static void languages_are_listed_with_their_rules(void **unused) {
    (void)unused;
    for (const frontend *const *f = frontends; *f; f++) {
        frontend_text none = {(*f)->endings[0], "", 0};
        kernel_rules rules = kernel_dialects[(*f)->guess_kernel(&none)].rules;
        char words[64], *save;
        snprintf(words, sizeof words, "%s", (*f)->language); /* "C or C++" */
        for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
            if (strcmp(word, "or") && !is_listed(rules, word)) fail_msg("%s", word);
    }
}

static void endings_tell_c_from_others(void **unused) {
    (void)unused;
    assert_true(llvm_is_c("a.c") && llvm_is_c("a.i") && !llvm_is_cxx("a.c"));
    assert_true(llvm_is_cxx("a.cc") && llvm_is_cxx("a.cxx") && !llvm_is_c("a.cpp"));
    assert_false(llvm_is_c("a.bc") || llvm_is_cxx("a.ll") || llvm_is_c("a.ivl"));
    assert_string_equal(llvm_language("a.c"), "c");
    assert_string_equal(llvm_language("a.i"), "cpp-output");
    assert_string_equal(llvm_language("a.cc"), "c++");
    assert_null(llvm_language("a.bc"));
}

static bool can_print(const frontend *f) {
    return f->print;
}
static bool is_anything(const frontend *f) {
    return f->article;
}

static void assert_languages(frontend_trait has, const char *expected) {
    text said = {0};
    frontend_list_languages(has, &said);
    assert_string_equal(text_cstr(&said), expected);
    text_free(&said);
}

static void languages_are_listed_by_what_they_have(void **unused) {
    (void)unused;
    assert_languages(can_print, "IVL and dlang");
    assert_languages(is_anything, "IVL and dlang and C or C++");
    for (const frontend *const *f = frontends; *f; f++)
        if ((*f)->compiler_options || (*f)->several_files) assert_true((*f)->on_disk);
    assert_true(frontend_of("a.cpp")->has_witnesses("a.c") && !frontend_of("a.cpp")->has_witnesses("a.cpp"));
    assert_null(frontend_of("a.ivl")->has_witnesses);
}

/* A text without its own file goes through the table like any other, settings included. */
static void texts_become_programs_and_texts_again(void **unused) {
    (void)unused;
    static const char source[] = "int x; thread A{x = 1;} main{start;}";
    frontend_text t = {"a.ivl", source, sizeof source - 1};
    frontend_request r = {.texts = &t, .count = 1};
    const frontend *f = frontend_of(t.name);
    diagnostics d = {.file = t.name, .source = t.text};
    text printed = {0};
    assert_true(f->print(&r, &d, &printed));
    assert_non_null(strstr(text_cstr(&printed), "thread A"));
    program *p = f->compile(&r, &d);
    assert_non_null(p);
    program_destroy(p);
    frontend_setting unknown = {"K", 1};
    r.settings = &unknown;
    r.setting_count = 1;
    assert_null(f->compile(&r, &d));
    text_free(&printed);
    diag_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_ending_has_one_front_end),
        cmocka_unit_test(languages_are_listed_with_their_rules),
        cmocka_unit_test(endings_tell_c_from_others),
        cmocka_unit_test(languages_are_listed_by_what_they_have),
        cmocka_unit_test(texts_become_programs_and_texts_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
