/* Fuzz target for the dlang front end: any bytes either compile to a valid program or are refused with an
 * error, and text that parses survives printing unchanged.
 *
 * With libFuzzer:   clang -fsanitize=fuzzer,address tests/fuzz/fuzz_dlang.c ...
 * Without:          cc -DFUZZ_STANDALONE tests/fuzz/fuzz_dlang.c ...; ./fuzz_dlang ROUNDS FILE...   (the same
 * mutants each time) */
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

static uint64_t random_state = 88172645463325252u;

static size_t random_below(size_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return n ? random_state % n : 0;
}

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

static void replace(text *t, size_t at, size_t removed, const char *inserted, size_t length) {
    text result = {0};
    text_add_bytes(&result, t->data, at);
    text_add_bytes(&result, inserted, length);
    text_add_bytes(&result, t->data + at + removed, t->size - at - removed);
    text_free(t);
    *t = result;
}

static void mutate(text *t, const text *other) {
    size_t at = random_below(t->size + 1), rest = t->size - at;
    size_t length = random_below(random_below(4) ? 8 : 200);
    if (length > rest) length = rest;
    const char *snippet = snippets[random_below(sizeof snippets / sizeof *snippets)];
    char byte = (char)random_below(256);
    size_t from = random_below(other->size), taken = random_below(other->size - from + 1) % 200;
    switch (random_below(5)) {
    case 0: replace(t, at, length ? 1 : 0, &byte, 1); break;
    case 1: replace(t, at, length, "", 0); break;
    case 2: replace(t, at, 0, snippet, strlen(snippet)); break;
    case 3: replace(t, at, length, snippet, strlen(snippet)); break;
    default: replace(t, at, length, other->data + from, taken);
    }
}

static text read_file(const char *path) {
    text t = {0};
    char buffer[4096];
    FILE *f = fopen(path, "rb");
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f));) text_add_bytes(&t, buffer, n);
    if (f) fclose(f);
    if (!t.size) {
        fprintf(stderr, "%s: cannot be read or empty\n", path);
        exit(2);
    }
    return t;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: fuzz_dlang ROUNDS FILE...\n");
        return 2;
    }
    int files = argc - 2;
    text *seeds = mem_zero((size_t)files, sizeof *seeds);
    for (int k = 0; k < files; k++) {
        seeds[k] = read_file(argv[k + 2]);
        LLVMFuzzerTestOneInput((const uint8_t *)seeds[k].data, seeds[k].size);
    }
    for (long round = atol(argv[1]); round > 0; round--) {
        const text *seed = &seeds[random_below((size_t)files)], *other = &seeds[random_below((size_t)files)];
        text mutant = {0};
        text_add_bytes(&mutant, seed->data, seed->size);
        for (size_t changes = 1 + random_below(6); changes; changes--) mutate(&mutant, other);
        LLVMFuzzerTestOneInput((const uint8_t *)text_cstr(&mutant), mutant.size);
        text_free(&mutant);
    }
    for (int k = 0; k < files; k++) text_free(&seeds[k]);
    mem_free(seeds);
    return 0;
}

#endif
