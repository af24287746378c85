/* Laws that inputs of the library obey (arguments of INSTR_INPUT): numbers of rand_r are a function of the
 * seed, and most clocks never go back. Exploration takes each for a fresh input where remembering would cost
 * states. That admits more than there is, so `safe` is right. A violation is confirmed only with inputs that
 * obey: this collects, along one replayed path, what the laws demand of them. */
#ifndef HEDDLE_EXPLORE_LAWS_H
#define HEDDLE_EXPLORE_LAWS_H

#include "machine/watch.h"

typedef struct laws laws;

laws *laws_create(machine *m);
void laws_destroy(laws *l);
const machine_watch *laws_watch(const laws *l); /* for the steps of the replay */

/* A step was replayed; the path goes on with this state, and what other ways of the step drew is forgotten.
 * False: its inputs are numbers, and break a law. */
bool laws_follow(laws *l, const state *taken);

/* The state, of which the caller gives its reference, with what is demanded among its conditions. */
state *laws_conclude(laws *l, state *end);

#endif
