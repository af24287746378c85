/* Steps through a counterexample, forwards and backwards, by commands: of the user at a terminal, of a pipe,
 * or of the command line. Only a terminal gets a prompt. */
#ifndef HEDDLE_CLI_STEPPER_H
#define HEDDLE_CLI_STEPPER_H

#include "cli/trace_view.h"

#include <stdio.h>

typedef struct stepper {
    trace_view *view;
    size_t at; /* so many steps are made */
    FILE *out;
    bool interactive;
} stepper;

/* Runs the commands of a line, separated by semicolons. False: one of them is wrong, which was said on
 * standard error, and nothing behind it was done. *quit: the user wants to leave. */
bool stepper_do(stepper *s, const char *line, bool *quit);

void stepper_greet(stepper *s); /* what the trace is about */

/* Commands from standard input until its end. False: one was wrong, and nobody was there to see it. */
bool stepper_read_commands(stepper *s);

/* --- showing, in stepper_show.c ------------------------------------------------------------------------- */

void show_step(stepper *s);  /* the one that was made last, with all that it did */
void show_where(stepper *s); /* the same in one line */
void show_source(stepper *s, int around);
void show_threads(stepper *s);
void show_changes(stepper *s); /* of that step */
void show_inputs(stepper *s);  /* so far */
void show_values(stepper *s, const char *pattern);
void show_end(stepper *s); /* what the trace ends in */

bool step_changes(const json_t *step, const char *pattern, const char *value); /* value NULL: any */
bool step_contains(const json_t *step, const char *text);

void put_text(FILE *out, const char *text); /* of the file: it must not command the terminal */

#endif
