#include "machine/relations.h"

#include "base/hash.h"

#include <stddef.h>
#include <string.h>

/* A build for tests gives one field at a time another role, or none, and must be caught
 * (tests/unit/machine/test_relations.c). */
#ifdef HEDDLE_CHANGES_ROLES
const char *relations_changed; /* "thread.status" */
unsigned relations_instead;    /* relations; 0: the field is forgotten */
static unsigned role_of(const char *field, unsigned role) {
    return relations_changed && !strcmp(relations_changed, field) ? relations_instead : role;
}
#define ROLE_OF(part, name, role) role_of(#part "." #name, role)
#else
#define ROLE_OF(part, name, role) (role)
#endif

#define COUNTS(part, name, role) (ROLE_OF(part, name, ROLE_##role) & r)
#define IS_FORGOTTEN(part, name) (!ROLE_OF(part, name, 1))

/* All of these are written once for every relation, of which only one is looked at in each copy. */
#define FOR_ONE_RELATION static inline __attribute__((always_inline))

/* --- hashing: products and sums, mixed in the end by whoever keeps the hash ----------------------------- */

FOR_ONE_RELATION uint64_t add(uint64_t h, uint64_t x) {
    return h * UINT64_C(0x9e3779b97f4a7c15) + x;
}

FOR_ONE_RELATION uint64_t add_term(uint64_t h, const term *t) {
    return add(h, t ? t->hash : 1);
}

/* Layouts are compared by where they are, which is another place in another process and in the next run. */
FOR_ONE_RELATION uint64_t add_layout(uint64_t h, const layout *l) {
    return l ? add(add(h, l->stride), l->cells) : add(h, 1);
}

/* --- values --------------------------------------------------------------------------------------------- */

/* A cell of several bytes is one number, or the same byte again and again: the width tells which. */
FOR_ONE_RELATION bool value_agrees(value a, value b, state_relation r) {
    if (a.bits == b.bits && a.base == b.base) return true;
    if (r != RELATION_ABSTRACT && r != RELATION_PROVED) return false;
    return a.base == b.base && a.bits && b.bits && a.bits->width == b.bits->width;
}

bool values_agree(const value *a, const value *b, uint32_t count, state_relation r) {
    if (a == b) return true;
    bool exact = r != RELATION_ABSTRACT && r != RELATION_PROVED;
    for (uint32_t i = 0; i < count; i++)
        if (!value_agrees(a[i], b[i], exact ? RELATION_SAME : RELATION_ABSTRACT)) return false;
    return true;
}

uint64_t values_mix(uint64_t h, const value *v, uint32_t count, state_relation r) {
    bool exact = r != RELATION_ABSTRACT && r != RELATION_PROVED;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t base = (uint64_t)v[i].base << 1 | !v[i].bits;
        h = add(h, exact && v[i].bits ? base + v[i].bits->hash : base);
    }
    return h;
}

bool threads_values_agree(const thread_part *a, const thread_part *b, state_relation r) {
    if (a == b) return true;
    thread_data x = thread_values(a), y = thread_values(b);
    for (uint32_t k = 0; k < THREAD_SPANS; k++)
        if (!values_agree(x.span[k].v, y.span[k].v, x.span[k].count, r)) return false;
    return true;
}

uint64_t thread_values_mix(uint64_t h, const thread_part *t, state_relation r) {
    thread_data values = thread_values(t);
    for (uint32_t k = 0; k < THREAD_SPANS; k++) h = values_mix(h, values.span[k].v, values.span[k].count, r);
    return h;
}

/* --- elements of arrays --------------------------------------------------------------------------------- */

FOR_ONE_RELATION bool agree_value(const value *a, const value *b, state_relation r) {
    (void)a, (void)b, (void)r; /* left to values_agree */
    return true;
}

FOR_ONE_RELATION uint64_t add_value(uint64_t h, const value *v, state_relation r) {
    (void)v, (void)r;
    return h;
}

FOR_ONE_RELATION bool agree_uint32_t(const uint32_t *a, const uint32_t *b, state_relation r) {
    (void)r;
    return *a == *b;
}

