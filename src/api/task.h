/* Task definitions of SV-COMP and BenchExec (.yml), formats 1.0 and 2.x: which files, which properties with
 * which expected verdicts, language and data model.
 *
 * Reads exactly that format, a small part of YAML: keys, scalars with or without quotes, lists of scalars in
 * either style, one level of maps. Everything else is refused with its line. Never opens a file. */
#ifndef HEDDLE_API_TASK_H
#define HEDDLE_API_TASK_H

#include "base/diag.h"

typedef enum { EXPECTED_NOTHING, EXPECTED_TRUE, EXPECTED_FALSE } expected_verdict;

typedef struct task_property {
    char *file; /* as written: relative to the task's folder */
    expected_verdict expected;
    char *subproperty; /* of valid-memsafety: which part is violated; NULL: not said */
} task_property;

typedef struct task {
    VEC(char *) inputs; /* as written */
    VEC(task_property) properties;
    unsigned data_model; /* 32, 64, or 0: not said */
    char *language;      /* "C", or NULL: not said */
} task;

/* False after reporting; `out` is then empty. */
bool task_parse(const char *source, size_t length, diagnostics *d, task *out);
void task_free(task *t);

#endif
