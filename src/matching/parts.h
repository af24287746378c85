/* A table of different parts of states, each kept once: collapse compression.
 *
 * A part gets a number (from 1 on; 0 means "none") that stands for its contents for ever. Everything a state
 * needs to go on from counts as contents, but for a thread's running counts for names, which would make a new
 * part of every step and are kept apart (cursor.h). The watch of a thread that goes round a loop (such a
 * thread is kept without it) and the number of delta cycles are left out. The table holds a reference to the
 * first part with its contents, so that nobody writes to it and it is never freed. Asking again for a part
 * that is in the table is one comparison. */
#ifndef HEDDLE_MATCHING_PARTS_H
#define HEDDLE_MATCHING_PARTS_H

#include "machine/state.h"

typedef struct parts parts;

parts *parts_create(void);
void parts_destroy(parts *p);

uint32_t parts_of_thread(parts *p, thread_part *t);
uint32_t parts_of_object(parts *p, memory_object *o);
uint32_t parts_of_scheduler(parts *p, scheduler_part *s);
uint32_t parts_of_path(parts *p, path_part *path, uint32_t count); /* its first conjuncts; none: 0 */

/* The part with this number; the caller knows of which kind it is. NULL for 0. */
void *parts_get(const parts *p, uint32_t number);

size_t parts_count(const parts *p);
size_t parts_bytes(const parts *p); /* the table and all its parts; terms are not counted */

#endif
