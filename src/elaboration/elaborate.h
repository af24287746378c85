/* Elaboration of designs that are built by running them (SystemC in C++).
 *
 * main is executed up to `start`. What it has made by then becomes part of the program text: every object
 * that lives is a static one with its present content, every process, event and channel update of the
 * registry has its number, and main begins behind what was executed. From there on the program is as if
 * somebody had written the elaborated design down, and every analysis sees fixed objects instead of pointers.
 *
 * Inputs that main draws on the way stay unknown: it draws them again, and what was computed of them is
 * computed again. Ways that part because of them are joined if they differ in numbers only; those on which
 * main ends without a simulation are left out, unless it matters what there is at the end (`ends_matter`).
 *
 * It never guesses: a design whose objects, processes or pointers depend on inputs or addresses, or that does
 * not come to `start`, is left alone, and running it ends where it would have started
 * (REASON_NOT_ELABORATED), if it comes there. If all that main does ends at something that is not modelled,
 * the program is that alone. */
#ifndef HEDDLE_ELABORATION_ELABORATE_H
#define HEDDLE_ELABORATION_ELABORATE_H

#include "program/program.h"

/* Does nothing unless p->elaboration.pending. */
void elaborate(program *p, bool ends_matter, bool (*interrupted)(void *data), void *data);

#endif
