/* What a program prints, as text: the machine tells what is printed (INSTR_PRINT), this knows how streams and
 * formats show it. The settings of the stream are kept here and not in the program, so that processes that
 * print do not depend on each other.
 *
 * Numbers that are not known appear as `?`. It changes nothing in the machine. */
#ifndef HEDDLE_MACHINE_OUTPUT_H
#define HEDDLE_MACHINE_OUTPUT_H

#include "base/text.h"
#include "machine/look.h"

typedef struct output {
    machine *m;
    text printed;
    unsigned flags; /* print_flag */
    uint64_t width, precision;
    char fill;
} output;

output output_create(machine *m);
void output_free(output *o);

/* A machine_watch.prints; data is an output. */
void output_print(void *data, const state *s, print_form form, const value *given, uint32_t count);

/* The text with an end that `from` points to, as far as it is known. */
void output_read_text(machine *m, const state *s, value from, text *out);

#endif
