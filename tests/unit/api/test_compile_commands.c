/* The flags of a file in compile_commands.json: words as a shell takes them, paths from the folder they are
 * for, and what is not understood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "api/compile_commands.h"

/* Reads this text as a file. */
static const char *read_commands(const char *json, compile_commands *out) {
    char name[] = "/tmp/test_compile_commands_XXXXXX";
    int file = mkstemp(name);
    assert_true(file >= 0);
    assert_int_equal(write(file, json, strlen(json)), strlen(json));
    close(file);
    const char *wrong = compile_commands_read(name, out);
    unlink(name);
    return wrong;
}

/* The words that are kept of one file, separated by |. */
static void check_words(const char *command, const char *words, int bits, const char *refused) {
    char json[512];
    snprintf(json, sizeof json, "[{\"directory\": \"/nowhere/in\", \"file\": \"../a.c\", %s}]", command);
    compile_commands list = {0};
    assert_null(read_commands(json, &list));
    const compile_command *c = compile_commands_find(&list, "/nowhere/in/../a.c");
    assert_non_null(c);
    char all[512] = "";
    for (size_t i = 0; i < c->words.size; i++) {
        strcat(all, i ? "|" : "");
        strcat(all, c->words.data[i]);
    }
    assert_string_equal(all, words);
    assert_int_equal(c->bits, bits);
    assert_string_equal(c->refused ? c->refused : "", refused);
    compile_commands_free(&list);
}

static void words_as_a_shell_takes_them(void **unused) {
    (void)unused;
    check_words("\"command\": \"cc -O2 -DA='x y' -D 'B=\\\\\\\"' -DC=\\\"(1 + 1)\\\" -c ../a.c\"",
                "-DA=x y|-DB=\\\"|-DC=(1 + 1)", 0, "");
    check_words("\"command\": \"cc -Dtwo\\\\ words a.c\"", "-Dtwo words", 0, "");
    check_words("\"arguments\": [\"cc\", \"-DA=x y\", \"-g\", \"-c\", \"../a.c\"]", "-DA=x y", 0, "");
}

static void paths_begin_in_the_folder(void **unused) {
    (void)unused;
    check_words("\"command\": \"cc -Ihere -I /there -isystem sys --sysroot=root\"",
                "-I/nowhere/in/here|-I/there|-isystem|/nowhere/in/sys|--sysroot=/nowhere/in/root", 0, "");
    /* on the way of headers */
    check_words("\"command\": \"cc -include stdbool.h\"", "-include|stdbool.h", 0, "");
}

static void data_models_and_targets(void **unused) {
    (void)unused;
    check_words("\"command\": \"cc -m32\"", "", 32, "");
    check_words("\"command\": \"cc -m32 -m64\"", "", 64, ""); /* the last one counts */
    check_words("\"command\": \"cc -target i686-linux-gnu\"", "", 32, "");
    check_words("\"command\": \"cc --target=x86_64-linux-gnu\"", "", 0, "");
    check_words("\"command\": \"cc -target arm-none-eabi\"", "", 0, "-target arm-none-eabi");
}

static void what_is_not_understood(void **unused) {
    (void)unused;
    check_words("\"command\": \"cc -fnonsense -Ofast -DX\"", "-DX", 0, "-fnonsense"); /* the first one */
    check_words("\"command\": \"cc @file\"", "", 0, "@file");
    check_words("\"command\": \"cc -x c\"", "", 0, "");
    check_words("\"command\": \"cc -x c++\"", "", 0, "-x c++");
    check_words("\"command\": \"cc -Xclang -include-pch -Xclang some.pch -DX\"", "-DX", 0, "");
}

static void files_that_are_no_lists(void **unused) {
    (void)unused;
    compile_commands list = {0};
    assert_non_null(strstr(read_commands("{}", &list), "no list"));
    assert_non_null(strstr(read_commands("[", &list), "no JSON"));
    assert_null(read_commands("[1, {}, {\"file\": \"a.c\"}]", &list)); /* entries that say too little */
    assert_int_equal(list.size, 0);
    assert_null(compile_commands_find(&list, "a.c"));
    compile_commands_free(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_as_a_shell_takes_them), cmocka_unit_test(paths_begin_in_the_folder),
        cmocka_unit_test(data_models_and_targets),     cmocka_unit_test(what_is_not_understood),
        cmocka_unit_test(files_that_are_no_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
