/* Control flow of a program as a graph for graphviz: a cluster for each function, a node for each block. */
#ifndef HEDDLE_PROGRAM_DOT_H
#define HEDDLE_PROGRAM_DOT_H

#include "program/program.h"

/* The text of a line of a source file: its beginning, and its length; NULL: not known. */
typedef const char *(*dot_source)(void *data, const char *file, uint32_t line, size_t *length);

/* The functions of the program itself, with the lines of their source. */
void dot_print_control_flow(const program *p, dot_source source, void *data, text *out);

/* All functions, with their instructions. */
void dot_print_instructions(const program *p, text *out);

#endif
