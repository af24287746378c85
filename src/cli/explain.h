/* `heddle explain TRACE [FILE...]`: steps through a counterexample, or says what becomes of it on a program
 * that has changed. */
#ifndef HEDDLE_CLI_EXPLAIN_H
#define HEDDLE_CLI_EXPLAIN_H

#include "cli/arguments.h"

/* The exit status: of a replay 1 if it fails, 0 if it does not any more, 3 if the schedule cannot be
 * followed; of stepping 0; 2 if something is wrong with the trace, the files or a command. */
int explain_command(heddle *h, const arguments *a);

#endif
