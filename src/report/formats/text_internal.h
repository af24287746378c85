/* What the files of the text report share. Not for others. */
#ifndef HEDDLE_REPORT_FORMATS_TEXT_INTERNAL_H
#define HEDDLE_REPORT_FORMATS_TEXT_INTERNAL_H

#include "report/formats/formats.h"

enum { MOST_PRINTED_LINES = 20 }; /* of what a program prints */

enum { THREAD_COLOURS = 6 };

typedef struct paint {
    const char *good, *bad, *doubt, *strong, *faint, *off;
    const char *thread[THREAD_COLOURS];
} paint;

/* The line of the program text without its indentation; of a long one the part around the column. False:
 * nothing was printed. */
bool report_text_excerpt(const report *r, const char *file, position at, text *out);

/* Step by step, or with one heading for each run of a thread. */
void report_text_trace(const report *r, const trace *t, const char *title, const paint *c, text *out);
bool report_text_is_in_runs(const trace *t);

/* Who had called what a thread stands in, one line each. */
void report_text_callers(const report *r, const trace_stack *stack, const char *indent, text *out);

#endif
