/* C, C++ and LLVM programs (llvm_endings) through clang 19 and the LLVM-C interface.
 *
 * Clang does what a compiler knows best (promotions, layouts, constructors, templates) without optimising;
 * this folder translates its bitcode, linked with our models of libc, pthreads, C11 threads and SV-COMP's
 * builtins (library/). What cannot be translated becomes INSTR_UNSUPPORTED at its place: a program is refused
 * only if clang refuses it or nothing can be run. */
#ifndef HEDDLE_FRONTEND_LLVM_LLVM_H
#define HEDDLE_FRONTEND_LLVM_LLVM_H

#include "base/diag.h"
#include "frontend/frontend.h"
#include "program/program.h"

#define LLVM_REACH_MONITOR "__heddle_reach"

typedef struct llvm_file_arguments { /* further ones for clang, of one file */
    const char *const *words;
    size_t count;
} llvm_file_arguments;

typedef struct llvm_options {
    bool data_model_32;           /* --32 */
    const char *entry;            /* --entry, default "main" */
    const char *const *arguments; /* further ones for clang: -D -I -std */
    size_t argument_count;
    const llvm_file_arguments *of_files; /* in the order of the files; NULL: none have any */
    text *digests;       /* gets the SHA-256 of the bitcode of each file, a line each; NULL: not wanted */
    bool check_overflow; /* signed overflow is a violation, else it wraps around */
    bool check_overlap;  /* functions that copy are not given overlapping memory */
    bool check_reach;    /* reach_error, __VERIFIER_error and assert are properties; else they end the path */
    bool all;            /* what comes behind a violated assertion counts, too */
    bool assert_ends;    /* a failing assert ends the program as abort does, whatever check_reach says */
    const char *monitor; /* an expression, for the function LLVM_REACH_MONITOR at the end of the first file */
    bool (*interrupted)(void *data); /* clang is ended when it says so; NULL: never */
    void *interrupted_data;
    bool check_misuse;     /* what the rules of the library leave undefined is a violation */
    unsigned cores;        /* of the computer; 0: any number */
    bool spurious_wakeup;  /* condition waits may return without a signal */
    bool spurious_failure; /* a weak compare-and-exchange may fail though it need not */
} llvm_options;

extern const frontend frontend_llvm;
extern const char *const llvm_endings[]; /* of files, NULL at the end */

/* By the ending of a file. */
const char *llvm_language(const char *file); /* as clang calls it: "c", "cpp-output"; NULL: of bitcode */
bool llvm_is_c(const char *file);
bool llvm_is_cxx(const char *file);

/* NULL after errors, which were reported through d (clang's own messages as they are). */
program *llvm_translate(const char *const *files, size_t file_count, const llvm_options *options,
                        diagnostics *d);

#endif
