/* Static persistent sets for cooperative programs: which of the enabled threads are enough to explore from a
 * state.
 *
 * `ct` gives up as soon as a disabled transition matters; `stub` follows what could enable it (necessary
 * enabling sets), in two ways that are incomparable; `stub-min` takes the smallest set over all starting
 * transitions and both ways. Names and theory: docs/algorithms.md. The sets are persistent; the ignoring
 * problem on cycles is the explorer's to solve (proviso). */
#ifndef HEDDLE_REDUCTION_PERSISTENT_H
#define HEDDLE_REDUCTION_PERSISTENT_H

#include "explore/explore.h"
#include "reduction/relevance.h"

typedef struct persistent persistent;

/* necessary_enabling false is a known-unsound mutant for tests. */
persistent *persistent_create(machine *m, por_kind kind, bool necessary_enabling);
void persistent_destroy(persistent *p);

/* From the enabled transitions of s (all of threads), the indices of a persistent subset, ascending; `first`
 * is the index preferred as starting point. */
void persistent_compute(persistent *p, const state *s, const transitions *enabled, uint32_t first,
                        indices *out);

/* The same for an explorer that abstracts: a smallest set that holds `taken` (bit i: transition i of
 * `enabled`, of which there are at most 64), as such bits. `matters` NULL: every object does. `relied` gets
 * the objects that had to be left out of account for it, without duplicates. */
uint64_t persistent_complete(persistent *p, const state *s, const transitions *enabled, uint64_t taken,
                             const relevance *matters, object_list *relied);

/* Whether the next steps of two threads are independent, whatever they do. */
bool persistent_independent(persistent *p, const state *s, uint32_t a, uint32_t b);

/* One closure of the given kind from one starting transition, as segment numbers (enabled or not): for tests
 * and `dump`. */
void persistent_closure(persistent *p, const state *s, por_kind kind, uint32_t first_segment, indices *out);

#endif
