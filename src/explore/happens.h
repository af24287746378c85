/* What happens before what in one execution, by what its accesses declare, and the data races that follow.
 *
 * Two accesses of different threads that conflict, not both of them atomic, race if neither happens before
 * the other, also where others stand between them. Happens-before is that of C++20: the order within threads,
 * their creation and joining, and synchronisation. An access that releases hands everything that happened
 * before it on with the value that it writes, a fence that releases does so for the atomic writes behind it;
 * read-modify-write operations pass on what came with the value that they replace, other writes do not. Who
 * acquires takes what came with the value that it reads, and a fence that acquires what came with values that
 * atomic accesses before it have read.
 *
 * The execution is sequentially consistent and given step by step. */
#ifndef HEDDLE_EXPLORE_HAPPENS_H
#define HEDDLE_EXPLORE_HAPPENS_H

#include "program/effect.h"

typedef struct happens happens;

typedef struct happens_race { /* the step just added, and one before it */
    uint32_t step;            /* its number, from 0 */
    uint32_t thread;          /* of that one */
    bool early;               /* its access came before others could reach the memory */
    access first, second;
} happens_race;

typedef VEC(happens_race) happens_races;

happens *happens_create(void);
void happens_destroy(happens *h);
void happens_restart(happens *h); /* nothing has happened */

/* The next step of a thread, which touched these in this order. The races it is part of are appended, one for
 * each earlier step and access of this one; `races` may be NULL. */
void happens_add(happens *h, uint32_t thread, const access *touched, size_t count, happens_races *races);

uint32_t happens_length(const happens *h); /* steps so far */

#endif
