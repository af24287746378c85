/* What is true of a program, by brute force: every interleaving, every input, exact states.
 *
 * Deadlocks and races are bracketed: a `certain` one must be found, and nothing may be reported that is not
 * at least `possible`. Of deadlocks blocked.h says which. Races are a matter of definition at the edges:
 *
 *     certain   two accesses are next, both may come now, they conflict and not both are atomic
 *     possible  also: one of them is inside an atomic section, outside of its object, or a compare-and-swap
 *               that fails; or somebody tries for a lock that another thread has and does not get it, which
 *               orders nothing (orders/orders.py is exact about what follows) */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_REFERENCE_H
#define HEDDLE_TESTS_ORACLE_THREADS_REFERENCE_H

#include "tree.h"

typedef struct reference_limits {
    size_t states, finals;
} reference_limits;

enum { MOST_REFERENCE_CELLS = 32 };

typedef struct finding {
    bool certain, possible;
} finding;

typedef struct reference_cell { /* g<number>, or a<number>[index] */
    char kind;
    uint32_t number, index;
} reference_cell;

typedef struct reference {
    const char *refused;      /* too large, or no sensible program: nothing else is valid */
    VEC(uint32_t) violations; /* ascending, unique: 2 * line for assertions, 2 * line + 1 for memory */
    bool leak;                /* the program can end with a heap object alive */
    finding deadlock, livelock, race;
    uint32_t cells; /* of globals and arrays */
    reference_cell cell[MOST_REFERENCE_CELLS];
    VEC(int64_t) finals; /* their values where all threads have ended: rows of `cells` numbers, unique */
    bool cyclic, inputs, heap; /* inputs, heap: the text has some */
    size_t states, transitions;
} reference;

void reference_run(program_tree *p, bool spurious_wakeups, const reference_limits *limits, reference *out);
void reference_free(reference *r);

#endif
