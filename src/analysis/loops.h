/* Loops, and what it takes to leave them.
 *
 * A loop waits if it has an exit, and which way a branch at the exit goes depends on memory that others may
 * write: a lock that is tried, a flag that is polled. `for (;;)` without a way out does not wait, nor does a
 * loop that only an input or a number of its own can end. What a condition depends on is worked out from
 * registers and branches inside the loop; which memory a pointer means is not, so a loop may be taken for one
 * that waits although it only polls memory of its own, never the other way round. */
#ifndef HEDDLE_ANALYSIS_LOOPS_H
#define HEDDLE_ANALYSIS_LOOPS_H

#include "analysis/flow.h"
#include "base/vec.h"
#include "program/program.h"

typedef struct loops loops; /* of a program; answers are worked out when they are first asked for */

loops *loops_create(const program *p, flows *of); /* which must stay */
void loops_destroy(loops *l);

/* A loop goes by its head (flow_is_loop_head): all blocks that lead back to it without leaving. */
typedef struct loop_name {
    uint32_t function, head;
} loop_name;

bool loops_contain(loops *l, loop_name loop, uint32_t block);
bool loops_wait(loops *l, loop_name loop);

/* The heads of the loops that wait and have this block in them, the outermost first. */
typedef VEC(uint32_t) loop_heads;
const loop_heads *loops_that_wait_around(loops *l, uint32_t function, uint32_t block);

typedef struct loop_place { /* a loop that a thread is in */
    uint32_t depth;         /* frames up to the one that it is in; 0: none */
    loop_name loop;
} loop_place;
typedef VEC(loop_place) loop_places;

#endif
