/* How a report is written: for people, for programs, for browsers and for other tools. Nothing is decided or
 * found out here. Names of files are those that the user gave, and texts of any bytes end up as text. */
#ifndef HEDDLE_REPORT_FORMATS_FORMATS_H
#define HEDDLE_REPORT_FORMATS_FORMATS_H

#include "report/report.h"

typedef struct text_style {
    bool colour, quiet, verbose;
    bool verdict_line; /* the last line is `Verdict: …` as BenchExec wants it */
} text_style;

/* For people. The first line is `safe`, `unsafe` or `unknown: reason (file:line:col)`. */
void report_print_text(const report *r, text_style style, text *out);
/* One violation as in the text, without colours. */
void report_print_violation(const report *r, const property *p, text *out);

/* JSON, described by docs/result.schema.json. The same run gives the same, byte for byte, except for seconds
 * and memory. */
json_t *report_json_object(const report *r);
char *report_json(const report *r); /* the same as text; to be freed by the caller */
/* What --trace writes: the trace with the property it violates and the input files. */
char *trace_file_json(const report *r);

/* One file that shows everything in a browser: html.c. */
void report_print_html(const report *r, text *out);

/* Those of other tools add a whole file to `out`. */

/* SARIF 2.1.0: a result for each violated property, with a thread flow for each thread of its trace; reasons
 * of an unknown verdict are notifications of the invocation. */
void sarif_print(const report *r, text *out);

/* JUnit XML: a test case for each property. Violated: a failure with the trace. Unknown: an error, since
 * nothing is known of it. */
void junit_print(const report *r, text *out);

/* VCD (IEEE 1364): static variables, members of heap memory and which thread runs, along the trace of r,
 * which must be there. A step is a tick; steps at the same time are ticks one after the other. */
void vcd_print(const report *r, text *out);

#endif
