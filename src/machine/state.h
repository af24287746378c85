/* Layout of a state, for the machine itself, for matching and for reports. Explorers use machine.h only.
 *
 * A state is a table of pointers to reference-counted parts (memory objects, thread stacks, the scheduler).
 * Parts are shared between states and copied when written (`state_own_…`). Every part caches its hashes until
 * it is written. */
#ifndef HEDDLE_MACHINE_STATE_H
#define HEDDLE_MACHINE_STATE_H

#include "machine/machine.h"

/* A number, or a pointer into an object. bits == NULL: no value (a dead register). */
typedef struct value {
    const term *bits; /* the number; for pointers the byte offset (width 64) */
    uint32_t base;    /* 0: a number (or null/invalid pointer); else 1 + object name */
} value;

/* Object names: static objects are 0 .. objects-1 of the program; dynamic ones are interned (thread, running
 * count). */

/* EXACT: everything by name. SHAPE: inputs by width only. CONCRETE: numbers by value, symbolic values alike.
 * CONTROL: what every matcher needs equal: a symbolic value may match a number, so only cells that never hold
 * symbolic values count. */
typedef enum { HASH_EXACT, HASH_SHAPE, HASH_CONCRETE, HASH_CONTROL, HASH_KINDS } hash_kind;

typedef struct part { /* common head of every shared part */
    uint32_t refs;
    uint32_t block; /* bytes of the allocation: arrays inside it are not freed on their own */
    uint8_t hashed; /* bit k: hash[k] is valid */
    uint64_t hash[HASH_KINDS];
} part;

typedef struct memory_object {
    part head;
    const layout *shape;
    uint32_t count; /* elements */
    uint32_t cells; /* count * shape->cells */
    bool freed;
    bool heap;            /* else static or a frame's local */
    bool always_concrete; /* no cell ever holds a symbolic value */
    uint32_t source_name; /* static: index of static_object; else NO_INDEX */
    uint32_t owner;       /* dynamic: the thread that made it */
    value cell[];
} memory_object;

typedef struct frame {
    uint32_t function, block, index; /* next instruction */
    uint32_t registers; /* first value of this frame in thread_part.values; its locals' pointers follow the
                           registers */
    uint32_t result_register; /* of the caller, or NO_INDEX */
} frame;

typedef enum {
    THREAD_UNBORN,
    THREAD_RUNNABLE,
    THREAD_WAITING,
    THREAD_STARTING /* main inside `start` */,
    THREAD_ENDED
} thread_status;

typedef struct awaited {
    uint32_t event;
    bool arrived; /* wait for all: already notified */
} awaited;

typedef struct thread_part {
    part head;
    uint8_t status;
    bool suspended, resume_pending;
    bool wait_all;
    uint32_t frame_count, value_count, wait_count;
    uint32_t frame_capacity, value_capacity, wait_capacity;
    uint32_t objects_made, inputs_made; /* running counts for names: not part of the state's identity */
    frame *frames;
    value *values;
    awaited *waits;
} thread_part;

typedef enum {
    PHASE_MAIN,     /* main runs: before, between and after simulations */
    PHASE_EVALUATE, /* threads run; with none runnable the scheduler's transition is next */
    PHASE_UPDATE,   /* between dependent channel updates whose order is a choice */
    PHASE_DONE
} sim_phase;

/* A pending notification of an event (target < events) or the timer of a thread (target = events + thread).
 */
typedef struct notification {
    uint32_t target;
    const term *due; /* NULL: delta; else absolute time, width 64 */
} notification;

typedef struct scheduler_part {
    part head;
    uint8_t phase;
    bool initialised, stopping, starved; /* starved: the simulation ended with nothing pending */
    uint32_t running;                    /* thread in the middle of a step, or NO_INDEX */
    const term *time;                    /* width 64 */
    const term *limit;                   /* absolute end of the present `start`, or NULL */
    uint64_t delta;         /* number of delta cycles so far, for traces; not part of the identity */
    uint32_t update_count;  /* requested updates, ascending */
    uint32_t pending_count; /* ascending by target */
    uint32_t update_capacity, pending_capacity;
    uint32_t *updates;
    notification *pending;
} scheduler_part;

typedef struct path_part { /* conjuncts are appended in place; a state sees the first `count` of them */
    uint32_t refs, used, capacity;
    const term *conjunct[];
} path_part;

typedef struct dynamic_object {
    uint32_t name;
    memory_object *object;
} dynamic_object;

struct state {
    uint32_t refs;
    uint32_t thread_count, static_count, dynamic_count, dynamic_capacity;
    uint32_t path_count;
    bool uncertain; /* some branch on the way here could not be decided by the solver */
    scheduler_part *scheduler;
    path_part *path;
    thread_part **threads;   /* those of the program, then one slot in which channel updates run */
    memory_object **objects; /* static */
    dynamic_object *dynamic; /* ascending by name */
};

/* --- reading -------------------------------------------------------------------------------------------- */

uint64_t state_hash(const state *s, hash_kind kind); /* time and path condition are not included */
const memory_object *state_object(const state *s, uint32_t name); /* NULL: unknown or freed and forgotten */
static inline const term *const *state_path(const state *s) {
    return s->path ? (const term *const *)s->path->conjunct : NULL;
}
bool value_equal(value a, value b);                   /* identical */
bool state_identical(const state *a, const state *b); /* part by part, names and all; running counts aside */

/* The dynamic objects that are reachable from static objects and stacks, in canonical order of first visit.
 */
typedef VEC(uint32_t) object_names;
void state_reachable_objects(const state *s, object_names *out);

/* Calls visit for every data value of the state (static cells, registers, reachable dynamic cells, due times)
 * in canonical order. */
void state_each_value(const state *s, const object_names *reachable, void (*visit)(void *data, value v),
                      void *data);

/* --- writing (machine only) ----------------------------------------------------------------------------- */

state *state_create(const program *p);
state *state_clone(const state *s);
thread_part *state_own_thread(state *s, uint32_t thread);
memory_object *state_own_object(state *s, uint32_t name);
scheduler_part *state_own_scheduler(state *s);
void state_add_path(state *s, const term *conjunct);
void state_set_path(state *s, const term *const *conjuncts, uint32_t count);
memory_object *state_add_object(state *s, uint32_t name, const layout *shape, uint32_t count);
void state_drop_object(state *s, uint32_t name);
void thread_push_frame(thread_part *t, const function *f, uint32_t function_index, uint32_t result_register);
void thread_pop_frame(thread_part *t);
void thread_set_waits(thread_part *t, const uint32_t *events, uint32_t count, bool all);
void scheduler_set_pending(scheduler_part *s, uint32_t target, const term *due); /* replaces */
bool scheduler_remove_pending(scheduler_part *s, uint32_t target);
const notification *scheduler_find_pending(const scheduler_part *s, uint32_t target); /* NULL: none */
void scheduler_request_update(scheduler_part *s, uint32_t update);
void state_free(state *s);

#endif
