/* Cleans the control flow of one function: jumps lead to where something happens, straight pieces are one
 * block, blocks that cannot be reached are gone. Changes nothing that an execution does. */
#ifndef HEDDLE_TRANSFORM_TIDY_H
#define HEDDLE_TRANSFORM_TIDY_H

#include "program/program.h"

void tidy_function(program *p, uint32_t f);

#endif
