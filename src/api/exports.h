/* Files made from a report on request: a table with a row for each format. */
#ifndef HEDDLE_API_EXPORTS_H
#define HEDDLE_API_EXPORTS_H

#include "api/options.h"
#include "report/report.h"

/* Adds a line for every wanted file that could not be written. */
void exports_check(const options *o, text *errors);

/* Writes what was asked for; adds a line for every file that could not be written. */
void exports_write(const options *o, const report *r, text *errors);

#endif
