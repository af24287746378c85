/* Which flags of compilers change what a program means, where their values stand, and which are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "api/compiler_flags.h"

static void check_kinds(const char *const *words, size_t count, flag_kind kind) {
    for (size_t i = 0; i < count; i++)
        if (compiler_flag_read(words[i]).kind != kind) fail_msg("%s", words[i]);
}

#define CHECK_KINDS(list, kind) check_kinds(list, sizeof(list) / sizeof *(list), kind)

static void kinds(void **unused) {
    (void)unused;
    static const char *const kept[] = {"-DX=1",   "-D",       "-UX",     "-funsigned-char",
                                       "-fwrapv", "-std=c99", "-isystem"};
    static const char *const harmless[] = {"-O2", "-g", "-Wall", "-pthread", "-c", "-MD", "-MF", "-fPIC"};
    static const char *const refused[] = {"-Ofast",      "-Wp,-DX",    "-mno-sse",
                                          "-ffast-math", "-fnonsense", "--nonsense"};
    CHECK_KINDS(kept, FLAG_KEPT);
    CHECK_KINDS(harmless, FLAG_NO_EFFECT);
    CHECK_KINDS(refused, FLAG_REFUSED);
    assert_int_equal(compiler_flag_read("-m32").kind, FLAG_32);
    assert_int_equal(compiler_flag_read("-m64").kind, FLAG_64);
    assert_int_equal(compiler_flag_read("-m321").kind, FLAG_REFUSED);
}

static void values_stand_in_the_word_or_in_the_next(void **unused) {
    (void)unused;
    static const struct {
        const char *word, *name;
        bool next, path, attached;
    } flags[] = {
        {"-DX=1", "-D", false, false, false},          {"-D", "-D", true, false, false},
        {"-Ifolder", "-I", false, true, false},        {"-I", "-I", true, true, false},
        {"-include", "-include", true, true, false},   {"-include-pch", "-include-pch", true, true, false},
        {"-std=c99", "-std=", false, false, true},     {"--sysroot=/", "--sysroot=", false, true, true},
        {"-isysroot", "-isysroot", true, true, false}, {"-fwrapv", "-fwrapv", false, false, false}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        compiler_flag f = compiler_flag_read(flags[i].word);
        if (f.name != strlen(flags[i].name) || f.in_next_word != flags[i].next ||
            f.is_path != flags[i].path || f.is_attached != flags[i].attached)
            fail_msg("%s", flags[i].word);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(values_stand_in_the_word_or_in_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
