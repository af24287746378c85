/* Layout of a state, for the machine itself, for matching and for partial. Explorers use machine.h, tellers
 * look.h.
 *
 * A state is a table of pointers to reference-counted parts (memory objects, thread stacks, the scheduler).
 * Parts are shared between states and copied when written (`state_own_…`). Every part caches its hashes until
 * it is written. */
#ifndef HEDDLE_MACHINE_STATE_H
#define HEDDLE_MACHINE_STATE_H

#include "analysis/loops.h"
#include "base/invariant.h"
#include "machine/fields.h"
#include "machine/look.h"

typedef struct part { /* common head of every shared part */
    uint32_t refs;
    uint32_t block;  /* bytes of the allocation: arrays inside it are not freed on their own */
    uint16_t hashed; /* bit k: hash[k] is valid; the others are those of identity.c */
    uint32_t number; /* in the table of parts that holds it, if one does (matching/parts.h) */
    uint64_t hash[HASH_KINDS];
} part;

/* An object has the cells of its shape until it is accessed in another way; then it is ragged: its cells
 * follow each other without gaps, and their first bytes are listed behind them. Cells of a ragged object:
 *
 *     bits of width 8 * bytes     a number, least significant byte first, or a pointer
 *     bits of width 8             the same byte again and again
 *     bits NULL                   unset bytes, each one unknown value which shows when it is read; or padding
 */
struct memory_object {
    part head;
#define FIELD(type, name, role) type name;
#define LAYOUT(name, role)      const layout *name;
#define PLACE(name, role)       position name;
#include "machine/object.def"
#undef FIELD
#undef LAYOUT
#undef PLACE
    value cell[]; /* capacity of them; ragged: then as many uint32_t, the first byte of each */
};

typedef struct laid_cell { /* of a ragged object; it ends where the next one starts */
    value v;
    uint32_t start;
} laid_cell;

typedef struct spin_read {
    uint32_t object, offset, width; /* offset in bytes, width in bits */
    bool changes;                   /* holds other values during a round, which are put back */
    value seen;
} spin_read;

/* What a thread touched since it stood at the anchor. Back there with everything as it was, it waits until
 * one of these cells changes, or another thread accesses one that changes during the round: going round again
 * would tell nobody anything new. Not part of a state's identity, but a state in which a thread waits covers
 * none in which it does not. */
struct spin_watch {
    uint32_t refs;
    bool waiting;
    bool observed;            /* another thread came to a cell that changes during the round */
    uint32_t steps, patience; /* steps since the anchor was set, and when it moves on */
    loop_place round;         /* since the anchor */
    struct thread_part *anchor;
    struct state *memory; /* at the anchor: objects only */
    uint32_t count;
    spin_read read[];
};

/* Preemptive: whether a thread can go on, as far as that depends on itself alone. */
typedef enum {
    POISE_NOT_LOOKED_AT,
    POISE_GOES_ON, /* whatever others do */
    POISE_OVER,    /* ended, stuck or unborn */
    POISE_DEPENDS  /* on others: it waits, spins or is about to end the program */
} thread_poise;

struct thread_part {
    part head;
#define FIELD(type, name, role) type name;
#define VALUE(name, role)       value name;
#define ARRAY(element, name, count, capacity, role)                                                          \
    element *name;                                                                                           \
    uint32_t count, capacity;
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
};

struct scheduler_part {
    part head;
#define FIELD(type, name, role) type name;
#define TERM(name, role)        const term *name;
#define ARRAY(element, name, count, capacity, role)                                                          \
    element *name;                                                                                           \
    uint32_t count, capacity;
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY
};

typedef struct path_part { /* conjuncts are appended in place; a state sees the first `count` of them */
    uint32_t refs, used, capacity;
    uint32_t number; /* as in part */
    const term *conjunct[];
} path_part;

typedef struct life_event life_event; /* lives.c */

struct state { /* pointers first: there is one of these for every state */
#define FIELD(type, name, role)
#define PART(type, name, role)                   type *name;
#define PATH(name, count, role)                  path_part *name;
#define TABLE(type, name, count, role)           type **name;
#define NAMED(type, name, count, capacity, role) type *name;
#include "machine/state.def"
#undef FIELD
#undef PART
#undef PATH
#undef TABLE
#undef NAMED
    uint32_t refs;
#define FIELD(type, name, role) type name;
#define PART(type, name, role)
#define PATH(name, count, role)                  uint32_t count;
#define TABLE(type, name, count, role)           uint32_t count;
#define NAMED(type, name, count, capacity, role) uint32_t count, capacity;
#include "machine/state.def"
#undef FIELD
#undef PART
#undef PATH
#undef TABLE
#undef NAMED
};

