/* A C program given as text, for tests of explorers. */
#ifndef HEDDLE_TESTS_C_TEXT_H
#define HEDDLE_TESTS_C_TEXT_H

#include "core_fixture.h"

#include "frontend/llvm/llvm.h"

static inline program *translate_c(const char *source) {
    char path[] = "/tmp/heddle-test-XXXXXX.c";
    int fd = mkstemps(path, 2);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    assert_non_null(file);
    fputs(source, file);
    fclose(file);
    const char *files[] = {path};
    llvm_options how = {.entry = "main", .check_reach = true};
    diagnostics d = {.file = "test.c", .source = source};
    program *p = llvm_translate(files, 1, &how, &d);
    assert_non_null(p);
    diag_free(&d);
    remove(path);
    return p;
}

#endif
