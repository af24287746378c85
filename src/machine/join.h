/* Several states that differ in numbers of main only become one: a number is that of the state
 * whose conditions hold. */
#ifndef HEDDLE_MACHINE_JOIN_H
#define HEDDLE_MACHINE_JOIN_H

#include "machine/machine.h"

/* Of at least one state; NULL: they cannot be one. */
state *machine_join(machine *m, const state *const *ways, size_t count);

#endif
