/* Bit-blasting: terms to literals over gates. Every term is translated once and kept, so a later query that
 * shares subterms costs only what is new. Bit 0 is the lowest. Never solves and never asserts a condition: it
 * only adds definitions, which are true in every model. */
#ifndef HEDDLE_SOLVER_BLAST_H
#define HEDDLE_SOLVER_BLAST_H

#include "base/map.h"
#include "solver/gates.h"
#include "term/term.h"

typedef struct blaster {
    gates gates;
    map places; /* term id -> where its literals start, and how many clauses its own translation took */
    VEC(int) literals;
    VEC(const term *) open;
    map divisions; /* (id, id) of unsigned operands -> place of quotient and rest */
    map signed_divisions;
} blaster;

void blaster_open(blaster *b, const sat_backend *backend);
void blaster_close(blaster *b);

const int *blast_term(blaster *b, const term *t); /* its literals; valid until the next call */
int blast_condition(blaster *b, const term *condition);

/* After a satisfiable answer. Bits that no clause mentions are 0. */
uint64_t blast_symbol_value(blaster *b, const term *symbol);

/* How many clauses the translation of everything below these terms took. */
size_t blast_cone(blaster *b, const term *const *list, size_t count);

#endif
