/* Many states in few bytes each: a 64-bit signature, a predecessor, and the symmetric difference to it (which
 * numbered parts, before and after).
 *
 * Any state can be restored exactly, but for two things that are not kept: watches of threads that go round a
 * loop, and the number of delta cycles. The way there leads from the state restored last over the nearest
 * common predecessor; every now and then a state is stored whole, so that no way is long. States
 * are never removed. */
#ifndef HEDDLE_MATCHING_COMPACT_H
#define HEDDLE_MATCHING_COMPACT_H

#include "matching/cursor.h"
#include "matching/entry.h"

typedef struct compact compact;

compact *compact_create(machine *m);
void compact_destroy(compact *c);

/* Puts s behind the state with index `predecessor`, which should differ little; NO_INDEX: any. The parts of s
 * are exchanged for equal ones of the table. Gives its index, counted from 0. */
uint32_t compact_add(compact *c, state *s, uint64_t signature, uint32_t predecessor);

/* Addresses are stable. */
visited_entry *compact_entry(const compact *c, uint32_t index);

/* Indices of the states with this signature, one after the other; NO_INDEX: no more. Adding ends it. */
typedef struct compact_probe {
    uint64_t signature;
    size_t at;
} compact_probe;
compact_probe compact_look(const compact *c, uint64_t signature);
uint32_t compact_next(const compact *c, compact_probe *probe);

/* The state with this index, valid until the next look. */
const cursor *compact_view(compact *c, uint32_t index);

size_t compact_count(const compact *c);
size_t compact_bytes(const compact *c); /* everything, parts included */

#endif
