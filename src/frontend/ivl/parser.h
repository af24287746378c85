/* Tokens to syntax tree, by recursive descent.
 *
 * Reports every syntax error it can recover from (at ';' and '}') and returns false then; the tree is not to
 * be used in that case. Nesting is limited: input never overflows the stack. */
#ifndef HEDDLE_FRONTEND_IVL_PARSER_H
#define HEDDLE_FRONTEND_IVL_PARSER_H

#include "frontend/ivl/ast.h"

enum {
    IVL_MOST_NESTING = 200, /* blocks, statements and parentheses inside each other */
    IVL_MOST_HEIGHT = 1000, /* operators in one chain a + b + c ... */
    IVL_MOST_STARS = 8,
    IVL_MOST_ARGUMENTS = 255,
    IVL_MOST_AWAITED = 1000, /* events in one wait */
    IVL_MOST_BYTES = 4 << 20,
};

bool ivl_parse(const char *source, size_t length, diagnostics *d, ast_file *out);

#endif
