#include "machine/state.h"

#include "base/invariant.h"

#include <string.h>

/* --- parts: creation, sharing, copying ------------------------------------------------------------------ */

static memory_object *object_block(uint32_t capacity, bool ragged) {
    size_t each = sizeof(value) + (ragged ? sizeof(uint32_t) : 0);
    return mem_alloc(sizeof(memory_object) + capacity * each);
}

static memory_object *object_new(const layout *shape, uint32_t count, uint32_t cells, bool ragged) {
    memory_object *o = object_block(cells, ragged);
    memset(o, 0, sizeof *o);
    o->head.refs = 1;
    o->shape = shape;
    o->count = count;
    o->cells = o->capacity = cells;
    o->ragged = ragged;
    o->source_name = NO_INDEX;
    return o;
}

static memory_object *blank_object_new(const layout *shape, uint32_t count) {
    memory_object *o = object_new(shape, count, count && shape->stride ? 1 : 0, true);
    if (o->cells) {
        o->cell[0] = (value){NULL, 0};
        object_starts(o)[0] = 0;
    }
    return o;
}

/* With room for more cells if asked for. */
static memory_object *object_copy(const memory_object *from, uint32_t capacity, bool ragged) {
    memory_object *o = object_block(capacity, ragged);
    *o = *from;
    o->head.refs = 1;
    o->capacity = capacity;
    o->ragged = ragged;
    uint32_t kept = from->cells < capacity ? from->cells : capacity;
    memcpy(o->cell, from->cell, kept * sizeof *o->cell);
    if (from->ragged && ragged) memcpy(object_starts(o), object_starts(from), kept * sizeof(uint32_t));
    return o;
}

void object_release(memory_object *o) {
    assert(!o || o->head.refs);
    if (o && !--o->head.refs) mem_free(o);
}

/* A copied part and its arrays are one block, because most copies die without growing. An array that grows
 * moves out of it. */
static bool is_inside(const void *part_block, size_t part_bytes, const void *array, size_t array_bytes) {
    const char *start = part_block, *p = array;
    return p >= start && p + array_bytes <= start + part_bytes;
}

static void *grow_array(const part *head, void *array, size_t bytes, size_t wanted) {
    assert(wanted >= bytes && head->refs == 1);
    if (array && !is_inside(head, head->block, array, bytes)) return mem_grow(array, wanted);
    void *grown = mem_alloc(wanted);
    if (bytes) memcpy(grown, array, bytes);
    return grown;
}

static void free_array(const part *head, void *array) {
    if (array && !is_inside(head, head->block, array, 0)) mem_free(array);
}

/* Puts a copy of an array behind what the block holds so far. */
static void *place_array(char **end, const void *array, size_t bytes) {
    void *copy = *end;
    if (bytes) memcpy(copy, array, bytes);
    *end += bytes;
    return bytes ? copy : NULL;
}
#define PLACE_ARRAY(to, from, end, name, count, capacity)                                                    \
    (to)->name = place_array(end, (from)->name, (from)->count * sizeof *(from)->name);                       \
    (to)->capacity = (to)->count;

/* A copy that nobody else refers to, with room behind it. */
static void *copy_head(const part *from, size_t bytes, size_t block) {
    part *copy = mem_alloc(block);
    memcpy(copy, from, bytes);
    copy->refs = 1;
    copy->block = (uint32_t)block;
    return copy;
}

#define FIELD(type, name, role)
#define VALUE(name, role)
#define TERM(name, role)
#define ARRAY(element, name, count, capacity, role) +from->count * sizeof *from->name
static size_t thread_block(const thread_part *from) {
    return sizeof *from
#include "machine/thread.def"
        ;
}

static size_t scheduler_block(const scheduler_part *from) {
    return sizeof *from
#include "machine/scheduler.def"
        ;
}
#undef ARRAY

#define ARRAY(element, name, count, capacity, role) PLACE_ARRAY(to, from, &end, name, count, capacity)
static thread_part *thread_copy(const thread_part *from) {
    thread_part *to = copy_head(&from->head, sizeof *from, thread_block(from));
    char *end = (char *)(to + 1);
#include "machine/thread.def"
    assert(end == (char *)to + to->head.block);
    if (to->spin) to->spin->refs++;
    return to;
}

