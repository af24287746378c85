/* A SAT solver behind a small table, so that nothing else here knows which one it is.
 *
 * Literals are non-zero integers as in DIMACS. Clauses stay; assumptions hold for one call of `solve`. */
#ifndef HEDDLE_SOLVER_SAT_H
#define HEDDLE_SOLVER_SAT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { SAT_SATISFIABLE, SAT_UNSATISFIABLE, SAT_STOPPED } sat_answer;

typedef struct sat_limits {
    double deadline;                 /* on clock_wall; 0 = none */
    uint64_t conflicts;              /* 0 = none */
    bool (*interrupted)(void *data); /* may be NULL */
    void *interrupted_data;
} sat_limits;

bool sat_limits_are_over(const sat_limits *limits); /* but for the conflicts */

typedef struct sat_backend {
    const char *name;
    void *(*create)(void);
    void (*destroy)(void *sat);
    void (*add)(void *sat, int literal); /* 0 ends the clause */
    void (*assume)(void *sat, int literal);
    sat_answer (*solve)(void *sat, const sat_limits *limits);
    bool (*value)(void *sat, int literal);  /* after SAT_SATISFIABLE */
    bool (*failed)(void *sat, int literal); /* after SAT_UNSATISFIABLE: was this assumption used? */
} sat_backend;

extern const sat_backend sat_cadical;

#endif
