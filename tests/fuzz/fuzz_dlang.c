/* Fuzz target for the dlang front end: any bytes either compile to a valid program or are refused with an
 * error, and text that parses survives printing unchanged.
 *
 *     with libFuzzer:  clang -fsanitize=fuzzer,address tests/fuzz/fuzz_dlang.c ...
 *     without:         cc -DFUZZ_STANDALONE tests/fuzz/fuzz_dlang.c ...; ./fuzz_dlang ROUNDS FILE...
 *
 * The second makes the same mutants each time. */
#include "frontend/dlang/dlang.h"
#include "frontend/dlang/syntax.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void complain(const char *problem, const char *source, size_t length) {
    fprintf(stderr, "%s:\n", problem);
    fwrite(source, 1, length, stderr);
    abort();
}

static void check_printing(const char *source, size_t length) {
    diagnostics d = {.file = "fuzz.dl"};
    text once = {0}, twice = {0};
    if (dlang_print("fuzz.dl", source, length, NULL, 0, &d, &once)) {
        if (once.size <= DLANG_MOST_BYTES) {
            if (!dlang_print("fuzz.dl", text_cstr(&once), once.size, NULL, 0, &d, &twice))
                complain("printed text does not parse", once.data, once.size);
            if (strcmp(text_cstr(&once), text_cstr(&twice)))
                complain("printing is not stable", source, length);
        }
    } else if (!d.errors) {
        complain("refused without an error", source, length);
    }
    text_free(&once);
    text_free(&twice);
    diag_free(&d);
}

static void check_compiling(const char *source, size_t length) {
    diagnostics d = {.file = "fuzz.dl"};
    program *p = dlang_parse("fuzz.dl", source, length, NULL, 0, &d);
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
    "{",           "}",        "(",
    ")",           "[",        "]",
    ",",           "<",        ">",
    "<{2",         "<{",       "}>",
    "$",           "x$",       "0",
    "1",           "-1",       "-",
    "+",           "*",        "/",
    "%",           ":=",       "==",
    "!=",          "<=",       ">=",
    "&&",          "||",       "!",
    "=",           "if ",      "then {",
    "else {",      "while ",   "local ",
    "const ",      "channel ", "indexer(",
    "cas(",        "send(",    "receive(",
    "length(",     "assert ",  "x",
    "y[0]",        "x := 1",   "max=",
    "target=",     "nprocs=",  "\"n\"",
    "\"",          "//",       "N",
    "const N 1 2", "x 3 1 2",  "99999999999999999999",
    "1000000",
};

int main(int argc, char **argv) {
    return fuzz_files(argc, argv, snippets, sizeof snippets / sizeof *snippets);
}

#endif
