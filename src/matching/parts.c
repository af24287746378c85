#include "matching/parts.h"

#include "base/hash.h"
#include "base/invariant.h"
#include "machine/relations.h"

typedef enum { KIND_THREAD, KIND_OBJECT, KIND_SCHEDULER, KIND_PATH } part_kind;

typedef struct kept {
    void *part;
    uint32_t hash; /* upper half: most comparisons end here */
    uint32_t kind;
} kept;

struct parts {
    VEC(kept) list;  /* [0] is nobody */
    uint32_t *slots; /* open addressing; 0: empty */
    size_t capacity; /* a power of two */
    size_t contents; /* bytes of all parts */
};

enum { FIRST_CAPACITY = 64 };

parts *parts_create(void) {
    parts *p = mem_zero(1, sizeof *p);
    p->capacity = FIRST_CAPACITY;
    p->slots = mem_zero(p->capacity, sizeof *p->slots);
    vec_push(&p->list, ((kept){0}));
    return p;
}

static void release(const kept *k) {
    switch ((part_kind)k->kind) {
    case KIND_THREAD: thread_release(k->part); break;
    case KIND_OBJECT: object_release(k->part); break;
    case KIND_SCHEDULER: scheduler_release(k->part); break;
    case KIND_PATH: path_release(k->part); break;
    }
}

void parts_destroy(parts *p) {
    if (!p) return;
    for (size_t i = 1; i < p->list.size; i++) release(&p->list.data[i]);
    vec_free(&p->list);
    mem_free(p->slots);
    mem_free(p);
}

void *parts_get(const parts *p, uint32_t number) {
    assert(number < p->list.size && (number ? p->list.data[number].part != NULL : !p->list.data[0].part));
    return p->list.data[number].part;
}

size_t parts_count(const parts *p) {
    return p->list.size - 1;
}

size_t parts_bytes(const parts *p) {
    return sizeof *p + p->list.capacity * sizeof *p->list.data + p->capacity * sizeof *p->slots + p->contents;
}

/* --- contents ------------------------------------------------------------------------------------------- */

static uint64_t thread_contents(const thread_part *t) {
    return hash_mix(whole_thread_mix(0, t, RELATION_STORED));
}

static bool same_threads(const void *kept_one, const void *asked) {
    return whole_threads_agree(kept_one, asked, RELATION_STORED);
}

static uint64_t object_contents(const memory_object *o) {
    return hash_mix(whole_object_mix(0, o, RELATION_STORED));
}

static bool same_objects(const void *kept_one, const void *asked) {
    return whole_objects_agree(kept_one, asked, RELATION_STORED);
}

static uint64_t scheduler_contents(const scheduler_part *s) {
    return hash_mix(scheduler_mix(0, s, RELATION_STORED));
}

static bool same_schedulers(const void *kept_one, const void *asked) {
    return schedulers_agree(kept_one, asked, RELATION_STORED);
}

typedef struct conjuncts { /* the first of a path */
    const term *const *list;
    uint32_t count;
} conjuncts;

static bool same_paths(const void *kept_one, const void *asked) {
    const path_part *a = kept_one;
    const conjuncts *b = asked;
    return a->used == b->count && !memcmp(a->conjunct, b->list, b->count * sizeof *b->list);
}

/* --- the table ------------------------------------------------------------------------------------------ */

static void grow(parts *p) {
    mem_free(p->slots);
    p->capacity *= 2;
    p->slots = mem_zero(p->capacity, sizeof *p->slots);
    for (uint32_t i = 1; i < p->list.size; i++) {
        size_t at = p->list.data[i].hash & (p->capacity - 1);
        while (p->slots[at]) at = (at + 1) & (p->capacity - 1);
        p->slots[at] = i;
    }
}

/* Its number; 0: it is not there, and *at is where it would go. */
static uint32_t find(const parts *p, part_kind kind, uint32_t hash, const void *asked,
                     bool (*same)(const void *kept_one, const void *asked), size_t *at) {
    for (*at = hash & (p->capacity - 1);; *at = (*at + 1) & (p->capacity - 1)) {
        uint32_t number = p->slots[*at];
        const kept *k = &p->list.data[number];
        if (!number || (k->hash == hash && k->kind == kind && same(k->part, asked))) return number;
    }
}

static uint32_t insert(parts *p, part_kind kind, uint32_t hash, size_t at, void *part, size_t bytes) {
    assert(!p->slots[at] && part);
    uint32_t number = (uint32_t)p->list.size;
    p->slots[at] = number;
    vec_push(&p->list, ((kept){part, hash, kind}));
    p->contents += bytes;
    if (4 * p->list.size > 3 * p->capacity) grow(p);
    assert(4 * p->list.size <= 3 * p->capacity); /* else a look for what is not there has no end */
    return number;
}

static bool is_here(const parts *p, uint32_t number, const void *part) {
    return number < p->list.size && p->list.data[number].part == part;
}

/* The higher bits: the lower ones of a product are the poorer ones. */
static uint32_t short_hash(uint64_t contents) {
    return (uint32_t)(contents >> 32);
}

uint32_t parts_of_thread(parts *p, thread_part *t) {
    if (is_here(p, t->head.number, t)) return t->head.number;
    size_t at;
    uint32_t hash = short_hash(thread_contents(t)), number = find(p, KIND_THREAD, hash, t, same_threads, &at);
    if (number) return number;
    thread_part *own = thread_copy_awake(t); /* a copy has no room to grow */
    assert(!own->spin && own->head.refs == 1);
    slow_assert(same_threads(own, t) && short_hash(thread_contents(own)) == hash);
    return own->head.number = insert(p, KIND_THREAD, hash, at, own, thread_footprint(own));
}

uint32_t parts_of_object(parts *p, memory_object *o) {
    if (is_here(p, o->head.number, o)) return o->head.number;
    size_t at;
    uint32_t hash = short_hash(object_contents(o)), number = find(p, KIND_OBJECT, hash, o, same_objects, &at);
    if (number) return number;
    o->head.refs++;
    return o->head.number = insert(p, KIND_OBJECT, hash, at, o, object_footprint(o));
}

uint32_t parts_of_scheduler(parts *p, scheduler_part *s) {
    if (is_here(p, s->head.number, s)) return s->head.number;
    size_t at;
    uint32_t hash = short_hash(scheduler_contents(s));
    uint32_t number = find(p, KIND_SCHEDULER, hash, s, same_schedulers, &at);
    if (number) return number;
    s->head.refs++;
    return s->head.number = insert(p, KIND_SCHEDULER, hash, at, s, scheduler_footprint(s));
}

uint32_t parts_of_path(parts *p, path_part *path, uint32_t count) {
    if (!count) return 0;
    assert(path && count <= path->used);
    if (is_here(p, path->number, path) && path->used == count) return path->number;
    conjuncts asked = {(const term *const *)path->conjunct, count};
    uint64_t contents = count;
    for (uint32_t i = 0; i < count; i++) contents = hash_pair(contents, asked.list[i]->hash);
    size_t at;
    uint32_t hash = short_hash(contents), number = find(p, KIND_PATH, hash, &asked, same_paths, &at);
    if (number) return number;
    path_part *own = path_copy(asked.list, count);
    assert(own->used == own->capacity); /* nobody can append to what is kept */
    return own->number = insert(p, KIND_PATH, hash, at, own, path_footprint(own));
}
