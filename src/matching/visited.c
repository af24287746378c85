#include "matching/visited.h"

/* How many candidates of a bucket `auto` leaves to the solver for one state, newest first: a state that is
 * covered at all is mostly covered by a recent one. Where the solver has rarely helped few are tried; but
 * whenever the bucket has doubled all of them are, so that a cycle that only the solver can close is found in
 * the end. */
enum {
    CANDIDATES_WHEN_FRUITFUL = 32,
    CANDIDATES_WHEN_NOT = 4,
    FRUITFUL = 48,        /* one match in so many tries */
    CANDIDATES_SEEN = 256 /* compared at all: most fail before the solver is asked */
};

typedef struct bucket { /* states with equal hash of the strong method */
    visited_entry *newest;
    uint64_t size, tried, matched;
} bucket;

struct visited {
    machine *machine;
    matcher *matcher[2];          /* [0] cheap: only with `auto`; [1] the method asked for */
    map index[2];                 /* hash -> bucket */
    VEC(visited_entry *) entries; /* by age; NULL: evicted */
    size_t oldest, live, bytes, most_bytes;
    uint64_t evicted;
    bool (*interrupted)(void *data);
    void *interrupted_data;
};

visited *visited_create(machine *m, match_kind kind, bool ignore_time, size_t most_bytes) {
    visited *v = mem_zero(1, sizeof *v);
    v->machine = m;
    v->most_bytes = most_bytes;
    v->matcher[1] = matcher_create(m, &(match_options){.kind = kind, .ignore_time = ignore_time});
    if (kind == MATCH_AUTO)
        v->matcher[0] =
            matcher_create(m, &(match_options){.kind = MATCH_ESM_HASH, .ignore_time = ignore_time});
    return v;
}

void visited_destroy(visited *v) {
    if (!v) return;
    for (size_t i = 0; i < v->entries.size; i++)
        if (v->entries.data[i]) {
            state_release(v->machine, v->entries.data[i]->s);
            mem_free(v->entries.data[i]);
        }
    vec_free(&v->entries);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < v->index[k].capacity; i++)
            if (v->index[k].slots[i].value != MAP_NONE)
                mem_free((bucket *)(uintptr_t)v->index[k].slots[i].value);
        map_free(&v->index[k]);
        matcher_destroy(v->matcher[k]);
    }
    mem_free(v);
}

void visited_set_interrupted(visited *v, bool (*interrupted)(void *data), void *data) {
    v->interrupted = interrupted;
    v->interrupted_data = data;
}

static bool is_interrupted(const visited *v) {
    return v->interrupted && v->interrupted(v->interrupted_data);
}

static bucket *bucket_of(const visited *v, int index, uint64_t hash) {
    uint64_t found = map_get(&v->index[index], hash);
    return found == MAP_NONE ? NULL : (bucket *)(uintptr_t)found;
}

static bucket *make_bucket(visited *v, int index, uint64_t hash) {
    bucket *b = bucket_of(v, index, hash);
    if (b) return b;
    b = mem_zero(1, sizeof *b);
    map_put(&v->index[index], hash, (uint64_t)(uintptr_t)b);
    return b;
}

static bool has_doubled(const bucket *b) {
    return (b->size & (b->size - 1)) == 0;
}

static uint64_t solver_candidates(const bucket *b) {
    if (has_doubled(b)) return UINT64_MAX;
    return b->matched * FRUITFUL >= b->tried ? CANDIDATES_WHEN_FRUITFUL : CANDIDATES_WHEN_NOT;
}

static uint32_t heap_objects(const state *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        count += s->dynamic[i].object->heap && !s->dynamic[i].object->freed;
    return count;
}

/* A thread that sleeps in a loop has been round already, but perhaps before the others came to where they are
 * now. Matching does not look at that. */
static bool sleeps_more(const visited *v, const state *s, const state *than) {
    for (uint32_t t = 0; t < s->thread_count; t++)
        if (s->threads[t]->spin && machine_sleeps(v->machine, s, t) &&
            (t >= than->thread_count || !machine_sleeps(v->machine, than, t)))
            return true;
    return false;
}

/* Matching looks at what can be reached. Where leaks are violations, what cannot be reached matters too. */
static bool covers(const visited *v, int method, const state *s, const state *by) {
    if (sleeps_more(v, by, s)) return false;
    if (machine_checks_leaks(v->machine) && heap_objects(s) != heap_objects(by)) return false;
    return matcher_covers(v->matcher[method], s, by);
}

