/* The order in which Accellera's simulator (version 2.3.4) would run the processes of a design.
 *
 * IEEE 1666 leaves the order open and the machine knows nothing of it. The simulator's follows from its
 * queues: methods before threads, first woken first run, the last delta notification first, a heap of timed
 * notifications, channels updated in the reverse order of their requests, threads in front that an
 * asynchronous reset starts again. This keeps the same queues, fed by what the machine tells while it runs
 * (machine_watch.happens).
 *
 * Whenever its queues and the machine disagree about who can run, it is lost and says so. */
#ifndef HEDDLE_SIMULATOR_SIMULATOR_ORDER_H
#define HEDDLE_SIMULATOR_SIMULATOR_ORDER_H

#include "machine/machine.h"
#include "machine/watch.h"

typedef struct simulator_order simulator_order;

simulator_order *simulator_order_create(machine *m);
void simulator_order_destroy(simulator_order *o);

/* A machine_watch.happens; data is the order. */
void simulator_order_note(void *data, seen_kind what, uint32_t number, const term *due);

/* What comes next in this state; false: it is lost, or nothing can come. */
bool simulator_order_choose(simulator_order *o, const state *s, transition *out);

/* Behind the step of that transition, in the state that it led to. */
void simulator_order_go_on(simulator_order *o, const state *s);

bool simulator_order_is_lost(const simulator_order *o);

#endif