static scheduler_part *scheduler_copy(const scheduler_part *from) {
    scheduler_part *to = copy_head(&from->head, sizeof *from, scheduler_block(from));
    char *end = (char *)(to + 1);
#include "machine/scheduler.def"
    assert(end == (char *)to + to->head.block);
    return to;
}
#undef FIELD
#undef VALUE
#undef TERM
#undef ARRAY

static void memory_release(state *objects) {
    assert(objects->refs && !objects->thread_count);
    if (!--objects->refs) state_free(objects);
}

/* Its spin watch may hold an older version of the thread, which may hold another. */
void thread_release(thread_part *t) {
    while (t && !--t->head.refs) {
        thread_part *older = NULL;
        if (t->spin && !--t->spin->refs) {
            older = t->spin->anchor;
            memory_release(t->spin->memory);
            mem_free(t->spin);
        }
#define FIELD(type, name, role)
#define VALUE(name, role)
#define ARRAY(element, name, count, capacity, role) free_array(&t->head, t->name);
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
        mem_free(t);
        t = older;
    }
}

void thread_set_spin(thread_part *t, spin_watch *w) {
    assert(t->head.refs == 1 && (!w || w->refs));
    spin_watch *old = t->spin;
    t->spin = w;
    if (!old || --old->refs) return;
    thread_release(old->anchor);
    memory_release(old->memory);
    mem_free(old);
}

void thread_add_watched(const thread_part *t, effect *out) {
    for (uint32_t k = 0; t->spin && t->spin->waiting && k < t->spin->count; k++) {
        const spin_read *cell = &t->spin->read[k];
        effect_add(out, (access){.kind = cell->changes ? ACCESS_WRITE : ACCESS_READ,
                                 .name = cell->object,
                                 .low = cell->offset,
                                 .high = cell->offset + (cell->width + 7) / 8});
    }
}

thread_part *thread_copy_awake(const thread_part *from) {
    thread_part *t = thread_copy(from);
    t->poise = POISE_NOT_LOOKED_AT;
    thread_set_spin(t, NULL);
    return t;
}

