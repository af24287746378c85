/* dlang (.dl): the small distributed programs of Metzler's thesis on LazyPOR, with assertions and message
 * channels. docs/dlang.md describes the language. */
#ifndef HEDDLE_FRONTEND_DLANG_DLANG_H
#define HEDDLE_FRONTEND_DLANG_DLANG_H

#include "base/diag.h"
#include "base/text.h"
#include "frontend/frontend.h"
#include "program/program.h"

extern const frontend frontend_dlang;

typedef frontend_setting dlang_setting; /* overrides a const declaration */

/* NULL after errors, which were reported through d. */
program *dlang_parse(const char *file, const char *source, size_t length, const dlang_setting *settings,
                     size_t setting_count, diagnostics *d);

/* The same program written anew: it parses back to the same program. False after errors. */
bool dlang_print(const char *file, const char *source, size_t length, const dlang_setting *settings,
                 size_t setting_count, diagnostics *d, text *out);

#endif
