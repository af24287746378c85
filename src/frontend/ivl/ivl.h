/* The front end for IVL, the intermediate verification language of docs/ivl.md.
 *
 * Promises: the program passes program_check; the same text and settings always give the same program;
 * nothing in the text can crash it or make it run for long (sizes are limited). Problems are reported through
 * the diagnostics, never printed. */
#ifndef HEDDLE_FRONTEND_IVL_IVL_H
#define HEDDLE_FRONTEND_IVL_IVL_H

#include "frontend/frontend.h"
#include "program/program.h"

extern const frontend frontend_ivl;

typedef frontend_setting ivl_setting;

/* NULL after reporting. `source` needs no terminating zero. Warnings may be reported also on success. */
program *ivl_compile(const char *file_name, const char *source, size_t length, const ivl_setting *settings,
                     size_t setting_count, diagnostics *d);

/* The same text in standard form; false after reporting (syntax errors only: names and types are
 * not looked at). */
bool ivl_print(const char *file_name, const char *source, size_t length, diagnostics *d, text *out);

#endif
