/* Logic gates as clauses. Each gate is normalised, folded over constants and looked up before it is written,
 * so equal circuits share their clauses. The literal GATE_TRUE is always true. */
#ifndef HEDDLE_SOLVER_GATES_H
#define HEDDLE_SOLVER_GATES_H

#include "base/vec.h"
#include "solver/sat.h"

#include <stddef.h>

enum { GATE_TRUE = 1, GATE_FALSE = -1 };

typedef struct gate_entry {
    int kind, a, b, c, output; /* output 0: empty */
} gate_entry;

typedef struct gates {
    const sat_backend *backend;
    void *sat;
    int variables;
    size_t clauses;
    gate_entry *table;
    size_t capacity, size;
} gates;

void gates_open(gates *g, const sat_backend *backend);
void gates_close(gates *g);

int gate_input(gates *g); /* a fresh variable */
void gate_clause(gates *g, const int *literals, size_t count);

int gate_and(gates *g, int a, int b);
int gate_or(gates *g, int a, int b);
int gate_xor(gates *g, int a, int b);
int gate_mux(gates *g, int condition, int then, int otherwise);
int gate_xor3(gates *g, int a, int b, int c);            /* sum bit of a full adder */
int gate_majority(gates *g, int a, int b, int c);        /* carry bit of a full adder */
int gate_and_all(gates *g, int *literals, size_t count); /* overwrites the list */

#endif
