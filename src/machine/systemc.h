/* What the two files of the cooperative kernel share: systemc.c has phases, events and time, systemc_sync.c
 * what threads ask of them. Not for others. */
#ifndef HEDDLE_MACHINE_SYSTEMC_H
#define HEDDLE_MACHINE_SYSTEMC_H

#include "machine/internal.h"
#include "machine/watch.h"

/* --- systemc.c ------------------------------------------------------------------------------------------ */

void systemc_tell(const machine *m, seen_kind what, uint32_t number, const term *due); /* whoever watches */
bool systemc_can_run(const thread_part *t);
uint32_t systemc_timer_of(const machine *m, uint32_t thread); /* its number among targets of notifications */
void systemc_wake(machine *m, state *s, uint32_t thread);
void systemc_trigger_event(machine *m, state *s, uint32_t event);

/* Each of these ends the step, or goes on with it: the context is consumed. */
void systemc_enter_evaluation(run *r, context *c);
void systemc_begin_update(run *r, context *c, uint32_t choice);
void systemc_finish_cycle(run *r, context *c); /* channel updates are done: notify and advance */
void systemc_go_on_with(run *r, context *c, void (*task)(run *r, context *c));

bool systemc_update_order_matters(const run *r, const state *s);

/* Every question is put before anything is changed: a fork comes back here and finds it answered. NULL:
 * nothing is pending for a later time. */
typedef decision decide(run *r, context *c, const term *condition);
decision systemc_earliest_due(run *r, context *c, decide *asks, const term **earliest);

/* --- systemc_sync.c ------------------------------------------------------------------------------------- */

sync_result systemc_sync(run *r, context *c, const instruction *i); /* kernel.sync */

/* A thread that was made to run stops: the other one goes on, and the step with it. */
bool systemc_goes_back(run *r, context *c);

#endif
