/* The plainest possible verifier of tiny programs: docs/ivl.md §3 taken literally, explicit states, every
 * schedule, every order of updates, every value of every input, no reduction. It shares no code with Heddle's
 * front end, machine, terms or solver.
 *
 * Violated assertions are noted and execution goes on behind them; a violated implicit check (division,
 * bounds, null) ends its path. */
#ifndef HEDDLE_TESTS_ORACLE_REFERENCE_H
#define HEDDLE_TESTS_ORACLE_REFERENCE_H

#include "tiny.h"

typedef struct reference_result {
    /* Why there is no answer: too many states, a step without end; NULL: all below is valid. */
    const char *refused;
    VEC(uint32_t) violations; /* 2 * line, + 1 for implicit checks; ascending */
    bool deadlock;    /* the simulation can end with nothing pending while a thread waits or is suspended */
    uint16_t blocked; /* those that can be, as bits: bodies */
    bool cut_by_assumption, cut_by_check; /* some path ends early */
    bool acyclic;                         /* the state graph has no cycle */
    bool symbolic;                        /* the program has inputs */
    size_t cells;                         /* of global memory */
    unsigned globals;
    uint32_t first_cell[TINY_MOST_GLOBALS]; /* of each global */
    /* Rows of `cells` values: global memory at the end of the program; ascending, unique. */
    VEC(int64_t) finals;
    size_t states, transitions;
} reference_result;

typedef struct reference_limits {
    size_t states, finals;
    /* As in C++: resume takes effect at once, not in the next delta notification, and a simulation that is
     * stopped still has its update phase. */
    bool as_library;
    bool begun_only; /* no answer where a process is killed that has not begun: Accellera's runs still */
} reference_limits;

/* The program must have been printed (lines are noted then). */
void reference_run(const tiny_program *p, const reference_limits *limits, reference_result *out);
void reference_free(reference_result *r);

#endif
