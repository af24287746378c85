/* Runs clang-19 as a child process and hands back bitcode.
 *
 * Bitcode and LLVM assembly go through clang as well: whatever is broken in them is found, or crashes, in the
 * child. Clang optimises nothing: -O1 without passes makes it emit the bodies of `inline` functions and of
 * extern templates, which -O0 leaves out. Never uses a shell, leaves no file behind. */
#ifndef HEDDLE_FRONTEND_LLVM_COMPILE_H
#define HEDDLE_FRONTEND_LLVM_COMPILE_H

#include "frontend/llvm/llvm.h"

typedef struct bitcode {
    char *bytes; /* owned */
    size_t size;
    char *warnings;   /* owned: clang's words about overflows, if they are asked for; else NULL */
    bool precompiled; /* the headers were (precompiled.h) */
} bitcode;

/* The folder of the headers that come with the front end, with a slash. False: it is unknown. */
bool compile_own_folder(text *out);

/* The clang that came along (scripts/make-tarball.sh), or the name of that of the system. */
void compile_find_clang(text *out);

/* Whether a file is one of the headers that come with the front end. */
bool compile_is_own_header(const char *file);

/* False after an error, which was reported with clang's own words. `own`: of this file; `monitor`: see
 * llvm_options; NULL: none. */
bool compile_file(const char *file, const llvm_options *options, const llvm_file_arguments *own,
                  const char *monitor, bitcode *out, diagnostics *d);

#endif
