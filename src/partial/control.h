/* A state as its control and its numbers: everything but the numbers, as one number that another process
 * would compute, too, and the numbers in a row, which can be exchanged. For certificates, which are
 * written by one process and read by another. */
#ifndef HEDDLE_PARTIAL_CONTROL_H
#define HEDDLE_PARTIAL_CONTROL_H

#include "partial/abstract.h"

/* Everything of a state but its numbers and conditions. It only says which states are worth looking at:
 * none is to be believed because of it. */
uint64_t control_fingerprint(const state *s);

/* All numbers of a state, offsets of pointers included, in an order that is the same for states of equal
 * control. Objects that are never written are left out, as they tell no states apart, and summaries, which
 * belong to the control. */
void control_numbers(const program *p, const state *s, number_list *out);

/* A hash of the constants among the numbers at these places. False: at some of them there is none. */
bool control_constants_at(const number_list *numbers, const uint32_t *at, size_t count, uint64_t *out);

/* What numbers are called if they are not known: the symbols of their places. Where numbers mostly are known
 * (pointers) there is a constant. NULL: done; else why not. */
reason_kind control_usual_numbers(machine *m, const state *s, number_list *out);

/* A new state with the control of s: with these numbers, as many, under these conditions and no others. */
state *control_fill(const program *p, const state *s, const number_list *numbers,
                    const term *const *conditions, uint32_t count);

#endif