FOR_ONE_RELATION uint64_t add_uint32_t(uint64_t h, const uint32_t *x, state_relation r) {
    (void)r;
    return add(h, *x);
}

#define FIELD(type, name, role)                                                                              \
    if (COUNTS(awaited, name, role) && a->name != b->name) return false;
FOR_ONE_RELATION bool agree_awaited(const awaited *a, const awaited *b, state_relation r) {
#include "machine/awaited.def"
    return true;
}
#undef FIELD

/* All of it in one number. */
#define BITS_OF(type) _Generic((type)0, bool : 1, default : 8 * sizeof(type))
#define FIELD(type, name, role)                                                                              \
    if (COUNTS(awaited, name, role)) all = all << BITS_OF(type) | w->name;
FOR_ONE_RELATION uint64_t add_awaited(uint64_t h, const awaited *w, state_relation r) {
    static_assert(sizeof *w <= sizeof(uint64_t), "nothing is shifted out");
    uint64_t all = 0;
#include "machine/awaited.def"
    return add(h, all);
}
#undef FIELD

#define FIELD(type, name, role)                                                                              \
    if (COUNTS(notification, name, role) && a->name != b->name) return false;
#define TERM(name, role)                                                                                     \
    if (COUNTS(notification, name, role) && a->name != b->name) return false;                                \
    if (r == RELATION_MATCHED && !IS_FORGOTTEN(notification, name) && !a->name != !b->name) return false;
FOR_ONE_RELATION bool agree_notification(const notification *a, const notification *b, state_relation r) {
#include "machine/notification.def"
    return true;
}
#undef FIELD
#undef TERM

#define FIELD(type, name, role)                                                                              \
    if (COUNTS(notification, name, role)) h = add(h, n->name);
#define TERM(name, role)                                                                                     \
    if (COUNTS(notification, name, role)) h = add_term(h, n->name);                                          \
    if (r == RELATION_MATCHED && !IS_FORGOTTEN(notification, name)) h = add(h, !n->name);
FOR_ONE_RELATION uint64_t add_notification(uint64_t h, const notification *n, state_relation r) {
#include "machine/notification.def"
    return h;
}
#undef FIELD
#undef TERM

#define FIELD(type, name, role)                                                                              \
    if (COUNTS(frame, name, role) && a->name != b->name) return false;
FOR_ONE_RELATION bool agree_frame(const frame *a, const frame *b, state_relation r) {
#include "machine/frame.def"
    return true;
}
#undef FIELD

#define FIELD(type, name, role)                                                                              \
    if (COUNTS(frame, name, role)) h = add(h, f->name);
FOR_ONE_RELATION uint64_t add_frame(uint64_t h, const frame *f, state_relation r) {
#include "machine/frame.def"
    return h;
}
#undef FIELD

/* --- parts: the same for all, by tables ----------------------------------------------------------------- */

#define AGREE(part, name, role, are_equal)                                                                   \
    if (COUNTS(part, name, role) && !(are_equal)) return false;

