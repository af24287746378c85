/* A program in C or C++ given as text, for tests of explorers. */
#ifndef HEDDLE_TESTS_C_TEXT_H
#define HEDDLE_TESTS_C_TEXT_H

#include "core_fixture.h"

#include "frontend/llvm/llvm.h"

/* `argument`: a further one for clang, or NULL. */
static inline program *translate_file(const char *path, const char *argument) {
    const char *files[] = {path};
    llvm_options how = {.entry = "main", .check_reach = true};
    how.arguments = &argument;
    how.argument_count = argument != NULL;
    diagnostics d = {.file = path, .source = ""};
    program *p = llvm_translate(files, 1, &how, &d);
    assert_non_null(p);
    diag_free(&d);
    return p;
}

static inline program *translate_text(char *path, int suffix, const char *source) {
    int fd = mkstemps(path, suffix);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    assert_non_null(file);
    fputs(source, file);
    fclose(file);
    program *p = translate_file(path, NULL);
    remove(path);
    return p;
}

static inline program *translate_c(const char *source) {
    char path[] = "/tmp/heddle-test-XXXXXX.c";
    return translate_text(path, 2, source);
}

static inline program *translate_cpp(const char *source) {
    char path[] = "/tmp/heddle-test-XXXXXX.cpp";
    return translate_text(path, 4, source);
}

#endif
