/* A recorded counterexample on the present program: which files and options it speaks of, and what becomes of
 * it there (report/explain/retrace.h). */
#ifndef HEDDLE_API_EXPLAIN_H
#define HEDDLE_API_EXPLAIN_H

#include "api/session.h"
#include "report/explain/recorded.h"
#include "report/explain/retrace.h"

/* Sets what decides about the meaning of the program as it was recorded, unless the user has said otherwise.
 * False: `errors` says why not. */
bool explain_take_options(options *o, const recorded_trace *from, text *errors);

/* Whether to compile this file of the recording: stubs come with their option, and a task definition names
 * its files. */
bool explain_is_given_file(const recorded_trace *from, const char *file);

/* Follows the trace on the machine of the session and enters what it ends in into `out`. */
void explain_run(session *s, const recorded_trace *from, const report_file *files, size_t file_count,
                 outcome *out, retrace *told);

#endif
