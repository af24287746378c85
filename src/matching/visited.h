/* The set of explored states, searched by coverage instead of equality.
 *
 * Entries have stable addresses until they are evicted. With a bound on memory the oldest entries off the
 * stack go first: that costs re-exploration, never correctness.
 *
 * A compact set keeps differences instead of states (compact.h). A state with the same signature is restored
 * and compared like any other; only if told so the signature is believed. Nothing is evicted there. */
#ifndef HEDDLE_MATCHING_VISITED_H
#define HEDDLE_MATCHING_VISITED_H

#include "base/map.h"
#include "matching/entry.h"
#include "matching/matcher.h"

typedef struct visited visited;

visited *visited_create(machine *m, match_kind kind, bool ignore_time, size_t most_bytes);
visited *visited_create_compact(machine *m, match_kind kind, bool ignore_time, bool believe_signatures);
void visited_destroy(visited *v);

/* Whether signatures alone can tell what this method would: the solver's methods find more than equals. */
bool match_is_by_hash(match_kind kind);

/* An entry that covers s, or NULL. With `auto` a cheap method looks everywhere and the solver at chosen
 * candidates: NULL may then be a miss. */
visited_entry *visited_find(visited *v, const state *s);

/* Polled between candidates; once it is true no more of them are compared (nothing is covered then). */
void visited_set_interrupted(visited *v, bool (*interrupted)(void *data), void *data);

/* Adds s (one more reference), on the stack. May evict. A compact set exchanges parts of s for equal ones. */
visited_entry *visited_add(visited *v, state *s);

/* The same; s was reached from `predecessor`, from which it should differ little (NULL: not known). */
visited_entry *visited_add_after(visited *v, state *s, const visited_entry *predecessor);

/* The state of an entry, for the caller to release. Of a compact set: without watches of threads that go
 * round a loop, and not the same one that was added. */
state *visited_restore(visited *v, const visited_entry *e);
bool visited_is_compact(const visited *v);

size_t visited_size(const visited *v);
uint64_t visited_evicted(const visited *v);
uint64_t visited_attempts(const visited *v); /* candidates compared */
uint64_t visited_matched(const visited *v);
uint64_t visited_approximated(const visited *v); /* of these, perhaps not covered in truth */
uint64_t visited_believed(const visited *v); /* matches by signature alone */

/* Memory that only the set keeps alive, each shared part counted once. Terms are not counted. */
size_t visited_bytes(const visited *v);

#endif
