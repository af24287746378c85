/* Completion for shells, written from the table of options. */
#ifndef HEDDLE_CLI_COMPLETION_H
#define HEDDLE_CLI_COMPLETION_H

#include <stdio.h>

void completion_print_bash(FILE *out);
void completion_print_zsh(FILE *out);

#endif
