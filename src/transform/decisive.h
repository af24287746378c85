/* C asserts by a branch to a call that must not happen: the assertion is put to the test where that branch is
 * taken, one way or the other. Marks these branches (instruction.decides), so that the machine can tell an
 * assertion that always holds from one that nobody reaches. */
#ifndef HEDDLE_TRANSFORM_DECISIVE_H
#define HEDDLE_TRANSFORM_DECISIVE_H

#include "program/program.h"

void program_mark_decisive(program *p);

#endif
