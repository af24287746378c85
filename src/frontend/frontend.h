/* What a front end is, and what it says of itself: which files it reads, and how text becomes a program.
 *
 * Every front end is a value of this type, beside its code; frontends.def lists them, one line each. Nobody
 * else knows endings of files or compares languages. */
#ifndef HEDDLE_FRONTEND_FRONTEND_H
#define HEDDLE_FRONTEND_FRONTEND_H

#include "base/diag.h"
#include "program/program.h"

struct llvm_options;

typedef struct frontend_text {
    const char *name; /* of the file */
    const char *text; /* `length` bytes */
    size_t length;
} frontend_text;

typedef struct frontend_setting { /* --set NAME=VALUE */
    const char *name;
    int64_t value;
} frontend_setting;

typedef struct frontend_request {
    const frontend_text *texts; /* the first is the program's name; more than one only if several_files */
    size_t count;
    const frontend_setting *settings;
    size_t setting_count;
    const struct llvm_options *c; /* what C and C++ are compiled with; NULL for other languages */
} frontend_request;

typedef struct frontend {
    const char *language;       /* "IVL" */
    const char *article;        /* "an": goes before it */
    const char *const *endings; /* of names of files, with the dot, up to NULL */
    program *(*compile)(const frontend_request *r, diagnostics *d); /* NULL after errors */
    /* written anew; NULL: it cannot be */
    bool (*print)(const frontend_request *r, diagnostics *d, text *out);
    kernel_kind (*guess_kernel)(const frontend_text *t); /* of a program that was not compiled yet */
    /* of this file: SV-COMP has witnesses for programs in its language. NULL: for none */
    bool (*has_witnesses)(const char *file);
    bool several_files;    /* make one program */
    bool on_disk;          /* it reads files itself, by their names */
    bool compiler_options; /* what one tells a compiler means something to it: frontend_request.c */
    bool parameters;       /* it has those that --set gives values */
    bool expressions;      /* properties may be expressions of the language: reach:EXPR */
    bool binaries;         /* its programs can be compiled to machine code, and run */
    bool may_race;         /* it has accesses to memory that nothing orders */
} frontend;

extern const frontend *const frontends[]; /* NULL at the end */

const frontend *frontend_of(const char *file); /* by its ending; NULL: nobody reads it */

/* ".ivl, .dl, .c": all endings. */
void frontend_list_endings(text *out);

typedef bool (*frontend_trait)(const frontend *f);

/* "IVL and dlang": the languages of those that have it. */
void frontend_list_languages(frontend_trait has, text *out);

#endif
