/* Where pointers may point: an inclusion-based (Andersen) analysis of the whole program, which looks neither
 * at the order of instructions nor at the fields of objects nor at calling contexts.
 *
 * Abstract objects are the static objects, the local variables and ALLOC instructions of all functions, and
 * the functions themselves; each has a number below `points_to_objects`, static objects keep theirs. A number
 * that was computed from a pointer counts as a pointer, whatever its width; the outcome of a comparison does
 * not.
 *
 * Promises: if some execution makes a register of a reachable function a valid pointer into an object, its
 * set holds the abstract object; if it calls or starts a function, that one is among the targets. Numbers
 * that come from nowhere near a pointer are not considered, since the machine never follows them. */
#ifndef HEDDLE_ANALYSIS_POINTS_TO_H
#define HEDDLE_ANALYSIS_POINTS_TO_H

#include "program/program.h"

typedef struct points_to points_to;
typedef VEC(uint32_t) function_list;

points_to *points_to_compute(const program *p);
void points_to_destroy(points_to *t);

size_t points_to_objects(const points_to *t);

/* The abstract object made at a place (future.h); NO_INDEX if nothing is made there. */
uint32_t points_to_object_at(const points_to *t, uint64_t place);

/* May the function ever run, called from wherever? */
bool points_to_reaches(const points_to *t, uint32_t function);

/* Adds the objects that an operand in the code of `function` may point to; `set` has
 * BITS_WORDS(objects) words. */
void points_to_join(const points_to *t, uint32_t function, const operand *o, uint64_t *set);
bool points_to_may(const points_to *t, uint32_t function, const operand *o, uint32_t object);

/* Appends the functions that a CALL or SYNC_CREATE in the code of `function` may enter. */
void points_to_targets(const points_to *t, uint32_t function, const instruction *i, function_list *out);

#endif
