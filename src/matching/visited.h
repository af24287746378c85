/* The set of explored states, searched by coverage instead of equality.
 *
 * Entries have stable addresses until they are evicted. With a bound on memory the oldest entries off the
 * stack go first: that costs re-exploration, never correctness. */
#ifndef HEDDLE_MATCHING_VISITED_H
#define HEDDLE_MATCHING_VISITED_H

#include "base/map.h"
#include "matching/matcher.h"

typedef struct visited_entry {
    state *s;
    uint64_t hash[2];              /* of the two indices: cheap method, strong method */
    struct visited_entry *next[2]; /* older entry in the same bucket */
    uint32_t id;                   /* running number */
    uint32_t graph_id;             /* the explorer's */
    uint32_t bytes;
    bool strong;                     /* in the index of the strong method, too */
    bool on_stack, safe, unfinished; /* the explorer's; not looked at here (except on_stack for eviction) */
} visited_entry;

typedef struct visited visited;

visited *visited_create(machine *m, match_kind kind, bool ignore_time, size_t most_bytes);
void visited_destroy(visited *v);

/* An entry that covers s, or NULL. With `auto` a cheap method looks everywhere and the solver at chosen
 * candidates: NULL may then be a miss. */
visited_entry *visited_find(visited *v, const state *s);

/* Polled between candidates; once it is true no more of them are compared (nothing is covered then). */
void visited_set_interrupted(visited *v, bool (*interrupted)(void *data), void *data);

/* Adds s (one more reference), on the stack. May evict. */
visited_entry *visited_add(visited *v, state *s);

size_t visited_size(const visited *v);
uint64_t visited_evicted(const visited *v);
uint64_t visited_attempts(const visited *v); /* candidates compared */
uint64_t visited_matched(const visited *v);
uint64_t visited_approximated(const visited *v); /* of these, perhaps not covered in truth */

#endif
