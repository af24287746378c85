/* The simultaneous walk over two states: are their concrete parts equal, and which symbolic values stand
 * against each other? */
#ifndef HEDDLE_MACHINE_PAIRS_H
#define HEDDLE_MACHINE_PAIRS_H

#include "machine/state.h"

/* Of equal width; at least one is not a constant, or they are identical symbolic terms. */
typedef struct value_pair {
    const term *left, *right;
} value_pair;

typedef struct value_pairs {
    VEC(value_pair) list;
    bool ignore_time;
    bool positions; /* machine_compares_positions: which object lies where may matter */
} value_pairs;

/* False: control, scheduler, shape of the heap or some concrete value differs, so no method can match them.
 * Otherwise the pairs of symbolic values are collected. Path conditions are not compared. Dynamic objects
 * are matched by the order in which they are reached; positions of objects on which a state depends stand
 * against each other like values. */
bool pairs_collect(terms *c, const state *a, const state *b, value_pairs *out);
void pairs_free(value_pairs *p);

#endif
