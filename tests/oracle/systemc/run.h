/* Runs of Heddle through its public interface, and what they say. */
#ifndef HEDDLE_TESTS_ORACLE_SYSTEMC_RUN_H
#define HEDDLE_TESTS_ORACLE_SYSTEMC_RUN_H

#include "base/text.h"
#include "base/vec.h"
#include "heddle.h"

typedef struct run_result {
    heddle_verdict verdict;
    char *reason, *diagnostics;
    VEC(uint32_t) violations; /* 2 * line, + 1 for implicit checks; ascending, unique */
    bool elsewhere;           /* an implicit check fails in another file: in a header */
    bool deadlock;
    bool doubts; /* some part was left out, or could not be decided */
    double transitions, states;
} run_result;

/* Options as "por=ct match=auto all=on". */
void run_file(const char *path, const char *options, run_result *out);
void run_text(const char *name, const char *source, const char *options, run_result *out);
void run_free(run_result *r);

/* Compiles designs once, so that several runs share the work of clang; the headers are
 * compiled in advance. */
typedef struct run_compiler {
    text folder, headers;   /* "": there is no folder; the headers in the form that clang has read */
    const char *definition; /* for clang, or NULL */
} run_compiler;

bool run_compiler_open(run_compiler *c, const char *definition);
/* The path of the bitcode in `path`; false: clang has said why. */
bool run_compile(run_compiler *c, const char *source, text *path);
void run_compiler_close(run_compiler *c);

#endif
