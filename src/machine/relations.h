/* Which states and parts of states agree, and their hashes: made of the tables of fields (fields.h).
 *
 * Parts that agree in a relation have equal hashes of it. Hashes of PROVED are the same in every process;
 * values are no part of what is told here but where it is said. */
#ifndef HEDDLE_MACHINE_RELATIONS_H
#define HEDDLE_MACHINE_RELATIONS_H

#include "machine/fields.h"
#include "machine/state.h"

bool threads_agree(const thread_part *a, const thread_part *b, state_relation r);
/* Where cells start counts, too. */
bool objects_agree(const memory_object *a, const memory_object *b, state_relation r);
/* MATCHED: not when things are due. */
bool schedulers_agree(const scheduler_part *a, const scheduler_part *b, state_relation r);

uint64_t thread_mix(uint64_t h, const thread_part *t, state_relation r);
uint64_t object_mix(uint64_t h, const memory_object *o, state_relation r);
uint64_t scheduler_mix(uint64_t h, const scheduler_part *s, state_relation r);

/* With values. SAME: identical. ABSTRACT: numbers of equal widths, or pointers into the same objects. */
bool values_agree(const value *a, const value *b, uint32_t count, state_relation r);
/* Of threads that agree otherwise. */
bool threads_values_agree(const thread_part *a, const thread_part *b, state_relation r);
uint64_t values_mix(uint64_t h, const value *v, uint32_t count, state_relation r);
uint64_t thread_values_mix(uint64_t h, const thread_part *t, state_relation r);

/* Parts with all that they hold. Of a summary everything is control: which constants it has is not up to a
 * precision any more. */
bool whole_threads_agree(const thread_part *a, const thread_part *b, state_relation r);
bool whole_objects_agree(const memory_object *a, const memory_object *b, state_relation r);
uint64_t whole_thread_mix(uint64_t h, const thread_part *t, state_relation r);
uint64_t whole_object_mix(uint64_t h, const memory_object *o, state_relation r);

/* Whole states: SAME, ABSTRACT, PROVED. Path conditions count in SAME alone. */
bool states_agree(const state *a, const state *b, state_relation r);
uint64_t state_mix(const state *s, state_relation r);

#endif
