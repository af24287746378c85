/* Statements of the source, as the front end marked them (instruction.ends_statement): an assignment, a
 * condition that is decided, a call, a return, a `goto`. What a statement computes before it comes to its
 * mark belongs to it. A call of the program's own that is part of an expression begins another one; one of
 * the library belongs to the expression, or is a statement if its result is not used. Library functions have
 * none.
 *
 * statements_make_atomic turns every statement of a preemptive program into one indivisible step: `x = x + 1`
 * loses no update then. That is another program with fewer behaviours, for languages that are defined this
 * way (SymC++). Of the library's functions only those that compute and draw inputs are within such a step:
 * others may wait. It never changes what a single thread does. */
#ifndef HEDDLE_TRANSFORM_STATEMENTS_H
#define HEDDLE_TRANSFORM_STATEMENTS_H

#include "program/program.h"

void statements_make_atomic(program *p);

#endif