static visited_entry *find_cheaply(visited *v, const state *s) {
    const bucket *b = bucket_of(v, 0, matcher_hash(v->matcher[0], s));
    for (visited_entry *e = b ? b->newest : NULL; e; e = e->next[0])
        if (covers(v, 0, s, e->s)) return e;
    return NULL;
}

visited_entry *visited_find(visited *v, const state *s) {
    visited_entry *found = v->matcher[0] ? find_cheaply(v, s) : NULL;
    bucket *b = found ? NULL : bucket_of(v, 1, matcher_hash(v->matcher[1], s));
    if (!b) return found;
    const match_statistics *stats = matcher_stats(v->matcher[1]);
    uint64_t before = stats->solver_attempts, most = v->matcher[0] ? solver_candidates(b) : UINT64_MAX;
    uint64_t left = v->matcher[0] && !has_doubled(b) ? CANDIDATES_SEEN : UINT64_MAX;
    for (visited_entry *e = b->newest; e && !found && left && stats->solver_attempts - before < most;
         e = e->next[1], left--)
        if (covers(v, 1, s, e->s))
            found = e;
        else if (stats->solver_attempts != before && is_interrupted(v))
            break;
    b->tried += stats->solver_attempts - before;
    b->matched += found != NULL;
    return found;
}

static uint32_t state_bytes(const state *s) {
    size_t bytes = sizeof *s + s->thread_count * sizeof *s->threads + s->static_count * sizeof *s->objects;
    for (uint32_t t = 0; t < s->thread_count; t++)
        if (s->threads[t]->head.refs <= 2)
            bytes += sizeof(thread_part) + s->threads[t]->value_count * sizeof(value) +
                     s->threads[t]->frame_count * sizeof(frame);
    for (uint32_t i = 0; i < s->static_count; i++)
        if (s->objects[i]->head.refs <= 2)
            bytes += sizeof(memory_object) + s->objects[i]->cells * sizeof(value);
    return (uint32_t)(bytes + sizeof(visited_entry) + sizeof(scheduler_part));
}

static void unlink_entry(visited *v, int index, visited_entry *gone) {
    bucket *b = bucket_of(v, index, gone->hash[index]);
    visited_entry **link = &b->newest;
    while (*link != gone) link = &(*link)->next[index];
    *link = gone->next[index];
    b->size--;
}

static void evict(visited *v, size_t i) {
    visited_entry *gone = v->entries.data[i];
    for (int k = 0; k < 2; k++)
        if (v->matcher[k] && (k == 0 || gone->strong)) unlink_entry(v, k, gone);
    v->bytes -= gone->bytes;
    v->live--;
    v->evicted++;
    state_release(v->machine, gone->s);
    mem_free(gone);
    v->entries.data[i] = NULL;
}

static void make_room(visited *v) {
    while (v->oldest < v->entries.size && !v->entries.data[v->oldest]) v->oldest++;
    for (size_t i = v->oldest; i < v->entries.size && v->bytes > v->most_bytes; i++)
        if (v->entries.data[i] && !v->entries.data[i]->on_stack) evict(v, i);
}

visited_entry *visited_add(visited *v, state *s) {
    if (v->most_bytes && v->bytes > v->most_bytes) make_room(v);
    visited_entry *e = mem_zero(1, sizeof *e);
    e->s = state_share(s);
    e->id = (uint32_t)v->entries.size;
    e->on_stack = true;
    e->bytes = state_bytes(s);
    /* A state without unknowns covers only its equals, which the cheap method finds. */
    e->strong = !v->matcher[0] || !state_is_concrete(s);
    for (int k = 0; k < 2; k++) {
        if (!v->matcher[k] || (k == 1 && !e->strong)) continue;
        e->hash[k] = matcher_hash(v->matcher[k], s);
        bucket *b = make_bucket(v, k, e->hash[k]);
        e->next[k] = b->newest;
        b->newest = e;
        b->size++;
    }
    vec_push(&v->entries, e);
    v->live++;
    v->bytes += e->bytes;
    return e;
}

size_t visited_size(const visited *v) {
    return v->live;
}
uint64_t visited_evicted(const visited *v) {
    return v->evicted;
}

uint64_t visited_attempts(const visited *v) {
    return matcher_stats(v->matcher[1])->attempts +
           (v->matcher[0] ? matcher_stats(v->matcher[0])->attempts : 0);
}

uint64_t visited_matched(const visited *v) {
    return matcher_stats(v->matcher[1])->matched +
           (v->matcher[0] ? matcher_stats(v->matcher[0])->matched : 0);
}

uint64_t visited_approximated(const visited *v) {
    return matcher_stats(v->matcher[1])->by_approximation;
}
