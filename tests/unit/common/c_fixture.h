/* C and C++ programs given as text, translated, and what their translation has. */
#ifndef HEDDLE_TESTS_C_FIXTURE_H
#define HEDDLE_TESTS_C_FIXTURE_H

#include "frontend/llvm/llvm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    program *p;
    diagnostics d;
    char *files[2];
} fixture;

static inline char *write_file(const char *ending, const char *content, size_t length) {
    char *name = mem_alloc(64);
    snprintf(name, 64, "/tmp/heddle-test-XXXXXX%s", ending);
    int fd = mkstemps(name, (int)strlen(ending));
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, length, file), length);
    fclose(file);
    return name;
}

static inline fixture translate_files(const char *ending, const char *first, const char *second,
                                      llvm_options how) {
    fixture f = {0};
    f.files[0] = write_file(ending, first, strlen(first));
    if (second) f.files[1] = write_file(ending, second, strlen(second));
    f.d.file = "test";
    f.p = llvm_translate((const char *const *)f.files, second ? 2 : 1, &how, &f.d);
    if (f.p && !program_check(f.p, &f.d)) {
        text out = {0};
        diag_print(&f.d, &out);
        fail_msg("%s", text_cstr(&out));
    }
    return f;
}

static inline fixture translate(const char *source) {
    return translate_files(".c", source, NULL, (llvm_options){.check_reach = true});
}

static inline void release(fixture *f) {
    program_destroy(f->p);
    diag_free(&f->d);
    for (size_t k = 0; k < 2; k++) {
        if (f->files[k]) remove(f->files[k]);
        mem_free(f->files[k]);
    }
}

static inline const function *find_function(const fixture *f, const char *name) {
    for (size_t k = 0; k < f->p->functions.size; k++)
        if (!strcmp(f->p->functions.data[k].name, name)) return &f->p->functions.data[k];
    return NULL;
}

/* Instructions of this kind in a function. */
static inline unsigned count_in(const function *f, instruction_kind kind) {
    unsigned n = 0;
    for (size_t b = 0; f && b < f->blocks.size; b++)
        for (size_t k = 0; k < f->blocks.data[b].code.size; k++)
            n += f->blocks.data[b].code.data[k].kind == kind;
    return n;
}

static inline unsigned count_ordered(const fixture *f, memory_order_kind order) {
    const function *main = find_function(f, "main");
    unsigned n = 0;
    for (size_t b = 0; b < main->blocks.size; b++)
        for (size_t k = 0; k < main->blocks.data[b].code.size; k++) {
            const instruction *i = &main->blocks.data[b].code.data[k];
            n += (i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_UPDATE) &&
                 i->order == order;
        }
    return n;
}

static inline unsigned count_checks(const fixture *f, check_kind kind) {
    unsigned n = 0;
    for (size_t k = 0; k < f->p->checks.size; k++) n += f->p->checks.data[k].kind == kind;
    return n;
}

/* Whether main (or what it calls, library aside) says that something is not supported, in these words. */
static inline bool refuses(const fixture *f, const char *words) {
    for (size_t k = 0; k < f->p->functions.size; k++) {
        const function *fn = &f->p->functions.data[k];
        for (size_t b = 0; b < fn->blocks.size; b++)
            for (size_t i = 0; i < fn->blocks.data[b].code.size; i++) {
                const instruction *at = &fn->blocks.data[b].code.data[i];
                if (at->kind == INSTR_UNSUPPORTED && strstr(at->text, words)) return true;
            }
    }
    return false;
}

static inline bool complains(const fixture *f, const char *words) {
    for (size_t k = 0; k < f->d.list.size; k++)
        if (strstr(f->d.list.data[k].message, words)) return true;
    return false;
}

#endif