/* How many there are always counts. */
#define AGREE_ARRAY(part, element, name, count, role)                                                        \
    if (!IS_FORGOTTEN(part, count) && a->count != b->count) return false;                                    \
    for (uint32_t i = 0; i < a->count && COUNTS(part, name, role); i++)                                      \
        if (!agree_##element(&a->name[i], &b->name[i], r)) return false;

#define ADD(part, name, role, added)                                                                         \
    if (COUNTS(part, name, role)) h = (added);

#define ADD_ARRAY(part, element, name, count, role)                                                          \
    if (!IS_FORGOTTEN(part, count)) h = add(h, x->count);                                                    \
    for (uint32_t i = 0; i < x->count && COUNTS(part, name, role); i++) h = add_##element(h, &x->name[i], r);

/* --- threads -------------------------------------------------------------------------------------------- */

#define FIELD(type, name, role)                     AGREE(thread, name, role, a->name == b->name)
#define VALUE(name, role)                           AGREE(thread, name, role, value_equal(a->name, b->name))
#define ARRAY(element, name, count, capacity, role) AGREE_ARRAY(thread, element, name, count, role)
FOR_ONE_RELATION bool agree_thread(const thread_part *a, const thread_part *b, state_relation r) {
#include "machine/thread.def"
    return true;
}
#undef FIELD
#undef VALUE
#undef ARRAY

#define FIELD(type, name, role)                     ADD(thread, name, role, add(h, (uint64_t)(x->name)))
#define VALUE(name, role)                           ADD(thread, name, role, values_mix(h, &x->name, 1, r))
#define ARRAY(element, name, count, capacity, role) ADD_ARRAY(thread, element, name, count, role)
FOR_ONE_RELATION uint64_t add_thread(uint64_t h, const thread_part *x, state_relation r) {
#include "machine/thread.def"
    return h;
}
#undef FIELD
#undef VALUE
#undef ARRAY

/* --- objects -------------------------------------------------------------------------------------------- */

#define FIELD(type, name, role) AGREE(object, name, role, a->name == b->name)
#define LAYOUT(name, role)      AGREE(object, name, role, a->name == b->name)
#define PLACE(name, role)                                                                                    \
    AGREE(object, name, role, a->name.line == b->name.line && a->name.column == b->name.column)
FOR_ONE_RELATION bool agree_object(const memory_object *a, const memory_object *b, state_relation r) {
#include "machine/object.def"
    /* What dies with a frame dies with that of its thread. */
    if (r == RELATION_MATCHED && a->frame && !IS_FORGOTTEN(object, owner) && a->owner != b->owner)
        return false;
    return !a->ragged || !a->cells || !COUNTS(object, starts, CONTROL) ||
           !memcmp(object_starts(a), object_starts(b), a->cells * sizeof(uint32_t));
}
#undef FIELD
#undef LAYOUT
#undef PLACE

#define FIELD(type, name, role) ADD(object, name, role, add(h, x->name))
#define LAYOUT(name, role)      ADD(object, name, role, add_layout(h, x->name))
#define PLACE(name, role)       ADD(object, name, role, add(add(h, x->name.line), x->name.column))
FOR_ONE_RELATION uint64_t add_object(uint64_t h, const memory_object *x, state_relation r) {
#include "machine/object.def"
    for (uint32_t i = 0; x->ragged && i < x->cells && COUNTS(object, starts, CONTROL); i++)
        h = add(h, object_starts(x)[i]);
    return h;
}
#undef FIELD
#undef LAYOUT
#undef PLACE

/* --- schedulers ----------------------------------------------------------------------------------------- */

#define FIELD(type, name, role)                     AGREE(scheduler, name, role, a->name == b->name)
#define TERM(name, role)                            AGREE(scheduler, name, role, a->name == b->name)
#define ARRAY(element, name, count, capacity, role) AGREE_ARRAY(scheduler, element, name, count, role)
FOR_ONE_RELATION bool agree_scheduler(const scheduler_part *a, const scheduler_part *b, state_relation r) {
#include "machine/scheduler.def"
    return true;
}
#undef FIELD
#undef TERM
#undef ARRAY

#define FIELD(type, name, role)                     ADD(scheduler, name, role, add(h, x->name))
#define TERM(name, role)                            ADD(scheduler, name, role, add_term(h, x->name))
#define ARRAY(element, name, count, capacity, role) ADD_ARRAY(scheduler, element, name, count, role)
FOR_ONE_RELATION uint64_t add_scheduler(uint64_t h, const scheduler_part *x, state_relation r) {
#include "machine/scheduler.def"
    return h;
}
#undef FIELD
#undef TERM
#undef ARRAY

/* --- one copy for each relation ------------------------------------------------------------------------- */

#define IN_EACH_RELATION(result, call)                                                                       \
    switch (r) {                                                                                             \
    case RELATION_SAME: return call(RELATION_SAME);                                                          \
    case RELATION_MATCHED: return call(RELATION_MATCHED);                                                    \
    case RELATION_STORED: return call(RELATION_STORED);                                                      \
    case RELATION_ABSTRACT: return call(RELATION_ABSTRACT);                                                  \
    case RELATION_OWN: return call(RELATION_OWN);                                                            \
    case RELATION_PROVED: return call(RELATION_PROVED);                                                      \
    case RELATION_COUNTED: return call(RELATION_COUNTED);                                                    \
    }                                                                                                        \
    return result;

bool threads_agree(const thread_part *a, const thread_part *b, state_relation r) {
    if (a == b) return true;
#define CALL(which) agree_thread(a, b, which)
    IN_EACH_RELATION(false, CALL)
#undef CALL
}

bool objects_agree(const memory_object *a, const memory_object *b, state_relation r) {
    if (a == b) return true;
#define CALL(which) agree_object(a, b, which)
    IN_EACH_RELATION(false, CALL)
#undef CALL
}

bool schedulers_agree(const scheduler_part *a, const scheduler_part *b, state_relation r) {
    if (a == b) return true;
#define CALL(which) agree_scheduler(a, b, which)
    IN_EACH_RELATION(false, CALL)
#undef CALL
}

uint64_t thread_mix(uint64_t h, const thread_part *t, state_relation r){
#define CALL(which) add_thread(h, t, which)
    IN_EACH_RELATION(h, CALL)
#undef CALL
}

uint64_t object_mix(uint64_t h, const memory_object *o, state_relation r){
#define CALL(which) add_object(h, o, which)
    IN_EACH_RELATION(h, CALL)
#undef CALL
}

uint64_t scheduler_mix(uint64_t h, const scheduler_part *s, state_relation r) {
#define CALL(which) add_scheduler(h, s, which)
    IN_EACH_RELATION(h, CALL)
#undef CALL
}

/* --- parts with what they hold -------------------------------------------------------------------------- */

bool whole_threads_agree(const thread_part *a, const thread_part *b, state_relation r) {
    return a == b || (threads_agree(a, b, r) && threads_values_agree(a, b, r));
}

bool whole_objects_agree(const memory_object *a, const memory_object *b, state_relation r) {
    return a == b || (objects_agree(a, b, r) &&
                      values_agree(a->cell, b->cell, a->cells, a->summary ? RELATION_SAME : r));
}

uint64_t whole_thread_mix(uint64_t h, const thread_part *t, state_relation r) {
    return thread_values_mix(thread_mix(h, t, r), t, r);
}

uint64_t whole_object_mix(uint64_t h, const memory_object *o, state_relation r) {
    h = object_mix(h, o, r);
    for (uint32_t i = 0; i < o->cells && o->summary && r == RELATION_PROVED; i++) {
        const term *t = o->cell[i].bits;
        h = hash_pair(h, t ? hash_pair(t->width, t->value) : 0);
    }
    return values_mix(h, o->cell, o->cells, o->summary && r != RELATION_PROVED ? RELATION_SAME : r);
}

/* --- states --------------------------------------------------------------------------------------------- */

static_assert(
    offsetof(path_part, conjunct) == 4 * sizeof(uint32_t),
    "a path is its conjuncts: what else it says is for paths_agree, path_copy and matching/parts.c");

static bool paths_agree(const path_part *a, uint32_t count_a, const path_part *b, uint32_t count_b) {
    if (count_a != count_b) return false;
    for (uint32_t i = 0; i < count_a; i++) {
        bool found = a->conjunct[i] == b->conjunct[i];
        for (uint32_t j = 0; j < count_b && !found; j++) found = a->conjunct[i] == b->conjunct[j];
        if (!found) return false;
    }
    return true;
}

static bool agree_thread_part(const thread_part *a, const thread_part *b, state_relation r) {
    return whole_threads_agree(a, b, r);
}

static bool agree_memory_object(const memory_object *a, const memory_object *b, state_relation r) {
    return whole_objects_agree(a, b, r);
}

static bool agree_scheduler_part(const scheduler_part *a, const scheduler_part *b, state_relation r) {
    return schedulers_agree(a, b, r);
}

#define FIELD(type, name, role) AGREE(dynamic, name, role, a->name == b->name)
#define PART(type, name, role)  AGREE(dynamic, name, role, agree_##type(a->name, b->name, r))
static bool agree_dynamic_object(const dynamic_object *a, const dynamic_object *b, state_relation r) {
#include "machine/dynamic.def"
    return true;
}
#undef FIELD
#undef PART

/* Histories are those of one path each: nobody compares them. */
static bool agree_life_event(const life_event *a, const life_event *b, state_relation r) {
    (void)r;
    return a == b;
}

static uint64_t add_life_event(uint64_t h, const life_event *e, state_relation r) {
    (void)e, (void)r;
    return h;
}

static bool as_many_parts(const state *a, const state *b) {
#define FIELD(type, name, role)
#define PART(type, name, role)
#define PATH(name, count, role)
#define TABLE(type, name, count, role)                                                                       \
    if (!IS_FORGOTTEN(state, count) && a->count != b->count) return false;
#define NAMED(type, name, count, capacity, role) TABLE(type, name, count, role)
#include "machine/state.def"
#undef FIELD
#undef PART
#undef PATH
#undef TABLE
#undef NAMED
    return true;
}

#define FIELD(type, name, role) AGREE(state, name, role, a->name == b->name)
#define PART(type, name, role)  AGREE(state, name, role, agree_##type(a->name, b->name, r))
#define PATH(name, count, role)                                                                              \
    if (r == RELATION_SAME && !IS_FORGOTTEN(state, name) &&                                                  \
        !paths_agree(a->name, a->count, b->name, b->count))                                                  \
        return false;
#define TABLE(type, name, count, role)                                                                       \
    for (uint32_t i = 0; i < a->count && COUNTS(state, name, role); i++)                                     \
        if (!agree_##type(a->name[i], b->name[i], r)) return false;
#define NAMED(type, name, count, capacity, role)                                                             \
    for (uint32_t i = 0; i < a->count && COUNTS(state, name, role); i++)                                     \
        if (!agree_##type(&a->name[i], &b->name[i], r)) return false;
bool states_agree(const state *a, const state *b, state_relation r) {
    if (!as_many_parts(a, b)) return false;
#include "machine/state.def"
    return true;
}
#undef FIELD
#undef PART
#undef PATH
#undef TABLE
#undef NAMED

static uint64_t add_scheduler_part(uint64_t h, const scheduler_part *s, state_relation r) {
    return scheduler_mix(h, s, r);
}

static uint64_t add_thread_part(uint64_t h, uint32_t number, const thread_part *t, state_relation r) {
    (void)number; /* they are mixed one after the other */
    return whole_thread_mix(hash_mix(h), t, r);
}

static uint64_t add_memory_object(uint64_t h, uint32_t name, const memory_object *o, state_relation r) {
    return whole_object_mix(hash_pair(h, name), o, r);
}

static uint64_t add_dynamic_object(uint64_t h, const dynamic_object *x, state_relation r) {
    static_assert(DYNAMIC_PARTS == 2, "what else it has is mixed here, too");
    return COUNTS(dynamic, object, CONTROL)
               ? add_memory_object(h, COUNTS(dynamic, name, NAME) ? x->name : 0, x->object, r)
               : h;
}

/* How many objects the program has is the same in all its states. */
#define FIELD(type, name, role) ADD(state, name, role, hash_pair(h, s->name))
#define PART(type, name, role)  ADD(state, name, role, add_##type(h, s->name, r))
#define PATH(name, count, role)
#define TABLE(type, name, count, role)                                                                       \
    for (uint32_t i = 0; i < s->count && COUNTS(state, name, role); i++) h = add_##type(h, i, s->name[i], r);
#define NAMED(type, name, count, capacity, role)                                                             \
    for (uint32_t i = 0; i < s->count && COUNTS(state, name, role); i++) h = add_##type(h, &s->name[i], r);
uint64_t state_mix(const state *s, state_relation r) {
    uint64_t h = hash_pair(s->thread_count, s->dynamic_count);
#include "machine/state.def"
    return hash_mix(h);
}
#undef FIELD
#undef PART
#undef PATH
#undef TABLE
#undef NAMED
