#include "explore/happens.h"

#include "base/invariant.h"
#include "explore/explore.h"

/* Clocks count accesses, so that what stands before and behind one within a step is told apart. */
typedef VEC(uint32_t) vector; /* per thread: how many of its accesses happened before */

typedef struct thread_clocks {
    vector now;
    vector fenced; /* what had happened at the last fence that released */
    vector read;   /* what came with values that were read without acquiring */
} thread_clocks;

typedef struct location { /* bytes that a value was written to as a whole, with what it hands on */
    uint32_t name, low, high;
    vector handed;
} location;

typedef struct happened { /* an access that others may race with */
    access what;
    uint32_t thread, time, step;
    bool early;
} happened;

struct happens {
    VEC(thread_clocks) threads;
    size_t thread_count; /* the others are left over */
    VEC(location) locations;
    size_t location_count;
    VEC(happened) accesses;
    uint32_t length;
};

happens *happens_create(void) {
    return mem_zero(1, sizeof(happens));
}

void happens_destroy(happens *h) {
    if (!h) return;
    for (size_t i = 0; i < h->threads.size; i++) {
        vec_free(&h->threads.data[i].now);
        vec_free(&h->threads.data[i].fenced);
        vec_free(&h->threads.data[i].read);
    }
    for (size_t i = 0; i < h->locations.size; i++) vec_free(&h->locations.data[i].handed);
    vec_free(&h->threads);
    vec_free(&h->locations);
    vec_free(&h->accesses);
    mem_free(h);
}

void happens_restart(happens *h) {
    h->thread_count = h->location_count = 0;
    vec_clear(&h->accesses);
    h->length = 0;
}

uint32_t happens_length(const happens *h) {
    return h->length;
}

/* --- vectors -------------------------------------------------------------------------------------------- */

static void join(vector *to, const vector *from) {
    while (to->size < from->size) vec_push(to, 0);
    for (size_t t = 0; t < from->size; t++)
        if (to->data[t] < from->data[t]) to->data[t] = from->data[t];
}

static void copy(vector *to, const vector *from) {
    to->size = 0;
    join(to, from);
}

static uint32_t entry(const vector *v, uint32_t thread) {
    return thread < v->size ? v->data[thread] : 0;
}

static thread_clocks *clocks_of(happens *h, uint32_t thread) {
    for (; h->thread_count <= thread; h->thread_count++) {
        if (h->thread_count == h->threads.size) vec_push(&h->threads, ((thread_clocks){0}));
        thread_clocks *fresh = &h->threads.data[h->thread_count];
        fresh->now.size = fresh->fenced.size = fresh->read.size = 0;
    }
    assert(thread < h->thread_count && h->thread_count <= h->threads.size);
    return &h->threads.data[thread];
}

static uint32_t tick(thread_clocks *t, uint32_t thread) {
    while (t->now.size <= thread) vec_push(&t->now, 0);
    assert(t->now.data[thread] < UINT32_MAX);
    return ++t->now.data[thread];
}

/* --- locations ------------------------------------------------------------------------------------------ */

static bool overlaps(const location *l, const access *a) {
    return l->name == a->name && l->low < a->high && a->low < l->high;
}

static location *find_location(happens *h, const access *a) {
    for (size_t i = 0; i < h->location_count; i++) {
        location *l = &h->locations.data[i];
        if (l->name == a->name && l->low == a->low && l->high == a->high) return l;
    }
    if (h->location_count == h->locations.size) vec_push(&h->locations, ((location){0}));
    location *l = &h->locations.data[h->location_count++];
    assert(h->location_count <= h->locations.size && a->low < a->high);
    l->name = a->name;
    l->low = a->low;
    l->high = a->high;
    l->handed.size = 0;
    return l;
}

/* What came with the bytes that are read; of several writes all of it. */
static void take_handed(const happens *h, const access *a, vector *to) {
    for (size_t i = 0; i < h->location_count; i++)
        if (overlaps(&h->locations.data[i], a)) join(to, &h->locations.data[i].handed);
}

