/* --help, the manual page and the option list of docs/manual.md, all made from the table of options. */
#ifndef HEDDLE_CLI_HELP_H
#define HEDDLE_CLI_HELP_H

#include "cli/arguments.h"

#include <stdio.h>

/* only: of this command; NULL: of every one. Not all: the options that most users need, of `check`
 * if of none. */
void help_print(FILE *out, const command *only, bool all);
void help_print_manual(FILE *out, const command *only); /* roff, for man(1) */
void help_print_markdown(FILE *out);
void help_print_engines(FILE *out); /* the tables of docs/engines.md */

#endif
