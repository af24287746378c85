/* How far a state is from what a reach property asks for, estimated from the numbers that its condition is
 * about: a guide where no survey (cegar/survey.h) is finished. Nothing is promised, so it must never be a
 * reason to leave anything out.
 *
 * The condition is taken apart into ways of being true, and each way into what it demands of the numbers of
 * one object after the other. Which of these numbers follow each other is learned from the steps of the
 * search, so the heap may have any shape; what lies between them is left out. */
#ifndef HEDDLE_SEARCH_ESTIMATE_H
#define HEDDLE_SEARCH_ESTIMATE_H

#include "machine/machine.h"

typedef struct estimate estimate;

/* Asks what is demanded, by the names that objects have in s. NULL: nothing that could be told. */
estimate *estimate_create(machine *m, const state *s);
void estimate_destroy(estimate *e);

typedef struct estimated {
    uint32_t distance;
    bool novel; /* some cell holds what it held in no state of this distance before */
} estimated;

/* Of a state that a step from `before` has led to (NULL: not known); learns from both. */
estimated estimate_state(estimate *e, const state *before, const state *s);

#endif
