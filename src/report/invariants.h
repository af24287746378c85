/* What a proof knows at the heads of loops, as C: collected from the states of an inductive invariant.
 *
 * The value of a loop is a disjunction with a part for every state of the invariant that stands there. What
 * cannot be said in C is left out of its part, which makes the whole weaker and never wrong. Loops of
 * programs with several threads, and loops whose value would be long or true, are left out. */
#ifndef HEDDLE_REPORT_INVARIANTS_H
#define HEDDLE_REPORT_INVARIANTS_H

#include "explore/explore.h"

typedef struct loop_invariant {
    char *file;     /* NULL: that of the program */
    char *function; /* of the loop */
    uint32_t line;  /* of its condition */
    char *value;
} loop_invariant;

typedef struct loop_invariants {
    VEC(loop_invariant) list;
} loop_invariants;

typedef struct invariants invariants;

bool invariants_are_possible(const program *p); /* it has one thread */
invariants *invariants_create(machine *m);
void invariants_destroy(invariants *v);
void invariants_add(void *invariants, const state *s, invariant_kind of); /* fits explore_options.invariant */
void invariants_list(const invariants *v, loop_invariants *out);
void loop_invariants_free(loop_invariants *l);

#endif
