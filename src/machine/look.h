/* What is in a state, for those who tell of it: reports, replays, certificates, elaboration.
 * Explorers ask machine.h.
 *
 * The parts of a state (threads, objects of memory, the scheduler) are seen as they are, and cannot be
 * written. Every field of the tables (fields.h) can be asked for by its name: status_of(t), shape_of(o),
 * time_of(k). What an array is made of is said here, too: frames of a thread, values of registers and cells.
 * A part is there as long as a state that has it. */
#ifndef HEDDLE_MACHINE_LOOK_H
#define HEDDLE_MACHINE_LOOK_H

#include "machine/machine.h"
#include "machine/value.h"

typedef struct thread_part thread_part;
typedef struct memory_object memory_object;
typedef struct scheduler_part scheduler_part;
typedef struct spin_watch spin_watch;

typedef struct frame {
#define FIELD(type, name, role) type name;
#include "machine/frame.def"
#undef FIELD
} frame;

typedef struct awaited {
#define FIELD(type, name, role) type name;
#include "machine/awaited.def"
#undef FIELD
} awaited;

typedef struct notification {
#define FIELD(type, name, role) type name;
#define TERM(name, role)        const term *name;
#include "machine/notification.def"
#undef FIELD
#undef TERM
} notification;

typedef struct dynamic_object {
#define FIELD(type, name, role) type name;
#define PART(type, name, role)  type *name;
#include "machine/dynamic.def"
#undef FIELD
#undef PART
} dynamic_object;

/* --- parts of a state ----------------------------------------------------------------------------------- */

/* systemc: those of the program, then one slot in which channel updates run; preemptive: by number, created
 * ones after main, THREAD_UNBORN if not on this path. */
const thread_part *thread_of(const state *s, uint32_t thread);
const scheduler_part *scheduler_of(const state *s);

/* Objects are named: static ones 0 .. objects-1 of the program; dynamic ones are interned (thread,
 * running count). */
const memory_object *state_object(const state *s, uint32_t name); /* NULL: unknown or freed and forgotten */
uint32_t static_count_of(const state *s);
uint32_t dynamic_count_of(const state *s);
dynamic_object dynamic_of(const state *s, uint32_t index); /* ascending by name */

/* --- their fields --------------------------------------------------------------------------------------- */

#define FIELD(type, name, role) type name##_of(const thread_part *t);
#define VALUE(name, role)       value name##_of(const thread_part *t);
#define ARRAY(element, name, count, capacity, role)                                                          \
    const element *name##_of(const thread_part *t);                                                          \
    uint32_t count##_of(const thread_part *t);
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY

#define FIELD(type, name, role) type name##_of(const memory_object *o);
#define LAYOUT(name, role)      const layout *name##_of(const memory_object *o);
#define PLACE(name, role)       position name##_of(const memory_object *o);
#include "machine/object.def"
#undef FIELD
#undef LAYOUT
#undef PLACE

#define FIELD(type, name, role) type name##_of(const scheduler_part *k);
#define TERM(name, role)        const term *name##_of(const scheduler_part *k);
#define ARRAY(element, name, count, capacity, role)                                                          \
    const element *name##_of(const scheduler_part *k);                                                       \
    uint32_t count##_of(const scheduler_part *k);
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY

const notification *pending_for(const scheduler_part *k, uint32_t target); /* NULL: none */
bool threads_same_control(const thread_part *a, const thread_part *b); /* all but data and running counts */

/* --- memory --------------------------------------------------------------------------------------------- */

uint64_t bytes_of(const memory_object *o);
const value *cell_of(const memory_object *o); /* cells_of of them */

/* A piece of an object: a cell, or the padding between two cells of its shape. */
typedef struct cell_view {
    value v;
    uint32_t low, high; /* bytes low .. high-1 */
    uint32_t cell;      /* NO_INDEX: padding of an object that is not ragged */
} cell_view;

cell_view object_view(const memory_object *o, uint32_t byte); /* the piece that covers it; byte must exist */
cell_view object_cell_view(const memory_object *o, uint32_t cell);

/* How reports name the bytes of an object whose shape has no names: a note, no part of its identity. */
void object_describe(const state *s, uint32_t name, const layout *type);

/* The cell (of `width` bits) at an exact place of an object, without checks or effects; bits NULL if
 * there is none. */
value memory_peek(machine *m, const state *s, uint32_t object, uint64_t offset, unsigned width);

/* --- whole states --------------------------------------------------------------------------------------- */

/* The dynamic objects that are reachable from static objects and stacks, in canonical order of
 * first visit. */
typedef VEC(uint32_t) object_names;
void state_reachable_objects(const state *s, object_names *out);

#endif