/* lives.c: shared by all states that come after. */
life_event *lives_share(life_event *last);
void lives_release(life_event *last);

/* For who goes over states by hand. */
enum {
#define FIELD(type, name, role)                  +1
#define PART(type, name, role)                   +1
#define PATH(name, count, role)                  +1
#define TABLE(type, name, count, role)           +1
#define NAMED(type, name, count, capacity, role) +1
    STATE_PARTS = 0
#include "machine/state.def"
    ,
    DYNAMIC_PARTS = 0
#include "machine/dynamic.def"
#undef FIELD
#undef PART
#undef PATH
#undef TABLE
#undef NAMED
};
#define ALL_PARTS_OF_STATES                                                                                  \
    static_assert(STATE_PARTS == 7 && DYNAMIC_PARTS == 2, "what is new in a state is seen to here, too");

/* --- values of a thread: whoever goes over them goes over these ----------------------------------------- */

typedef struct value_span {
    value *v;
    uint32_t count;
} value_span;

enum {
    SPANS_OF_value = 1,
    SPANS_OF_frame = 0,
    SPANS_OF_awaited = 0,
#define FIELD(type, name, role)
#define VALUE(name, role)                           +1
#define ARRAY(element, name, count, capacity, role) +SPANS_OF_##element
    THREAD_SPANS = 0
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
};

typedef struct thread_data {
    value_span span[THREAD_SPANS];
} thread_data;

static inline thread_data thread_values(const thread_part *t) {
    return (thread_data){{
#define FIELD(type, name, role)
#define VALUE(name, role)                           {(value *)&t->name, 1},
#define ARRAY(element, name, count, capacity, role) SPAN_##element(t->name, t->count)
#define SPAN_value(array, size)                     {array, size},
#define SPAN_frame(array, size)
#define SPAN_awaited(array, size)
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
#undef SPAN_value
#undef SPAN_frame
#undef SPAN_awaited
    }};
}

/* --- times of a scheduler: likewise --------------------------------------------------------------------- */

typedef struct time_span { /* numbers, or NULL, in a row of structures */
    const term **first;
    uint32_t count, stride;
} time_span;

enum {
#define FIELD(type, name, role)
#define TERM(name, role) +1
    TIMES_OF_uint32_t = 0,
    TIMES_OF_notification = 0
#include "machine/notification.def"
    ,
#define ARRAY(element, name, count, capacity, role)
    OWN_TIMES = 0
#include "machine/scheduler.def"
    ,
#undef TERM
#undef ARRAY
#define TERM(name, role)
#define ARRAY(element, name, count, capacity, role) +TIMES_OF_##element
    DUE_TIMES = 0
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY
};

typedef struct scheduler_times {
    time_span own[OWN_TIMES]; /* one each, of the scheduler itself */
    time_span due[DUE_TIMES]; /* of what is pending */
} scheduler_times;

static inline const term **time_at(time_span span, uint32_t index) {
    return (const term **)((char *)span.first + (size_t)index * span.stride);
}

static inline time_span *add_times_of_uint32_t(time_span *out, const uint32_t *of, uint32_t count) {
    (void)of, (void)count;
    return out;
}

static inline time_span *add_times_of_notification(time_span *out, const notification *of, uint32_t count) {
#define FIELD(type, name, role)
#define TERM(name, role) *out++ = (time_span){of ? (const term **)&of->name : NULL, count, sizeof *of};
#include "machine/notification.def"
#undef FIELD
#undef TERM
    return out;
}

static inline scheduler_times times_of(const scheduler_part *s) {
    scheduler_times times;
    time_span *own = times.own, *due = times.due;
#define FIELD(type, name, role)
#define TERM(name, role)                            *own++ = (time_span){(const term **)&s->name, 1, 0};
#define ARRAY(element, name, count, capacity, role) due = add_times_of_##element(due, s->name, s->count);
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY
    assert(own == times.own + OWN_TIMES && due == times.due + DUE_TIMES);
    return times;
}

/* --- running counts of a thread: likewise --------------------------------------------------------------- */

enum {
#define FIELD(type, name, role) +((ROLE_##role & RELATION_COUNTED) != 0)
#define VALUE(name, role)
#define ARRAY(element, name, count, capacity, role)
    THREAD_COUNTS = 0
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
};

typedef struct thread_counts {
    uint32_t made[THREAD_COUNTS];
} thread_counts;

thread_counts counts_of(const thread_part *t);
void thread_set_counts(thread_part *t, const thread_counts *counts);

/* --- reading -------------------------------------------------------------------------------------------- */

