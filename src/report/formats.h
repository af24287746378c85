/* A report in formats of other tools. Each function adds a whole file to `out`; names of files are those that
 * the user gave, and texts of any bytes end up as text. */
#ifndef HEDDLE_REPORT_FORMATS_H
#define HEDDLE_REPORT_FORMATS_H

#include "report/report.h"

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
