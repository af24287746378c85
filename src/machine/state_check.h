/* What holds of every state between steps.
 *
 * What holds of each field alone (truth values, room, widths of times) is made of the tables of fields
 * (fields.h), as states are; what holds between fields is written down. It only looks, and knows the machine
 * for names and widths alone. */
#ifndef HEDDLE_MACHINE_STATE_CHECK_H
#define HEDDLE_MACHINE_STATE_CHECK_H

#include "base/invariant.h"
#include "machine/machine.h"

/* The first invariant that is broken, in words; NULL: none is. */
const char *state_broken_invariant(const machine *m, const state *s);

/* For `slow_assert`: says on the standard error which one it is. */
bool state_is_sound(const machine *m, const state *s);

#endif
