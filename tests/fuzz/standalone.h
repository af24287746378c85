/* What runs a fuzz target without libFuzzer: the files that are given, then random changes of them. */
#ifndef HEDDLE_TESTS_FUZZ_STANDALONE_H
#define HEDDLE_TESTS_FUZZ_STANDALONE_H

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t random_state = 88172645463325252u;

static size_t random_below(size_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return n ? random_state % n : 0;
}

static void replace(text *t, size_t at, size_t removed, const char *inserted, size_t length) {
    text result = {0};
    text_add_bytes(&result, t->data, at);
    text_add_bytes(&result, inserted, length);
    text_add_bytes(&result, t->data + at + removed, t->size - at - removed);
    text_free(t);
    *t = result;
}

static void mutate(text *t, const text *other, const char *const *snippets, size_t snippet_count) {
    size_t at = random_below(t->size + 1), rest = t->size - at;
    size_t length = random_below(random_below(4) ? 8 : 200);
    if (length > rest) length = rest;
    const char *snippet = snippets[random_below(snippet_count)];
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

/* What main does; snippets are words of the language. */
static int fuzz_files(int argc, char **argv, const char *const *snippets, size_t snippet_count) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s ROUNDS FILE...\n", argv[0]);
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
        for (size_t changes = 1 + random_below(6); changes; changes--)
            mutate(&mutant, other, snippets, snippet_count);
        LLVMFuzzerTestOneInput((const uint8_t *)text_cstr(&mutant), mutant.size);
        text_free(&mutant);
    }
    for (int k = 0; k < files; k++) text_free(&seeds[k]);
    mem_free(seeds);
    return 0;
}

#endif