/* Only the branches for counts are taken. */
thread_counts counts_of(const thread_part *t) {
    thread_counts counts;
    uint32_t *next = counts.made;
#define FIELD(type, name, role)                                                                              \
    static_assert(!(ROLE_##role & RELATION_COUNTED) || sizeof t->name == sizeof *next, #name " is a count"); \
    if (ROLE_##role & RELATION_COUNTED) *next++ = (uint32_t)(uintptr_t)t->name;
#define VALUE(name, role)
#define ARRAY(element, name, count, capacity, role)
#include "machine/thread.def"
#undef FIELD
    return counts;
}

void thread_set_counts(thread_part *t, const thread_counts *counts) {
    assert(t->head.refs == 1);
    const uint32_t *next = counts->made;
#define FIELD(type, name, role)                                                                              \
    if (ROLE_##role & RELATION_COUNTED) t->name = (type)(uintptr_t)*next++;
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
}

void scheduler_release(scheduler_part *s) {
    assert(!s || s->head.refs);
    if (!s || --s->head.refs) return;
#define FIELD(type, name, role)
#define TERM(name, role)
#define ARRAY(element, name, count, capacity, role) free_array(&s->head, s->name);
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY
    mem_free(s);
}

void path_release(path_part *p) {
    assert(!p || p->refs);
    if (p && !--p->refs) mem_free(p);
}

/* --- how large they are --------------------------------------------------------------------------------- */

static size_t outside_array(const part *head, const void *array, size_t bytes) {
    return array && !is_inside(head, head->block, array, 0) ? bytes : 0;
}

size_t thread_footprint(const thread_part *t) {
    size_t bytes = t->head.block ? t->head.block : sizeof *t;
#define FIELD(type, name, role)
#define VALUE(name, role)
#define ARRAY(element, name, count, capacity, role)                                                          \
    bytes += outside_array(&t->head, t->name, t->capacity * sizeof *t->name);
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
    return bytes;
}

size_t object_footprint(const memory_object *o) {
    return sizeof *o + o->capacity * (sizeof(value) + (o->ragged ? sizeof(uint32_t) : 0));
}

size_t scheduler_footprint(const scheduler_part *s) {
    size_t bytes = s->head.block ? s->head.block : sizeof *s;
#define FIELD(type, name, role)
#define TERM(name, role)
#define ARRAY(element, name, count, capacity, role)                                                          \
    bytes += outside_array(&s->head, s->name, s->capacity * sizeof *s->name);
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY
    return bytes;
}

size_t path_footprint(const path_part *p) {
    return sizeof *p + p->capacity * sizeof *p->conjunct;
}

/* --- states --------------------------------------------------------------------------------------------- */

/* The pointer tables live in the same block as the state itself. */
static state *state_block(uint32_t threads, uint32_t objects) {
    state *s = mem_alloc(sizeof *s + threads * sizeof *s->threads + objects * sizeof *s->objects);
    s->threads = (thread_part **)(s + 1);
    s->objects = (memory_object **)(s->threads + threads);
    return s;
}

enum { LARGE_OBJECT = 1024 }; /* cells: beyond it a C object is made blank */

static memory_object *static_object_new(const program *p, const static_object *o) {
    if (o->image) {
        memory_object *made = object_new(o->shape, o->count, o->image_cells, o->image_is_ragged);
        made->heap = o->heap;
        for (uint32_t k = 0; k < o->image_cells && o->image_is_ragged; k++)
            object_starts(made)[k] = o->image[k].start;
        return made;
    }
    bool large = program_kernel(p)->memory_is_bytes && (uint64_t)o->count * o->shape->cells > LARGE_OBJECT;
    return large ? blank_object_new(o->shape, o->count)
                 : object_new(o->shape, o->count, o->count * o->shape->cells, false);
}

state *state_create(const program *p) {
    bool kernel_slot = program_kernel(p)->scheduler_moves;
    uint32_t threads = (uint32_t)p->threads.size + kernel_slot, objects = (uint32_t)p->objects.size;
    state *s = state_block(threads, objects);
    thread_part **thread_table = s->threads;
    memory_object **object_table = s->objects;
    *s = (state){.refs = 1, .thread_count = threads, .static_count = objects};
    s->threads = thread_table;
    s->objects = object_table;
    for (uint32_t t = 0; t < threads; t++) {
        s->threads[t] = mem_zero(1, sizeof(thread_part));
        s->threads[t]->head.refs = 1;
        s->threads[t]->status = THREAD_UNBORN;
    }
    for (uint32_t i = 0; i < objects; i++) {
        s->objects[i] = static_object_new(p, &p->objects.data[i]);
        s->objects[i]->source_name = i;
        s->objects[i]->described = p->objects.data[i].described;
    }
    s->scheduler = mem_zero(1, sizeof *s->scheduler);
    s->scheduler->head.refs = 1;
    s->scheduler->running = NO_INDEX;
    return s;
}

/* One more reference to a part, and one less, for every type that state.def has. */
static void share_scheduler_part(scheduler_part *s) {
    if (s) s->head.refs++;
}
static void share_thread_part(thread_part *t) {
    t->head.refs++;
}
static void share_memory_object(memory_object *o) {
    o->head.refs++;
}
static void share_dynamic_object(dynamic_object d) {
    share_memory_object(d.object);
}
static void share_path_part(path_part *p) {
    if (p) p->refs++;
}
static void share_life_event(life_event *last) {
    if (last) lives_share(last);
}
static void release_scheduler_part(scheduler_part *s) {
    scheduler_release(s);
}
static void release_thread_part(thread_part *t) {
    thread_release(t);
}
static void release_memory_object(memory_object *o) {
    object_release(o);
}
static void release_dynamic_object(dynamic_object d) {
    object_release(d.object);
}
static void release_path_part(path_part *p) {
    path_release(p);
}
static void release_life_event(life_event *last) {
    lives_release(last);
}

/* The tables lie in the block of the state, the list of dynamic objects does not. */
#define FIELD(type, name, role)
state *state_clone(const state *from) {
    assert(from->refs);
    state *s = state_block(from->thread_count, from->static_count), tables = *s;
    *s = *from;
    s->refs = 1;
#define PART(type, name, role)  share_##type(s->name);
#define PATH(name, count, role) share_path_part(s->name);
#define TABLE(type, name, count, role)                                                                       \
    s->name = tables.name;                                                                                   \
    if (s->count) memcpy(s->name, from->name, s->count * sizeof *s->name);                                   \
    for (uint32_t i = 0; i < s->count; i++) share_##type(s->name[i]);
#define NAMED(type, name, count, capacity, role)                                                             \
    s->capacity = s->count;                                                                                  \
    s->name = s->count ? mem_duplicate(from->name, s->count * sizeof *s->name) : NULL;                       \
    for (uint32_t i = 0; i < s->count; i++) share_##type(s->name[i]);
#include "machine/state.def"
#undef PART
#undef PATH
#undef TABLE
#undef NAMED
    return s;
}

void state_free(state *s) {
#define PART(type, name, role)  release_##type(s->name);
#define PATH(name, count, role) release_path_part(s->name);
#define TABLE(type, name, count, role)                                                                       \
    for (uint32_t i = 0; i < s->count; i++) release_##type(s->name[i]);
#define NAMED(type, name, count, capacity, role)                                                             \
    for (uint32_t i = 0; i < s->count; i++) release_##type(s->name[i]);                                      \
    mem_free(s->name);
#include "machine/state.def"
#undef PART
#undef PATH
#undef TABLE
#undef NAMED
    mem_free(s);
}
#undef FIELD

state *state_clone_memory(const state *from) {
    return state_clone(&(state){.refs = 1,
                                .objects = from->objects,
                                .static_count = from->static_count,
                                .dynamic = from->dynamic,
                                .dynamic_count = from->dynamic_count});
}

state *state_grow_threads(state *s, uint32_t count) {
    if (count <= s->thread_count) return s;
    assert(s->refs == 1);
    state *grown = state_block(count, s->static_count);
    thread_part **threads = grown->threads;
    memory_object **objects = grown->objects;
    *grown = *s;
    grown->threads = threads;
    grown->objects = objects;
    grown->thread_count = count;
    memcpy(threads, s->threads, s->thread_count * sizeof *threads);
    memcpy(objects, s->objects, s->static_count * sizeof *objects);
    for (uint32_t t = s->thread_count; t < count; t++) {
        threads[t] = mem_zero(1, sizeof(thread_part));
        threads[t]->head.refs = 1;
        threads[t]->status = THREAD_UNBORN;
    }
    mem_free(s);
    return grown;
}

state *state_share(state *s) {
    assert(s->refs);
    s->refs++;
    return s;
}

/* --- copy on write -------------------------------------------------------------------------------------- */

thread_part *state_unshare_thread(state *s, uint32_t thread) {
    thread_part **slot = &s->threads[thread], *own = thread_copy(*slot);
    assert((*slot)->head.refs > 1);
    (*slot)->head.refs--;
    own->head.hashed = 0;
    own->poise = POISE_NOT_LOOKED_AT;
    return *slot = own;
}

scheduler_part *state_own_scheduler(state *s) {
    assert(s->refs == 1 && s->scheduler->head.refs);
    if (s->scheduler->head.refs > 1) {
        scheduler_part *own = scheduler_copy(s->scheduler);
        s->scheduler->head.refs--;
        s->scheduler = own;
    }
    s->scheduler->head.hashed = 0;
    return s->scheduler;
}

uint32_t state_dynamic_position(const state *s, uint32_t name) {
    uint32_t low = 0;
    for (uint32_t left = s->dynamic_count; left;) { /* without branches that nobody can predict */
        uint32_t half = left / 2;
        bool further_on = s->dynamic[low + half].name < name;
        low = further_on ? low + half + 1 : low;
        left = further_on ? left - half - 1 : half;
    }
    return low;
}

static memory_object **object_slot(const state *s, uint32_t name) {
    if (name < s->static_count) return &s->objects[name];
    uint32_t i = state_dynamic_position(s, name);
    return i < s->dynamic_count && s->dynamic[i].name == name ? &s->dynamic[i].object : NULL;
}

memory_object *state_own_object(state *s, uint32_t name) {
    memory_object **slot = object_slot(s, name);
    assert(s->refs == 1 && slot); /* the object exists, and nobody else sees the state */
    if ((*slot)->head.refs > 1) {
        memory_object *own = object_copy(*slot, (*slot)->cells, (*slot)->ragged);
        (*slot)->head.refs--;
        *slot = own;
    }
    (*slot)->head.hashed = 0;
    return *slot;
}

const memory_object *state_object(const state *s, uint32_t name) {
    memory_object **slot = object_slot(s, name);
    return slot ? *slot : NULL;
}

static memory_object *insert_object(state *s, uint32_t name, memory_object *o) {
    if (s->dynamic_count == s->dynamic_capacity) {
        s->dynamic_capacity = s->dynamic_capacity ? 2 * s->dynamic_capacity : 4;
        s->dynamic = mem_grow(s->dynamic, s->dynamic_capacity * sizeof *s->dynamic);
    }
    uint32_t i = state_dynamic_position(s, name);
    assert(name >= s->static_count);
    assert(i == s->dynamic_count || s->dynamic[i].name > name); /* the name is free */
    memmove(s->dynamic + i + 1, s->dynamic + i, (s->dynamic_count - i) * sizeof *s->dynamic);
    s->dynamic_count++;
    s->dynamic[i] = (dynamic_object){name, o};
    return o;
}

memory_object *state_add_object(state *s, uint32_t name, const layout *shape, uint32_t count) {
    return insert_object(s, name, object_new(shape, count, count * shape->cells, false));
}

memory_object *state_add_blank_object(state *s, uint32_t name, const layout *shape, uint32_t count) {
    return insert_object(s, name, blank_object_new(shape, count));
}

memory_object *state_replace_cells(state *s, uint32_t name, uint32_t first, uint32_t removed,
                                   const laid_cell *with, uint32_t added) {
    memory_object **slot = object_slot(s, name), *o = *slot;
    assert(slot && s->refs == 1 && first + removed <= o->cells);
    assert(o->ragged || (!first && removed == o->cells));
    uint32_t cells = o->cells - removed + added;
    if (o->head.refs > 1 || !o->ragged || cells > o->capacity) {
        *slot = object_copy(o, cells > o->cells ? cells + cells / 2 : o->cells, true);
        object_release(o);
        o = *slot;
    }
    uint32_t *starts = object_starts(o), behind = o->cells - first - removed;
    memmove(o->cell + first + added, o->cell + first + removed, behind * sizeof *o->cell);
    memmove(starts + first + added, starts + first + removed, behind * sizeof *starts);
    for (uint32_t k = 0; k < added; k++) {
        o->cell[first + k] = with[k].v;
        starts[first + k] = with[k].start;
    }
    assert(cells <= o->capacity);
    o->cells = cells;
    o->head.hashed = 0;
    return o;
}

void state_drop_object(state *s, uint32_t name) {
    uint32_t i = state_dynamic_position(s, name);
    assert(s->refs == 1 && i < s->dynamic_count && s->dynamic[i].name == name);
    object_release(s->dynamic[i].object);
    s->dynamic_count--;
    memmove(s->dynamic + i, s->dynamic + i + 1, (s->dynamic_count - i) * sizeof *s->dynamic);
}

/* --- path condition ------------------------------------------------------------------------------------- */

static path_part *path_new(const term *const *conjuncts, uint32_t count, uint32_t capacity) {
    path_part *p = mem_alloc(sizeof *p + capacity * sizeof *p->conjunct);
    p->refs = 1;
    p->used = count;
    p->capacity = capacity;
    p->number = 0;
    if (count) memcpy(p->conjunct, conjuncts, count * sizeof *conjuncts);
    return p;
}

path_part *path_copy(const term *const *conjuncts, uint32_t count) {
    return path_new(conjuncts, count, count);
}

/* Appends in place while this state sees the whole block; states that share the block keep their
 * own, shorter count. */
void state_add_path(state *s, const term *conjunct) {
    assert(s->refs == 1 && conjunct->width == 1);
    path_part *p = s->path;
    if (!p || p->used != s->path_count || p->used == p->capacity) {
        s->path = path_new(state_path(s), s->path_count, 2 * s->path_count + 6);
        path_release(p);
        p = s->path;
    }
    assert(p->used == s->path_count && p->used < p->capacity);
    p->conjunct[p->used++] = conjunct;
    s->path_count++;
}

void state_set_path(state *s, const term *const *conjuncts, uint32_t count) {
    path_part *fresh = count ? path_new(conjuncts, count, count + 4) : NULL;
    path_release(s->path);
    s->path = fresh;
    s->path_count = count;
}

/* --- threads -------------------------------------------------------------------------------------------- */

void thread_push_frame(thread_part *t, const function *f, uint32_t function_index, uint32_t result_register) {
    assert(t->head.refs == 1 && t->frame_count <= t->frame_capacity);
    if (t->frame_count == t->frame_capacity) {
        t->frame_capacity = 2 * t->frame_capacity + 2;
        t->frames = grow_array(&t->head, t->frames, t->frame_count * sizeof *t->frames,
                               t->frame_capacity * sizeof *t->frames);
    }
    uint32_t values = (uint32_t)(f->registers.size + f->locals.size), wanted = t->value_count + values;
    if (wanted > t->value_capacity) {
        t->value_capacity = wanted + wanted / 2;
        t->values = grow_array(&t->head, t->values, t->value_count * sizeof *t->values,
                               t->value_capacity * sizeof *t->values);
    }
    if (values) memset(t->values + t->value_count, 0, values * sizeof *t->values);
    t->frames[t->frame_count++] =
        (frame){.function = function_index, .registers = t->value_count, .result_register = result_register};
    t->value_count = wanted;
}

void thread_pop_frame(thread_part *t) {
    assert(t->head.refs == 1 && t->frame_count);
    t->value_count = t->frames[--t->frame_count].registers;
    assert(t->value_count <= t->value_capacity);
}

void thread_set_waits(thread_part *t, const uint32_t *events, uint32_t count, bool all) {
    assert(t->head.refs == 1);
    if (count > t->wait_capacity) {
        t->waits = grow_array(&t->head, t->waits, 0, count * sizeof *t->waits);
        t->wait_capacity = count;
    }
    for (uint32_t i = 0; i < count; i++) t->waits[i] = (awaited){events[i], false};
    t->wait_count = count;
    t->wait_all = all;
}

/* --- scheduler ------------------------------------------------------------------------------------------ */

static uint32_t pending_position(const scheduler_part *s, uint32_t target) {
    uint32_t i = 0;
    while (i < s->pending_count && s->pending[i].target < target) i++;
    return i;
}

const notification *scheduler_find_pending(const scheduler_part *s, uint32_t target) {
    uint32_t i = pending_position(s, target);
    return i < s->pending_count && s->pending[i].target == target ? &s->pending[i] : NULL;
}

void scheduler_set_pending(scheduler_part *s, uint32_t target, const term *due) {
    assert(s->head.refs == 1 && (!due || due->width == 64));
    uint32_t i = pending_position(s, target);
    if (i < s->pending_count && s->pending[i].target == target) {
        s->pending[i].due = due;
        return;
    }
    if (s->pending_count == s->pending_capacity) {
        s->pending_capacity = 2 * s->pending_capacity + 4;
        s->pending = grow_array(&s->head, s->pending, s->pending_count * sizeof *s->pending,
                                s->pending_capacity * sizeof *s->pending);
    }
    memmove(s->pending + i + 1, s->pending + i, (s->pending_count - i) * sizeof *s->pending);
    s->pending[i] = (notification){target, due};
    s->pending_count++;
}

bool scheduler_remove_pending(scheduler_part *s, uint32_t target) {
    assert(s->head.refs == 1);
    uint32_t i = pending_position(s, target);
    if (i == s->pending_count || s->pending[i].target != target) return false;
    s->pending_count--;
    memmove(s->pending + i, s->pending + i + 1, (s->pending_count - i) * sizeof *s->pending);
    return true;
}

void scheduler_request_update(scheduler_part *s, uint32_t update) {
    assert(s->head.refs == 1);
    uint32_t i = 0;
    while (i < s->update_count && s->updates[i] < update) i++;
    if (i < s->update_count && s->updates[i] == update) return;
    if (s->update_count == s->update_capacity) {
        s->update_capacity = 2 * s->update_capacity + 4;
        s->updates = grow_array(&s->head, s->updates, s->update_count * sizeof *s->updates,
                                s->update_capacity * sizeof *s->updates);
    }
    memmove(s->updates + i + 1, s->updates + i, (s->update_count - i) * sizeof *s->updates);
    s->updates[i] = update;
    s->update_count++;
}
