/* A state put together from numbered parts, which becomes another one by exchanging some of them.
 *
 * Its parts are borrowed from the table of parts: the state may be read, compared and cloned as long as the
 * cursor is not moved. It lacks the watches of threads that go round a loop; which threads sleep is known. */
#ifndef HEDDLE_MATCHING_CURSOR_H
#define HEDDLE_MATCHING_CURSOR_H

#include "base/bits.h"
#include "matching/parts.h"

/* A place is an index times PLACE_KINDS, and its kind. */
typedef enum {
    PLACE_THREAD,
    PLACE_OBJECT,  /* a static one */
    PLACE_DYNAMIC, /* the index is its name */
    PLACE_OTHER,   /* scheduler, path condition, flags */
    PLACE_KINDS
} place_kind;

typedef struct change { /* of a part at one place: numbers, or for flags 0 and 1 */
    uint32_t place;
    uint32_t before, after;
} change;

typedef VEC(change) changes;

typedef struct thread_facts { /* what the part of a thread does not say */
    uint32_t asleep;          /* in a loop, or not */
    thread_counts counts;
} thread_facts;

typedef struct cursor {
    state view; /* the running counts of its threads are those of other states */
    uint32_t thread_capacity;
    VEC(thread_facts) facts; /* by thread */
} cursor;

state *cursor_state(const cursor *c); /* one of its own, which can go on; without watches */

void cursor_open(cursor *c, uint32_t static_count); /* at the empty state */
void cursor_close(cursor *c);
void cursor_clear(cursor *c); /* to the empty state */

bool cursor_asleep(const cursor *c, uint32_t thread);

/* All that must be exchanged to come from here to s, in a fixed order. Parts of s are put into the table, and
 * s shares them from now on. */
void cursor_compare(const cursor *c, parts *p, machine *m, state *s, changes *out);

void cursor_redo(cursor *c, const parts *p, const change *what); /* what was `before` becomes `after` */
void cursor_undo(cursor *c, const parts *p, const change *what);

size_t cursor_places(const cursor *c); /* how many parts and flags the state has */

#endif
