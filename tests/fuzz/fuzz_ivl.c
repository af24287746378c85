/* Fuzz target for the IVL front end: any bytes either compile to a valid program or are refused with an
 * error, and text that parses survives printing unchanged.
 *
 *     with libFuzzer:  clang -fsanitize=fuzzer,address tests/fuzz/fuzz_ivl.c ...
 *     without:         cc -DFUZZ_STANDALONE tests/fuzz/fuzz_ivl.c ...; ./fuzz_ivl ROUNDS FILE...
 *
 * The second makes the same mutants each time. */
#include "frontend/ivl/ivl.h"
#include "frontend/ivl/parser.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void complain(const char *problem, const char *source, size_t length) {
    fprintf(stderr, "%s:\n", problem);
    fwrite(source, 1, length, stderr);
    abort();
}

static void check_printing(const char *source, size_t length) {
    diagnostics d = {.file = "fuzz.ivl"};
    ast_file first = {0}, second = {0};
    if (ivl_parse(source, length, &d, &first)) {
        text once = {0}, twice = {0};
        ast_print(&first, &once);
        if (once.size <= IVL_MOST_BYTES) {
            if (!ivl_parse(text_cstr(&once), once.size, &d, &second))
                complain("printed text does not parse", once.data, once.size);
            ast_print(&second, &twice);
            if (!ast_equal(&first, first.declarations, &second, second.declarations))
                complain("printing changes the tree", source, length);
            if (strcmp(text_cstr(&once), text_cstr(&twice)))
                complain("printing is not stable", source, length);
        }
        text_free(&once);
        text_free(&twice);
    } else if (!d.errors) {
        complain("refused without an error", source, length);
    }
    ast_file_free(&first);
    ast_file_free(&second);
    diag_free(&d);
}

static void check_compiling(const char *source, size_t length) {
    diagnostics d = {.file = "fuzz.ivl"};
    program *p = ivl_compile("fuzz.ivl", source, length, NULL, 0, &d);
    if (!p == !d.errors) complain("error and result disagree", source, length);
    for (size_t k = 0; k < d.list.size; k++)
        if (!strncmp(d.list.data[k].message, "internal", 8)) complain(d.list.data[k].message, source, length);
    program_destroy(p);
    diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    check_printing((const char *)bytes, length);
    check_compiling((const char *)bytes, length);
    return 0;
}

#ifdef FUZZ_STANDALONE

#include "standalone.h"

static const char *const snippets[] = {
    "{",        "}",           "(",    ")",        "[",        "]",        ";",          ",",
    "?(int)",   "0",           "1",    "-1",       "*",        "&",        "x",          "i",
    "[i]",      "if",          "else", "while(1)", "for(;;)",  "goto L;",  "L:",         "return;",
    "wait e;",  "notify e,0;", "int ", "bool ",    "struct S", "new int",  "delete p;",  "&&",
    "||",       "?",           ":",    "switch",   "case 1:",  "default:", "break;",     "thread t",
    "event e;", "param N=2;",  "main", "update u", "start;",   "@time",    "0xffffffff", "99999999999",
    "= {1,2};", "int a[3];",   "a[3]", "p->x",     ".x",       "->",       "+=",         "++",
    "<<=",      "/0",          "%x",   "'a'",      "//",       "/*",
};

int main(int argc, char **argv) {
    return fuzz_files(argc, argv, snippets, sizeof snippets / sizeof *snippets);
}

#endif
