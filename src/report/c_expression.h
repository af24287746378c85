/* Conditions on values of a state as expressions of C, for witnesses. */
#ifndef HEDDLE_REPORT_C_EXPRESSION_H
#define HEDDLE_REPORT_C_EXPRESSION_H

#include "base/text.h"
#include "term/term.h"

/* The name of a variable that holds the value of this symbol where the expression is to stand; NULL: there is
 * none. To be freed by the caller. */
typedef char *(*c_variable)(void *data, const term *symbol);

/* An expression of type int that is not 0 exactly if the condition (of width 1) holds, whatever types of
 * their width the variables have. False, and nothing added: it cannot be said, or would be enormous. */
bool c_expression_print(const term *condition, c_variable name, void *data, text *out);

#endif
