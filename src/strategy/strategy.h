/* What a strategy works with: a program that is to be explored, and what it may use for that.
 *
 * A strategy knows who explores: which explorers, one after the other or at the same time, here or in other
 * processes. How a program is explored is in the options of the explorers; what a user asked for, and how he
 * spelled it, is known above. */
#ifndef HEDDLE_STRATEGY_STRATEGY_H
#define HEDDLE_STRATEGY_STRATEGY_H

#include "explore/explore.h"
#include "strategy/control.h"

typedef struct strategy {
    machine *machine;
    run_control *control; /* when all of it is to stop */
    arena *memory;        /* for texts of answers that come from other processes */
    uint64_t jobs;        /* explorers at the same time; 0: one for each core */
    bool bounded;         /* loops, switches or simulated time: an answer is wanted that goes so far */
    bool stays_in_one_process;
} strategy;

#endif
