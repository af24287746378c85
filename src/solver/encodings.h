/* Several SAT solvers side by side, each with the encoding of queries that have symbols in common. CaDiCaL
 * assigns every variable it knows, so an unrelated circuit in the same solver makes a simple query slow; and
 * starting empty each time makes related queries slow. */
#ifndef HEDDLE_SOLVER_ENCODINGS_H
#define HEDDLE_SOLVER_ENCODINGS_H

#include "solver/blast.h"

enum { ENCODINGS = 4 };

typedef struct encodings {
    blaster slot[ENCODINGS];
    bool open[ENCODINGS];
    uint64_t last_use[ENCODINGS], uses;
    uint64_t generation[ENCODINGS]; /* how often the slot was emptied */
    map home;                       /* symbol id -> slot that met it last, and its generation then */
} encodings;

void encodings_free(encodings *e);

/* A solver in which all conditions are translated, and their literals. With `incremental` off it is always a
 * new one. `symbols` are those of the conditions. Valid until the next call. */
blaster *encodings_for(encodings *e, const term *const *conditions, size_t count, const term *const *symbols,
                       size_t symbol_count, bool incremental, int *literals);

#endif
