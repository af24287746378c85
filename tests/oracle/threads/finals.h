/* Final states of an exploration, where all threads have ended, against those of the reference; with inputs
 * by the solver. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_FINALS_H
#define HEDDLE_TESTS_ORACLE_THREADS_FINALS_H

#include "explore/explore.h"
#include "reference.h"

typedef struct finals {
    machine *machine;
    const reference *expected;
    VEC(state *) states;
} finals;

/* For explore_options.observe. */
void finals_observe(void *seen, const state *from, transition by, const successor *to);
void finals_compare(finals *seen, text *problem); /* empty: they are the same */
void finals_free(finals *seen);

#endif
