/* Whether a condition is ever true: `EF condition` as a check in the program.
 *
 * The condition is a function without parameters of its own that only reads (the monitor). It is asked once
 * before the program's first call and then, in the same indivisible step, after every instruction that may
 * write what it reads; where it says yes a check of kind CHECK_REACH fails. So every explorer looks for it,
 * and steps that change it depend on each other because they read and write the same cells.
 *
 * A read that would be a violation (a null or dangling pointer on the way) makes the condition false. */
#ifndef HEDDLE_TRANSFORM_REACH_H
#define HEDDLE_TRANSFORM_REACH_H

#include "program/program.h"

/* `text` is the condition as the user wrote it. False, with a reason: the monitor does more than read. */
bool reach_watch(program *p, uint32_t monitor, const char *text, const char **reason);

#endif