/* Values that this one replaces hand nothing on any more; of those that it replaces in part the rest does. */
static void replace_values(happens *h, const access *a) {
    for (size_t i = 0; i < h->location_count; i++) {
        location *l = &h->locations.data[i];
        if (l->name == a->name && a->low <= l->low && l->high <= a->high) l->handed.size = 0;
    }
}

static void hand_on(happens *h, const access *a, const thread_clocks *t) {
    if (!(a->sync & SYNC_MODIFIES)) replace_values(h, a);
    bool fenced = a->sync & SYNC_ATOMIC && t->fenced.size;
    if (a->sync & SYNC_RELEASES || fenced)
        join(&find_location(h, a)->handed, a->sync & SYNC_RELEASES ? &t->now : &t->fenced);
}

static void take(happens *h, const access *a, thread_clocks *t) {
    if (a->sync & SYNC_ACQUIRES)
        take_handed(h, a, &t->now);
    else if (a->sync & SYNC_ATOMIC)
        take_handed(h, a, &t->read);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

static void find_races(const happens *h, uint32_t thread, const thread_clocks *t, const access *a,
                       happens_races *races) {
    for (size_t i = h->accesses.size; i-- > 0;) {
        const happened *earlier = &h->accesses.data[i];
        if (earlier->what.name != a->name || earlier->thread == thread) continue;
        if (entry(&t->now, earlier->thread) >= earlier->time || !access_race(&earlier->what, a)) continue;
        assert(earlier->step <= h->length);
        vec_push(races, ((happens_race){earlier->step, earlier->thread, earlier->early, earlier->what, *a}));
    }
}

static void add_cell(happens *h, uint32_t thread, const access *a, happens_races *races) {
    thread_clocks *t = clocks_of(h, thread);
    if (a->name == ACCESS_ANY) return;
    uint32_t time = tick(t, thread);
    bool reads = a->kind != ACCESS_WRITE || a->sync & SYNC_MODIFIES;
    if (reads) take(h, a, t); /* what it takes happened before itself, too */
    if (races) find_races(h, thread, t, a, races);
    assert(entry(&t->now, thread) == time); /* nobody else knows of what it does before it hands it on */
    vec_push(&h->accesses, ((happened){*a, thread, time, h->length, false}));
    if (a->kind != ACCESS_READ) hand_on(h, a, t);
}

/* Nobody else has done anything to it yet. */
static void add_early(happens *h, uint32_t thread, access a) {
    a.kind = a.kind == ACCESS_EARLY_READ ? ACCESS_READ : ACCESS_WRITE;
    add_cell(h, thread, &a, NULL);
    vec_last(&h->accesses).early = true;
}

static void add_fence(thread_clocks *t, const access *a) {
    if (a->sync & SYNC_ACQUIRES) join(&t->now, &t->read);
    if (a->sync & SYNC_RELEASES) copy(&t->fenced, &t->now);
}

static void add_birth(happens *h, uint32_t creator, uint32_t born) {
    uint32_t last = creator > born ? creator : born;
    clocks_of(h, last);
    thread_clocks *t = &h->threads.data[creator];
    tick(t, creator);
    copy(&h->threads.data[born].now, &t->now);
}

void happens_add(happens *h, uint32_t thread, const access *touched, size_t count, happens_races *races) {
    for (size_t i = 0; i < count; i++) {
        const access *a = &touched[i];
        switch (a->kind) {
        case ACCESS_READ:
        case ACCESS_WRITE:
        case ACCESS_UPDATE: add_cell(h, thread, a, races); break;
        case ACCESS_EARLY_READ:
        case ACCESS_EARLY_WRITE: add_early(h, thread, *a); break;
        case ACCESS_FENCE: add_fence(clocks_of(h, thread), a); break;
        case ACCESS_CREATE: add_birth(h, thread, a->name); break;
        case ACCESS_JOIN:
            clocks_of(h, a->name > thread ? a->name : thread);
            join(&h->threads.data[thread].now, &h->threads.data[a->name].now);
            break;
        default: break;
        }
    }
    h->length++;
}
