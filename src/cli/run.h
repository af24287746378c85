/* One run of a command and what the user sees of it: the report, accepted violations, the exit status. */
#ifndef HEDDLE_CLI_RUN_H
#define HEDDLE_CLI_RUN_H

#include "cli/arguments.h"

typedef struct run_request {
    heddle *h;
    const command *command;
    const char *target; /* of a project file: shown with the result; NULL: there is none */
    const char *expect; /* the verdict that the target should have, by its name; NULL: any */
} run_request;

/* Option `color` is always or never from now on: colours are for people who watch; https://no-color.org has
 * the variable. */
void run_settle_colour(heddle *h);

void run_print_refused(const char *target); /* in JSON, where one of several targets has no result */
int run_command(const run_request *r);      /* the exit status */

#endif