/* Where the object is in s->dynamic, or would be. */
uint32_t state_dynamic_position(const state *s, uint32_t name);
static inline uint64_t object_bytes(const memory_object *o) {
    return (uint64_t)o->count * o->shape->stride;
}

static inline uint32_t *object_starts(const memory_object *o) { /* ragged: the first byte of each cell */
    assert(o->ragged);
    return (uint32_t *)(o->cell + o->capacity);
}

bool objects_identical(const memory_object *a, const memory_object *b);
bool threads_identical(const thread_part *a, const thread_part *b); /* all but running counts */
bool schedulers_identical(const scheduler_part *a, const scheduler_part *b);

/* Whether two objects have equal contents, as far as that can be told at once. */
typedef enum { QUICK_EQUAL, QUICK_DIFFERENT, QUICK_OPEN } quick_answer;
bool object_is_closed(memory_object *o, uint32_t static_count); /* no pointer to a dynamic object in it */
quick_answer objects_compare(memory_object *a, memory_object *b, uint32_t static_count);

/* Calls visit for every data value of the state (static cells, registers, reachable dynamic cells, due times)
 * in canonical order. */
void state_each_value(const state *s, const object_names *reachable, void (*visit)(void *data, value v),
                      void *data);
/* The same, without most of the values that depend on no input. */
void state_each_symbolic_value(const state *s, const object_names *reachable,
                               void (*visit)(void *data, value v), void *data);

/* --- writing (machine only) ----------------------------------------------------------------------------- */

state *state_create(const program *p);
state *state_clone(const state *s);
state *state_clone_memory(const state *s); /* its objects alone: no threads, no scheduler, no path */
thread_part *state_unshare_thread(state *s, uint32_t thread); /* see state_own_thread */
static inline thread_part *state_own_thread(state *s, uint32_t thread) {
    assert(s->refs == 1 && thread < s->thread_count); /* nobody else sees what is written */
    thread_part *t = s->threads[thread];
    assert(t->head.refs);
    if (t->head.refs > 1) return state_unshare_thread(s, thread);
    t->head.hashed = 0;
    t->poise = POISE_NOT_LOOKED_AT;
    return t;
}
memory_object *state_own_object(state *s, uint32_t name);
scheduler_part *state_own_scheduler(state *s);
void state_add_path(state *s, const term *conjunct);
void state_set_path(state *s, const term *const *conjuncts, uint32_t count);
memory_object *state_add_object(state *s, uint32_t name, const layout *shape, uint32_t count);

/* A ragged object of one unset cell, whatever its shape: for what is large, or has no known structure. */
memory_object *state_add_blank_object(state *s, uint32_t name, const layout *shape, uint32_t count);

/* Replaces cells first .. first+removed-1; the object becomes ragged (then all its cells
 * must be replaced). */
memory_object *state_replace_cells(state *s, uint32_t name, uint32_t first, uint32_t removed,
                                   const laid_cell *with, uint32_t added);
void state_drop_object(state *s, uint32_t name);

/* How many of these bytes of an object were never written. */
uint64_t cells_unset_bytes(const memory_object *o, uint32_t low, uint32_t high);

state *state_grow_threads(state *s, uint32_t count); /* s must be owned; gives it back, perhaps moved */
void thread_set_spin(thread_part *t, spin_watch *w); /* takes over the reference; NULL: none */
void thread_add_watched(const thread_part *t, effect *out); /* asleep in a loop: what wakes it, if anything */
void thread_push_frame(thread_part *t, const function *f, uint32_t function_index, uint32_t result_register);
void thread_pop_frame(thread_part *t);
void thread_set_waits(thread_part *t, const uint32_t *events, uint32_t count, bool all);
void scheduler_set_pending(scheduler_part *s, uint32_t target, const term *due); /* replaces */
bool scheduler_remove_pending(scheduler_part *s, uint32_t target);
const notification *scheduler_find_pending(const scheduler_part *s, uint32_t target); /* NULL: none */
void scheduler_request_update(scheduler_part *s, uint32_t update);
void state_free(state *s);

/* --- parts on their own (for those who keep them) ------------------------------------------------------- */

void thread_release(thread_part *t); /* one reference less; NULL: nothing happens */
void object_release(memory_object *o);
void scheduler_release(scheduler_part *s);
void path_release(path_part *p);
thread_part *thread_copy_awake(const thread_part *t);               /* without its spin watch */
path_part *path_copy(const term *const *conjuncts, uint32_t count); /* nothing can be appended in place */

size_t thread_footprint(const thread_part *t); /* bytes of memory, without its spin watch */
size_t object_footprint(const memory_object *o);
size_t scheduler_footprint(const scheduler_part *s);
size_t path_footprint(const path_part *p);

#endif
