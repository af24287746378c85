/* Unknown numbers that decide how addresses and identities compare. */
#ifndef HEDDLE_MACHINE_POSITIONS_H
#define HEDDLE_MACHINE_POSITIONS_H

#include "machine/machine.h"
#include "machine/seen.h"

/* Where an object lies among all others: an unknown number that decides the order of addresses. It belongs to
 * the object like a cell that nobody writes: whoever takes one object for another must take its position for
 * that of the other, too. */
const term *object_position(terms *c, uint32_t object);
uint32_t object_of_position(const term *symbol);   /* NO_INDEX: it is something else */
bool machine_compares_positions(const machine *m); /* false: no state depends on positions */

/* The same for identities of threads: the unknown number that decides their order, and what else they are. */
const term *thread_rank(terms *c, unsigned width, uint32_t thread);
uint32_t thread_of_rank(const term *symbol); /* NO_INDEX: it is something else */

/* Whether identities of two threads were compared as if they were different, first at this place, although
 * the second may have been given that of the first: which of its end and the other's beginning comes first
 * depends on the schedule in a way that explorers do not look at. Asked of what was seen so far. */
bool machine_ids_come_again(const machine *m, seen_place *at);

#endif
