#include "matching/visited.h"

#include "base/hash.h"
#include "base/invariant.h"
#include "machine/hangs.h"
#include "machine/state_check.h"
#include "matching/compact.h"
#include "matching/footprint.h"

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

typedef struct full_entry {
    visited_entry mark;
    state *s;
    uint64_t hash[2];           /* of the two indices: cheap method, strong method */
    struct full_entry *next[2]; /* older entry in the same bucket */
    uint32_t bytes;
    bool strong; /* in the index of the strong method, too */
} full_entry;

typedef struct compact_link { /* compact: an entry in the index of the strong method */
    uint32_t index, older;    /* `older` is 1 + that of the next link in the same bucket; 0: none */
} compact_link;

typedef struct bucket { /* states with equal hash of the strong method */
    full_entry *newest;
    uint32_t newest_link; /* compact: 1 + its number */
    uint64_t size, tried, matched;
} bucket;

struct visited {
    machine *machine;
    matcher *matcher[2];       /* [0] cheap: only with `auto`; [1] the method asked for */
    map index[2];              /* hash -> bucket */
    VEC(full_entry *) entries; /* by age; NULL: evicted */
    size_t oldest, live, bytes, most_bytes;
    uint64_t evicted;
    compact *compact;        /* NULL: states are kept in full */
    VEC(compact_link) links; /* compact, with a method of the solver */
    bool by_signature;       /* compact: the cheap method, or the only one, is by hash */
    bool believe;            /* ... and a signature is enough */
    uint64_t believed;
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

bool match_is_by_hash(match_kind kind) {
    return kind == MATCH_CEQ || kind == MATCH_PESM || kind == MATCH_ESM || kind == MATCH_ESM_HASH ||
           kind == MATCH_APPROXIMATE;
}

/* A signature that is believed must tell apart all that the method does, and where it is not a comparison is
 * dear because the other state has to be put together. `esm` hashes less than it compares. */
visited *visited_create_compact(machine *m, match_kind kind, bool ignore_time, bool believe_signatures) {
    if (kind == MATCH_ESM) kind = MATCH_ESM_HASH;
    visited *v = visited_create(m, kind, ignore_time, 0);
    v->compact = compact_create(m);
    v->by_signature = kind == MATCH_AUTO || match_is_by_hash(kind);
    v->believe = believe_signatures && v->by_signature;
    return v;
}

void visited_destroy(visited *v) {
    if (!v) return;
    compact_destroy(v->compact);
    vec_free(&v->links);
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

/* --- finding -------------------------------------------------------------------------------------------- */

static visited_entry *find_cheaply(visited *v, const state *s) {
    const bucket *b = bucket_of(v, 0, matcher_hash(v->matcher[0], s));
    for (full_entry *e = b ? b->newest : NULL; e; e = e->next[0])
        if (covers(v, 0, s, e->s)) return &e->mark;
    return NULL;
}

static int method_of_signature(const visited *v) {
    return v->matcher[0] ? 0 : 1;
}

/* What comparison looks at besides the method must be in a signature that is believed. */
static uint64_t signature_of(visited *v, const state *s) {
    uint64_t h = matcher_hash(v->matcher[method_of_signature(v)], s);
    if (!v->believe) return h;
    if (machine_checks_leaks(v->machine)) h = hash_pair(h, heap_objects(s));
    for (uint32_t t = 0; t < s->thread_count; t++)
        if (s->threads[t]->spin && machine_sleeps(v->machine, s, t)) h = hash_pair(h, t);
    return h;
}

/* Whether somebody sleeps in the restored state who does not in s: see sleeps_more. */
static bool restored_sleeps_more(const visited *v, const cursor *restored, const state *s) {
    for (uint32_t t = 0; t < restored->view.thread_count; t++)
        if (cursor_asleep(restored, t) && (t >= s->thread_count || !machine_sleeps(v->machine, s, t)))
            return true;
    return false;
}

static bool restored_covers(visited *v, int method, const state *s, uint32_t index) {
    const cursor *restored = compact_view(v->compact, index);
    return !restored_sleeps_more(v, restored, s) && covers(v, method, s, &restored->view);
}

static visited_entry *find_by_signature(visited *v, const state *s) {
    compact_probe probe = compact_look(v->compact, signature_of(v, s));
    for (uint32_t i; (i = compact_next(v->compact, &probe)) != NO_INDEX;) {
        v->believed += v->believe;
        if (v->believe || restored_covers(v, method_of_signature(v), s, i))
            return compact_entry(v->compact, i);
    }
    return NULL;
}

typedef struct candidate { /* in a bucket of the strong method; one of both, or none */
    full_entry *full;
    uint32_t link;
} candidate;

static candidate next_candidate(const visited *v, candidate c) {
    if (c.full) return (candidate){.full = c.full->next[1]};
    assert(c.link && c.link <= v->links.size);
    assert(v->links.data[c.link - 1].older < c.link); /* from the newest to the oldest */
    return (candidate){.link = v->links.data[c.link - 1].older};
}

static visited_entry *cover_by(visited *v, const state *s, candidate c) {
    if (c.full) return covers(v, 1, s, c.full->s) ? &c.full->mark : NULL;
    uint32_t index = v->links.data[c.link - 1].index;
    return restored_covers(v, 1, s, index) ? compact_entry(v->compact, index) : NULL;
}

visited_entry *visited_find(visited *v, const state *s) {
    visited_entry *found = NULL;
    if (v->by_signature)
        found = find_by_signature(v, s);
    else if (v->matcher[0])
        found = find_cheaply(v, s);
    bucket *b = found ? NULL : bucket_of(v, 1, matcher_hash(v->matcher[1], s));
    if (!b) return found;
    const match_statistics *stats = matcher_stats(v->matcher[1]);
    uint64_t before = stats->solver_attempts, most = v->matcher[0] ? solver_candidates(b) : UINT64_MAX;
    uint64_t left = v->matcher[0] && !has_doubled(b) ? CANDIDATES_SEEN : UINT64_MAX;
    for (candidate c = {b->newest, b->newest_link};
         (c.full || c.link) && left && stats->solver_attempts - before < most;
         c = next_candidate(v, c), left--) {
        found = cover_by(v, s, c);
        if (found || (stats->solver_attempts != before && is_interrupted(v))) break;
    }
    assert(stats->solver_attempts >= before);
    b->tried += stats->solver_attempts - before;
    b->matched += found != NULL;
    return found;
}

/* --- adding and forgetting ------------------------------------------------------------------------------ */

static uint32_t state_bytes(const state *s) {
    size_t bytes = sizeof *s + s->thread_count * sizeof *s->threads + s->static_count * sizeof *s->objects;
    for (uint32_t t = 0; t < s->thread_count; t++)
        if (s->threads[t]->head.refs <= 2)
            bytes += sizeof(thread_part) + s->threads[t]->value_count * sizeof(value) +
                     s->threads[t]->frame_count * sizeof(frame);
    for (uint32_t i = 0; i < s->static_count; i++)
        if (s->objects[i]->head.refs <= 2)
            bytes += sizeof(memory_object) + s->objects[i]->cells * sizeof(value);
    return (uint32_t)(bytes + sizeof(full_entry) + sizeof(scheduler_part));
}

static void unlink_entry(visited *v, int index, full_entry *gone) {
    bucket *b = bucket_of(v, index, gone->hash[index]);
    assert(b && b->size);
    full_entry **link = &b->newest;
    while (*link != gone) {
        assert(*link); /* it is in the bucket of its hash */
        link = &(*link)->next[index];
    }
    *link = gone->next[index];
    b->size--;
}

static void evict(visited *v, size_t i) {
    full_entry *gone = v->entries.data[i];
    for (int k = 0; k < 2; k++)
        if (v->matcher[k] && (k == 0 || gone->strong)) unlink_entry(v, k, gone);
    assert(v->bytes >= gone->bytes && v->live && !gone->mark.on_stack);
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
        if (v->entries.data[i] && !v->entries.data[i]->mark.on_stack) evict(v, i);
}

/* A state without unknowns covers only its equals, which the cheap method finds. */
static bool is_for_the_strong_method(const visited *v, const state *s) {
    return !v->matcher[0] || !state_is_concrete(s);
}

static visited_entry *add_in_full(visited *v, state *s) {
    if (v->most_bytes && v->bytes > v->most_bytes) make_room(v);
    full_entry *e = mem_zero(1, sizeof *e);
    slow_assert(state_is_sound(v->machine, s));
    e->s = state_share(s);
    e->mark.id = (uint32_t)v->entries.size;
    e->bytes = state_bytes(s);
    e->strong = is_for_the_strong_method(v, s);
    for (int k = 0; k < 2; k++) {
        if (!v->matcher[k] || (k == 1 && !e->strong)) continue;
        e->hash[k] = matcher_hash(v->matcher[k], s);
        bucket *b = make_bucket(v, k, e->hash[k]);
        e->next[k] = b->newest;
        b->newest = e;
        b->size++;
    }
    vec_push(&v->entries, e);
    v->bytes += e->bytes;
    return &e->mark;
}

static visited_entry *add_compactly(visited *v, state *s, const visited_entry *predecessor) {
    uint32_t index = compact_add(v->compact, s, signature_of(v, s), predecessor ? predecessor->id : NO_INDEX);
    bool solver_only = !v->by_signature;
    if (solver_only || (v->matcher[0] && is_for_the_strong_method(v, s))) {
        bucket *b = make_bucket(v, 1, matcher_hash(v->matcher[1], s));
        vec_push(&v->links, ((compact_link){index, b->newest_link}));
        b->newest_link = (uint32_t)v->links.size;
        b->size++;
    }
    return compact_entry(v->compact, index);
}

visited_entry *visited_add_after(visited *v, state *s, const visited_entry *predecessor) {
    visited_entry *e = v->compact ? add_compactly(v, s, predecessor) : add_in_full(v, s);
    assert(!e->on_stack);
    e->on_stack = true;
    v->live++;
    return e;
}

visited_entry *visited_add(visited *v, state *s) {
    return visited_add_after(v, s, NULL);
}

state *visited_restore(visited *v, const visited_entry *e) {
    if (!v->compact) return state_share(((const full_entry *)(const void *)e)->s);
    return cursor_state(compact_view(v->compact, e->id));
}

bool visited_is_compact(const visited *v) {
    return v->compact;
}

/* --- statistics ----------------------------------------------------------------------------------------- */

static size_t index_bytes(const visited *v) {
    size_t bytes =
        sizeof *v + v->entries.capacity * sizeof *v->entries.data + v->links.capacity * sizeof *v->links.data;
    for (int k = 0; k < 2; k++)
        bytes += v->index[k].capacity * sizeof *v->index[k].slots + v->index[k].size * sizeof(bucket);
    return bytes;
}

/* Objects whose memory is summed up; of more, every so many states count. */
enum { MOST_LOOKED_AT = 1 << 24 };

static size_t objects_of_all(const visited *v) {
    size_t objects = 0;
    for (size_t i = 0; i < v->entries.size; i++)
        if (v->entries.data[i])
            objects += v->entries.data[i]->s->static_count + v->entries.data[i]->s->dynamic_count;
    return objects;
}

size_t visited_bytes(const visited *v) {
    size_t bytes = index_bytes(v);
    if (v->compact) return bytes + compact_bytes(v->compact);
    size_t stride = 1 + objects_of_all(v) / MOST_LOOKED_AT, looked_at = 0;
    double states = 0;
    for (size_t i = 0; i < v->entries.size; i += stride) {
        if (!v->entries.data[i]) continue;
        states += (double)sizeof(full_entry) + state_share_of_memory(v->entries.data[i]->s);
        looked_at++;
    }
    return bytes + (size_t)(looked_at ? states / (double)looked_at * (double)v->live : 0);
}

size_t visited_size(const visited *v) {
    return v->live;
}
uint64_t visited_evicted(const visited *v) {
    return v->evicted;
}

uint64_t visited_believed(const visited *v) {
    return v->believed;
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
