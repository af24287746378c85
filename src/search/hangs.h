/* Who never gets on again: the graph of the states that a search has met, and threads that stay in it where
 * they are.
 *
 * Where nothing moves any more the machine says at once who is blocked. Beside threads that go on for ever it
 * shows only in all that comes after a state: a thread is blocked for ever if from there on no step is its
 * own, and goes round for ever in a loop that waits if none leaves the loop. A search that is complete has
 * such a graph at hand. What it finds there is a suspicion, since threads that sleep in loops have fewer
 * steps here than in truth; machine_stays_for_ever decides. What it does not find is not there: every edge is
 * a way that executions really go, and the reduction leaves no step out for ever (its cycle proviso). */
#ifndef HEDDLE_SEARCH_HANGS_H
#define HEDDLE_SEARCH_HANGS_H

#include "explore/explore.h"

typedef struct hangs hangs;

hangs *hangs_create(machine *m);
void hangs_destroy(hangs *h);

enum { HANGS_NOWHERE = UINT32_MAX, HANGS_END = UINT32_MAX - 1 /* of the program */ };

/* What the steps on the way to the next state mean; several if they are made in one go. */
void hangs_begin_way(hangs *h);
void hangs_add_step(hangs *h, uint32_t thread, const loop_course *course);
uint32_t hangs_end_way(hangs *h); /* a number for it */

/* A new state, and how it was reached. */
uint32_t hangs_add_state(hangs *h, const state *s, uint32_t parent, path_step by, uint32_t chain);

/* The ways of one step, which inputs decide between, belong to the same. */
uint32_t hangs_new_step(hangs *h);
void hangs_add_way(hangs *h, uint32_t from, uint32_t to, uint32_t way, uint32_t step);

/* There is a cycle: without one all executions end where nothing moves. */
void hangs_note_cycle(hangs *h);

typedef struct hang_suspicion {
    uint32_t state; /* its number */
    uint32_t thread;
    uint32_t loop; /* which one of machine_waiting_loops; HANGS_NOWHERE: it is blocked */
} hang_suspicion;

/* Looks at all suspicions of these properties, until `decide` says that it is enough. What it refutes excuses
 * all that leads there. */
typedef enum { SUSPICION_REFUTED, SUSPICION_ENOUGH } suspicion_answer;
typedef suspicion_answer (*suspicion_judge)(void *data, const hang_suspicion *which);
void hangs_look(hangs *h, unsigned properties, suspicion_judge decide, void *data);

/* The step that led to a state, the number of the one before it, and of how many steps without a choice it
 * was followed. */
typedef struct hang_origin {
    uint32_t parent;
    path_step by;
    uint32_t chain;
} hang_origin;
hang_origin hangs_origin(const hangs *h, uint32_t state);

#endif
