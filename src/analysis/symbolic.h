/* Which static objects can ever hold a symbolic value? The others stay concrete in every state and may be
 * hashed by value whatever the matcher. Flow-insensitive and conservative: a `false` is a promise, but for
 * padding that was read and stored there, which costs no more than a match. */
#ifndef HEDDLE_ANALYSIS_SYMBOLIC_H
#define HEDDLE_ANALYSIS_SYMBOLIC_H

#include "program/program.h"

/* One flag per static object; the caller frees it with mem_free. */
bool *symbolic_objects(const program *p);

#endif
