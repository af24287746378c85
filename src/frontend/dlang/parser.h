/* dlang text to syntax: tokens, repetition blocks, header, processes.
 *
 * Stops at the first syntax error and returns false then; the file is not to be used. Nesting and sizes are
 * limited: input never overflows the stack and never takes long. */
#ifndef HEDDLE_FRONTEND_DLANG_PARSER_H
#define HEDDLE_FRONTEND_DLANG_PARSER_H

#include "frontend/dlang/dlang.h"
#include "frontend/dlang/syntax.h"

bool dlang_read(const char *source, size_t length, const dlang_setting *settings, size_t setting_count,
                diagnostics *d, dlang_file *out);

#endif
