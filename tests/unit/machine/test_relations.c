/* Every field of a state, and every relation between parts: who differs in one field alone agrees in just the
 * relations in which the field does not count, and has equal hashes there.
 *
 * Where each field counts is written down here once more, by reasons: neither the tables of fields nor
 * roles are asked. Compiled with HEDDLE_CHANGES_ROLES, against relations that give one field another role
 * or none, the same tests must notice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/relations.h"

#ifdef HEDDLE_CHANGES_ROLES
extern const char *relations_changed;
extern unsigned relations_instead;
#endif

/* --- what is to be seen --------------------------------------------------------------------------------- */

enum {
    S = RELATION_SAME,
    M = RELATION_MATCHED,
    K = RELATION_STORED,
    A = RELATION_ABSTRACT,
    P = RELATION_PROVED,
    O = RELATION_OWN,
    C = RELATION_COUNTED
};

enum { EVERYWHERE = S | M | K | A | P | O };

/* Fields by the relations in which they are to be seen, and why. */
static const struct {
    unsigned in;
    const char *fields; /* each between blanks */
} seen[] = {
    /* With another value the program goes on in another way, in this process and in any other. */
    {EVERYWHERE, " thread.status thread.suspended thread.resume_pending thread.disabled thread.wait_all "
                 "thread.recycles thread.interrupts thread.copied thread.held thread.atomic_depth "
                 "thread.waits thread.frames frame.function frame.block frame.index awaited.event "
                 "awaited.arrived "},
    {EVERYWHERE,
     " object.shape object.count object.cells object.ragged object.freed object.shared object.heap "
     "object.frame object.type object.slot object.starts "},
    {EVERYWHERE,
     " scheduler.phase scheduler.initialised scheduler.stopping scheduler.starved "
     "scheduler.stays scheduler.heap_order scheduler.behind_ends scheduler.running scheduler.last_thread "
     "scheduler.switches scheduler.pending scheduler.updates notification.target "
     "notification.kind "},
    /* How many there are, for whoever goes over them, too. */
    {EVERYWHERE | C, " thread.value_count thread.frame_count thread.wait_count scheduler.pending_count "
                     "scheduler.update_count state.thread_count state.static_count state.dynamic_count "},
    /* Another thread changes it by a join, so it is nothing that the thread has done itself. */
    {S | M | K | A | P, " thread.claimed "},
    /* Where time is irrelevant it does not tell states apart; else pairs.h compares it. */
    {S | K | A | P | O, " scheduler.time scheduler.limit notification.due "},
    /* Only abstraction has objects that stand for many, and what it has is not matched. */
    {S | K | A | P | O, " object.summary object.perhaps_freed object.single "},
    /* Execution does not depend on it; a certificate is not to depend on how it was found. */
    {S | K | A, " object.stored object.settled "},
    /* Follows from the name, which matching renames. */
    {K | A | P, " object.owner "},
    /* Names of threads that are still to come: no part of what a state is, but who goes on needs it. */
    {A | P | C, " thread.threads_made "},
    {C, " thread.objects_made thread.inputs_made thread.unknowns_made scheduler.delta "},
    /* What is put away must come back with it, though it tells nobody's future. */
    {K, " frame.registers frame.result_register frame.loops frame.allocates object.taken_from "
        "object.always_concrete object.source_name object.site object.made_in object.made_at "
        "object.described "},
    /* Values of numbers are compared apart from this, and the rest can be computed again. */
    {0, " thread.values thread.result thread.poise thread.spin thread.value_capacity thread.frame_capacity "
        "thread.wait_capacity object.capacity scheduler.pending_capacity scheduler.update_capacity "},
    /* Whole states, which are compared in S, A and P alone. */
    {S | A | P, " state.scheduler state.threads state.objects state.dynamic dynamic.name dynamic.object "},
    {S, " state.path state.path_count "},
    {0, " state.uncertain state.lives state.dynamic_capacity "},
};

/* Exactly one line says it. */
static unsigned where_seen(const char *field) {
    char word[64];
    unsigned in = 0, lines = 0;
    snprintf(word, sizeof word, " %s ", field);
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        if (strstr(seen[i].fields, word)) in = seen[i].in, lines++;
    if (lines != 1) fail_msg("%u lines of this test say where %s is seen", lines, field);
    return in;
}

static const state_relation relations[] = {RELATION_SAME,     RELATION_MATCHED, RELATION_STORED,
                                           RELATION_ABSTRACT, RELATION_PROVED,  RELATION_OWN,
                                           RELATION_COUNTED};
static const char *const relation_names[] = {"SAME",   "MATCHED", "STORED", "ABSTRACT",
                                             "PROVED", "OWN",     "COUNTED"};
enum { RELATIONS = 7, WAYS = 3 /* in which a field is changed */ };

/* --- samples -------------------------------------------------------------------------------------------- */

static terms *context;

static const term *number(unsigned width, uint64_t n) {
    return term_const(context, width, n);
}

static const cell_type cells_of_shapes[] = {{.type = {32, VIEW_UNSIGNED}, .name = ""}};
static const layout shapes[1 + WAYS] = {{4, 1, cells_of_shapes, NULL, NULL, 0},
                                        {8, 1, cells_of_shapes, NULL, NULL, 0},
                                        {16, 1, cells_of_shapes, NULL, NULL, 0},
                                        {32, 1, cells_of_shapes, NULL, NULL, 0}};

enum { ROOM = 8 };

typedef struct thread_sample {
    thread_part part;
    value values[ROOM];
    frame frames[ROOM];
    awaited waits[ROOM];
} thread_sample;

typedef struct scheduler_sample {
    scheduler_part part;
    notification pending[ROOM];
    uint32_t updates[ROOM];
} scheduler_sample;

typedef union object_sample {
    memory_object part;
    char room[sizeof(memory_object) + ROOM * (sizeof(value) + sizeof(uint32_t))];
} object_sample;

static void make_thread(thread_sample *x) {
    memset(x, 0, sizeof *x);
    thread_part *t = &x->part;
    t->head.refs = 1;
    t->status = THREAD_RUNNABLE;
    t->values = x->values;
    t->frames = x->frames;
    t->waits = x->waits;
    t->value_count = t->frame_count = t->wait_count = 2;
    t->value_capacity = t->frame_capacity = t->wait_capacity = ROOM - WAYS;
    t->result = (value){number(32, 5), 0};
    for (uint32_t k = 0; k < ROOM; k++) {
        x->values[k] = (value){number(32, k), 0};
        x->frames[k] = (frame){.function = k, .block = 1, .registers = k, .result_register = NO_INDEX};
        x->waits[k] = (awaited){k, k == 1};
    }
}

static void make_scheduler(scheduler_sample *x) {
    memset(x, 0, sizeof *x);
    scheduler_part *s = &x->part;
    s->head.refs = 1;
    s->running = NO_INDEX - ROOM;
    s->time = number(64, 7);
    s->limit = number(64, 100);
    s->pending = x->pending;
    s->updates = x->updates;
    s->pending_count = s->update_count = 2;
    s->pending_capacity = s->update_capacity = ROOM - WAYS;
    for (uint32_t k = 0; k < ROOM; k++) {
        x->pending[k] = (notification){k, number(64, 9 + k)};
        x->updates[k] = k;
    }
}

static void make_object(object_sample *x) {
    memset(x, 0, sizeof *x);
    memory_object *o = &x->part;
    o->head.refs = 1;
    o->shape = o->described = &shapes[0];
    o->count = o->cells = 2;
    o->capacity = ROOM - WAYS;
    o->source_name = 3;
    o->made_at = (position){10, 20};
    for (uint32_t k = 0; k < o->capacity; k++) o->cell[k] = (value){number(32, k), 0};
}

typedef struct state_sample {
    state part;
    thread_sample threads[2];
    object_sample objects[2], others[2];
    scheduler_sample scheduler;
    thread_part *thread_table[2];
    memory_object *object_table[2];
    dynamic_object dynamic_table[2];
} state_sample;

static path_part *paths[1 + WAYS];

static void make_paths(void) {
    for (uint32_t k = 0; k < 1 + WAYS; k++) {
        paths[k] = calloc(1, sizeof *paths[k] + 4 * sizeof *paths[k]->conjunct);
        paths[k]->refs = 1;
        paths[k]->used = paths[k]->capacity = 4;
        for (uint32_t i = 0; i < 4; i++)
            paths[k]->conjunct[i] = term_symbol(context, 1, 10 + i + (k && i == 2 ? k : 0), "b", NO_INDEX);
    }
}

static void make_state(state_sample *x) {
    memset(x, 0, sizeof *x);
    make_scheduler(&x->scheduler);
    for (uint32_t k = 0; k < 2; k++) {
        make_thread(&x->threads[k]);
        make_object(&x->objects[k]);
        make_object(&x->others[k]);
        x->thread_table[k] = &x->threads[k].part;
        x->object_table[k] = &x->objects[k].part;
        x->dynamic_table[k] = (dynamic_object){10 + 10 * k, &x->others[k].part};
    }
    state *s = &x->part;
    s->refs = 1;
    s->scheduler = &x->scheduler.part;
    s->path = paths[0];
    s->path_count = 3;
    s->threads = x->thread_table;
    s->objects = x->object_table;
    s->dynamic = x->dynamic_table;
    s->thread_count = s->static_count = s->dynamic_count = 2;
    s->dynamic_capacity = 4;
}

/* --- changing one field --------------------------------------------------------------------------------- */

/* A truth value is the other one; the sample has small numbers, and pointers that nobody follows. */
static void change_bytes(void *field, size_t size, unsigned way) {
    uint64_t bits = 0;
    memcpy(&bits, field, size);
    bits += 1 + way;
    memcpy(field, &bits, size);
}
static void change_truth(void *field) {
    bool b;
    memcpy(&b, field, sizeof b);
    b = !b;
    memcpy(field, &b, sizeof b);
}
#define CHANGE(field, way)                                                                                   \
    _Generic((field), bool                                                                                   \
             : change_truth((void *)&(field)), default                                                       \
             : change_bytes((void *)&(field), sizeof(field), way))

#define CHANGES_NUMBER(part, type, name)                                                                     \
    static void change_##part##_##name(void *x, unsigned way) {                                              \
        CHANGE(((type *)x)->name, way);                                                                      \
    }
#define CHANGES_TO(part, type, name, other)                                                                  \
    static void change_##part##_##name(void *x, unsigned way) {                                              \
        ((type *)x)->name = other;                                                                           \
    }

#define FIELD(type, name, role) CHANGES_NUMBER(thread, thread_part, name)
#define VALUE(name, role)       CHANGES_TO(thread, thread_part, name, ((value){number(32, 50 + way), 0}))
#define ARRAY(element, name, count, capacity, role)                                                          \
    CHANGES_NUMBER(thread, thread_part, count)                                                               \
    CHANGES_NUMBER(thread, thread_part, capacity)
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY

/* Of either frame. */
#define FIELD(type, name, role)                                                                              \
    static void change_frame_##name(void *x, unsigned way) {                                                 \
        CHANGE(((thread_part *)x)->frames[way % 2].name, way);                                               \
    }
#include "machine/frame.def"
#undef FIELD

#define FIELD(type, name, role) CHANGES_NUMBER(object, memory_object, name)
#define LAYOUT(name, role)      CHANGES_TO(object, memory_object, name, &shapes[1 + way])
#define PLACE(name, role)                                                                                    \
    static void change_object_##name(void *x, unsigned way) {                                                \
        position *at = &((memory_object *)x)->name;                                                          \
        *(way % 2 ? &at->line : &at->column) += 1 + way;                                                     \
    }
#include "machine/object.def"
#undef FIELD
#undef LAYOUT
#undef PLACE

#define FIELD(type, name, role) CHANGES_NUMBER(scheduler, scheduler_part, name)
#define TERM(name, role)        CHANGES_TO(scheduler, scheduler_part, name, way ? number(64, 200 + way) : NULL)
#define ARRAY(element, name, count, capacity, role)                                                          \
    CHANGES_NUMBER(scheduler, scheduler_part, count)                                                         \
    CHANGES_NUMBER(scheduler, scheduler_part, capacity)
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY

/* Elements of arrays, and what counts only together with something else. */
static void awaited_event(void *x, unsigned way) {
    ((thread_part *)x)->waits[way % 2].event += 3;
}
static void awaited_arrived(void *x, unsigned way) {
    awaited *w = &((thread_part *)x)->waits[way % 2];
    w->arrived = !w->arrived;
}
static void notification_target(void *x, unsigned way) {
    ((scheduler_part *)x)->pending[way % 2].target += 5;
}
static void notification_due(void *x, unsigned way) {
    ((scheduler_part *)x)->pending[way % 2].due = number(64, 70 + way);
}
static void notification_kind(void *x, unsigned way) {
    ((scheduler_part *)x)->pending[way % 2].due = NULL;
}
static void scheduler_updates(void *x, unsigned way) {
    ((scheduler_part *)x)->updates[way % 2] += 4;
}

/* Of states: one for each line of the table. */
static void change_state_scheduler(void *x, unsigned way) {
    ((state *)x)->scheduler->running += 1 + way;
}
static void change_state_path(void *x, unsigned way) {
    ((state *)x)->path = paths[1 + way];
}
static void change_state_path_count(void *x, unsigned way) {
    ((state *)x)->path_count = way ? way - 1 : 4;
}
static void change_state_threads(void *x, unsigned way) {
    ((state *)x)->threads[way % 2]->atomic_depth += 1 + way;
}
static void change_state_thread_count(void *x, unsigned way) {
    ((state *)x)->thread_count = way % 2;
}
static void change_state_objects(void *x, unsigned way) {
    ((state *)x)->objects[way % 2]->freed = true;
}
static void change_state_static_count(void *x, unsigned way) {
    ((state *)x)->static_count = way % 2;
}
static void change_state_dynamic(void *x, unsigned way) {
    ((state *)x)->dynamic[way % 2].object->slot += 1 + way;
}
static void change_state_dynamic_count(void *x, unsigned way) {
    ((state *)x)->dynamic_count = way % 2;
}
static void change_state_lives(void *x, unsigned way) {
    static uint64_t never_looked_at[WAYS];
    ((state *)x)->lives = (life_event *)&never_looked_at[way];
}
static void change_state_uncertain(void *x, unsigned way) {
    (void)way;
    ((state *)x)->uncertain = true;
}
static void change_state_dynamic_capacity(void *x, unsigned way) {
    ((state *)x)->dynamic_capacity += 1 + way;
}
static void change_dynamic_name(void *x, unsigned way) {
    ((state *)x)->dynamic[way % 2].name += 1 + way;
}
static void change_dynamic_object(void *x, unsigned way) {
    ((state *)x)->dynamic[way % 2].object->heap += (uint8_t)(1 + way);
}

/* --- the list of all changes ---------------------------------------------------------------------------- */

typedef enum { OF_THREAD, OF_OBJECT, OF_SCHEDULER, OF_STATE } part_of;

typedef struct variation {
    const char *name; /* as relations_changed has it */
    part_of of;
    void (*change)(void *part, unsigned way);
} variation;

static const variation variations[] = {
#define FIELD(type, name, role) {"thread." #name, OF_THREAD, change_thread_##name},
#define VALUE(name, role)       {"thread." #name, OF_THREAD, change_thread_##name},
#define ARRAY(element, name, count, capacity, role)                                                          \
    {"thread." #count, OF_THREAD, change_thread_##count},                                                    \
        {"thread." #capacity, OF_THREAD, change_thread_##capacity},
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
#define FIELD(type, name, role) {"frame." #name, OF_THREAD, change_frame_##name},
#include "machine/frame.def"
#undef FIELD
#define FIELD(type, name, role) {"object." #name, OF_OBJECT, change_object_##name},
#define LAYOUT(name, role)      {"object." #name, OF_OBJECT, change_object_##name},
#define PLACE(name, role)       {"object." #name, OF_OBJECT, change_object_##name},
#include "machine/object.def"
#undef FIELD
#undef LAYOUT
#undef PLACE
#define FIELD(type, name, role) {"scheduler." #name, OF_SCHEDULER, change_scheduler_##name},
#define TERM(name, role)        {"scheduler." #name, OF_SCHEDULER, change_scheduler_##name},
#define ARRAY(element, name, count, capacity, role)                                                          \
    {"scheduler." #count, OF_SCHEDULER, change_scheduler_##count},                                           \
        {"scheduler." #capacity, OF_SCHEDULER, change_scheduler_##capacity},
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY
    {"awaited.event", OF_THREAD, awaited_event},
    {"awaited.arrived", OF_THREAD, awaited_arrived},
    {"notification.target", OF_SCHEDULER, notification_target},
    {"notification.due", OF_SCHEDULER, notification_due},
    {"notification.kind", OF_SCHEDULER, notification_kind},
    {"scheduler.updates", OF_SCHEDULER, scheduler_updates},
    {"thread.frames", OF_THREAD, change_frame_block},
    {"thread.waits", OF_THREAD, awaited_event},
    {"scheduler.pending", OF_SCHEDULER, notification_target},
#define FIELD(type, name, role) {"state." #name, OF_STATE, change_state_##name},
#define PART(type, name, role)  {"state." #name, OF_STATE, change_state_##name},
#define PATH(name, count, role)                                                                              \
    {"state." #name, OF_STATE, change_state_##name}, {"state." #count, OF_STATE, change_state_##count},
#define TABLE(type, name, count, role)                                                                       \
    {"state." #name, OF_STATE, change_state_##name}, {"state." #count, OF_STATE, change_state_##count},
#define NAMED(type, name, count, capacity, role)                                                             \
    {"state." #name, OF_STATE, change_state_##name}, {"state." #count, OF_STATE, change_state_##count},      \
        {"state." #capacity, OF_STATE, change_state_##capacity},
#include "machine/state.def"
#undef FIELD
#undef PART
#undef PATH
#undef TABLE
#undef NAMED
#define FIELD(type, name, role) {"dynamic." #name, OF_STATE, change_dynamic_##name},
#define PART(type, name, role)  {"dynamic." #name, OF_STATE, change_dynamic_##name},
#include "machine/dynamic.def"
#undef FIELD
#undef PART
};
enum { VARIATIONS = sizeof variations / sizeof *variations };

/* --- comparing ------------------------------------------------------------------------------------------ */

typedef union sample {
    thread_sample thread;
    object_sample object;
    scheduler_sample scheduler;
    state_sample state;
} sample;

static void make(sample *x, part_of of) {
    if (of == OF_THREAD) make_thread(&x->thread);
    if (of == OF_OBJECT) make_object(&x->object);
    if (of == OF_SCHEDULER) make_scheduler(&x->scheduler);
    if (of == OF_STATE) make_state(&x->state);
}

static bool is_compared_in(part_of of, state_relation r) {
    return of != OF_STATE || r & (S | A | P);
}

static bool agree(const sample *a, const sample *b, part_of of, state_relation r) {
    if (of == OF_THREAD) return threads_agree(&a->thread.part, &b->thread.part, r);
    if (of == OF_OBJECT) return objects_agree(&a->object.part, &b->object.part, r);
    if (of == OF_STATE) return states_agree(&a->state.part, &b->state.part, r);
    return schedulers_agree(&a->scheduler.part, &b->scheduler.part, r);
}

static uint64_t mixed(const sample *x, part_of of, state_relation r) {
    if (of == OF_THREAD) return thread_mix(1, &x->thread.part, r);
    if (of == OF_OBJECT) return object_mix(1, &x->object.part, r);
    if (of == OF_STATE) return state_mix(&x->state.part, r);
    return scheduler_mix(1, &x->scheduler.part, r);
}

/* Hashes may leave out the path of a state. */
static bool is_as_expected(const sample *a, const sample *b, part_of of, unsigned seen_in, int k) {
    if (!is_compared_in(of, relations[k])) return true;
    bool equal = !(seen_in & relations[k]), path_only = of == OF_STATE && seen_in == S;
    return agree(a, b, of, relations[k]) == equal &&
           (path_only || (mixed(a, of, relations[k]) == mixed(b, of, relations[k])) == equal);
}

/* NULL: it is seen just where it is to be seen; else in which relation it is not. */
static const char *wrong_in(const variation *v) {
    unsigned seen_in = where_seen(v->name);
    for (unsigned way = 0; way < WAYS; way++) {
        sample a, b;
        make(&a, v->of);
        make(&b, v->of);
        v->change(&b, way);
        for (int k = 0; k < RELATIONS; k++)
            if (!is_as_expected(&a, &b, v->of, seen_in, k)) return relation_names[k];
    }
    return NULL;
}

/* Where cells of a ragged object start counts always; who made what dies with a frame counts when matching. */
static const char *first_wrong_of_objects(void) {
    for (unsigned way = 0; way < WAYS; way++)
        for (int k = 0; k < RELATIONS; k++) {
            sample a, b;
            make(&a, OF_OBJECT);
            make(&b, OF_OBJECT);
            a.object.part.ragged = b.object.part.ragged = true;
            for (uint32_t i = 0; i < 2; i++)
                object_starts(&a.object.part)[i] = object_starts(&b.object.part)[i] = 4 * i;
            object_starts(&b.object.part)[1] += 1 + way;
            if (!is_as_expected(&a, &b, OF_OBJECT, where_seen("object.starts"), k)) return "object.starts";
            make(&a, OF_OBJECT);
            make(&b, OF_OBJECT);
            a.object.part.frame = b.object.part.frame = 1;
            b.object.part.owner += 1 + way;
            bool equal = agree(&a, &b, OF_OBJECT, relations[k]);
            if (equal == (((where_seen("object.owner") | M) & relations[k]) != 0)) return "object.owner";
        }
    return NULL;
}

/* --- tests ---------------------------------------------------------------------------------------------- */

static void each_field_is_seen_where_it_counts(void **unused) {
    (void)unused;
    for (size_t i = 0; i < VARIATIONS; i++) {
        const char *wrong = wrong_in(&variations[i]);
        if (wrong) fail_msg("%s in %s", variations[i].name, wrong);
    }
    const char *wrong = first_wrong_of_objects();
    if (wrong) fail_msg("%s", wrong);
}

/* Paths are sets; constants of a summary tell states apart for who abstracts, other numbers do not. */
static void states_are_compared_with_what_they_hold(void **unused) {
    (void)unused;
    state_sample a, b;
    make_state(&a);
    make_state(&b);
    b.others[0].part.cell[1].bits = number(32, 90);
    assert_false(states_agree(&a.part, &b.part, RELATION_SAME));
    assert_true(states_agree(&a.part, &b.part, RELATION_ABSTRACT));
    assert_true(state_mix(&a.part, RELATION_ABSTRACT) == state_mix(&b.part, RELATION_ABSTRACT));
    assert_true(state_mix(&a.part, RELATION_PROVED) == state_mix(&b.part, RELATION_PROVED));
    a.others[0].part.summary = b.others[0].part.summary = true;
    assert_false(states_agree(&a.part, &b.part, RELATION_ABSTRACT));
    assert_true(state_mix(&a.part, RELATION_ABSTRACT) != state_mix(&b.part, RELATION_ABSTRACT));
    assert_true(state_mix(&a.part, RELATION_PROVED) != state_mix(&b.part, RELATION_PROVED));
}

/* Hashes may be equal by chance, so a hash is asked for many numbers: hardly any two are. */
static void hashes_of_different_fields_differ(void **unused) {
    (void)unused;
    enum { NUMBERS = 200 };
    uint64_t seen[2 * NUMBERS];
    for (uint32_t n = 0; n < NUMBERS; n++) {
        thread_sample t;
        make_thread(&t);
        t.part.interrupts = n;
        seen[n] = thread_mix(0, &t.part, RELATION_MATCHED);
        t.part.interrupts = 0;
        t.part.copied = n + 1;
        seen[NUMBERS + n] = thread_mix(0, &t.part, RELATION_MATCHED);
    }
    for (int a = 0; a < 2 * NUMBERS; a++)
        for (int b = 0; b < a; b++) assert_true(seen[a] != seen[b]);
}

static unsigned values_seen_in(value a, value b) {
    unsigned seen = 0;
    for (int k = 0; k < RELATIONS; k++) {
        bool equal = values_agree(&a, &b, 1, relations[k]);
        if (!equal) seen |= relations[k];
        if (equal) assert_true(values_mix(7, &a, 1, relations[k]) == values_mix(7, &b, 1, relations[k]));
    }
    return seen;
}

static void numbers_are_data_and_pointers_are_not(void **unused) {
    (void)unused;
    value five = {number(32, 5), 0};
    assert_int_equal(values_seen_in(five, five), 0);
    assert_int_equal(values_seen_in(five, (value){number(32, 6), 0}), S | M | K | O | C);
    assert_int_equal(values_seen_in(five, (value){number(64, 5), 0}), S | M | K | A | P | O | C);
    assert_int_equal(values_seen_in(five, (value){number(32, 5), 1}), S | M | K | A | P | O | C);
    assert_int_equal(values_seen_in(five, (value){NULL, 0}), S | M | K | A | P | O | C);
}

/* Whoever goes over the values of a thread sees every register and its result. */
static void values_of_threads_are_compared(void **unused) {
    (void)unused;
    thread_sample a, b;
    for (unsigned which = 0; which < 3; which++) {
        make_thread(&a);
        make_thread(&b);
        assert_true(threads_values_agree(&a.part, &b.part, RELATION_SAME));
        assert_true(thread_values_mix(1, &a.part, RELATION_SAME) ==
                    thread_values_mix(1, &b.part, RELATION_SAME));
        *(which == 2 ? &b.part.result : &b.values[which]) = (value){number(32, 90), 0};
        assert_false(threads_values_agree(&a.part, &b.part, RELATION_SAME));
        assert_true(threads_values_agree(&a.part, &b.part, RELATION_ABSTRACT));
        assert_true(thread_values_mix(1, &a.part, RELATION_SAME) !=
                    thread_values_mix(1, &b.part, RELATION_SAME));
        assert_true(thread_values_mix(1, &a.part, RELATION_ABSTRACT) ==
                    thread_values_mix(1, &b.part, RELATION_ABSTRACT));
    }
}

#ifdef HEDDLE_CHANGES_ROLES
static bool is_noticed(const char *field, unsigned instead) {
    relations_changed = field;
    relations_instead = instead;
    bool noticed = first_wrong_of_objects() != NULL;
    for (size_t i = 0; i < VARIATIONS && !noticed; i++)
        noticed = !strcmp(variations[i].name, field) && wrong_in(&variations[i]);
    relations_changed = NULL;
    return noticed;
}

static const unsigned all_roles[] = {ROLE_CONTROL, ROLE_HANDLED, ROLE_DATA,  ROLE_SUMMARY, ROLE_CLOCK,
                                     ROLE_NAME,    ROLE_HINT,    ROLE_MAKER, ROLE_BIRTHS,  ROLE_FIXED,
                                     ROLE_BOUND,   ROLE_NOTE,    ROLE_COUNT, ROLE_CACHE,   ROLE_ASIDE};

/* Counts of arrays have no role, and are forgotten or not; nor have values of numbers and paths. */
static bool has_a_role(const char *field) {
    static const char *const without = " thread.values thread.result notification.kind object.starts "
                                       "state.path state.path_count ";
    char word[64];
    snprintf(word, sizeof word, " %s ", field);
    return !strstr(without, word) && !strstr(field, "_count") && !strstr(field, "_capacity");
}

static void a_wrong_role_is_noticed(void **unused) {
    (void)unused;
    unsigned checked = 0;
    for (size_t i = 0; i < VARIATIONS; i++) {
        const variation *v = &variations[i];
        unsigned right = where_seen(v->name), compared = v->of == OF_STATE ? S | A | P : ~0u;
        for (size_t k = 0; k < sizeof all_roles / sizeof *all_roles && has_a_role(v->name); k++) {
            bool same = !((all_roles[k] ^ right) & compared);
            /* where things are due is compared in M, too, as far as that is */
            if (same || (!strcmp(v->name, "notification.due") && all_roles[k] == ROLE_CONTROL)) continue;
            if (!is_noticed(v->name, all_roles[k]))
                fail_msg("nobody noticed %s in %#x instead of %#x", v->name, all_roles[k], right);
            checked++;
        }
    }
    assert_true(checked > 500);
}

/* And what counts without having a role, but for what goes with something else. */
static void a_forgotten_field_is_noticed(void **unused) {
    (void)unused;
    for (size_t i = 0; i < VARIATIONS; i++) {
        const char *name = variations[i].name;
        bool goes_along = !strcmp(name, "notification.kind") || !strcmp(name, "state.path_count");
        if (where_seen(name) && !goes_along && !is_noticed(name, 0))
            fail_msg("nobody noticed that %s is forgotten", name);
    }
    assert_true(is_noticed("object.starts", 0));
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field_is_seen_where_it_counts),
        cmocka_unit_test(states_are_compared_with_what_they_hold),
        cmocka_unit_test(hashes_of_different_fields_differ),
        cmocka_unit_test(numbers_are_data_and_pointers_are_not),
        cmocka_unit_test(values_of_threads_are_compared),
#ifdef HEDDLE_CHANGES_ROLES
        cmocka_unit_test(a_wrong_role_is_noticed),
        cmocka_unit_test(a_forgotten_field_is_noticed),
#endif
    };
    context = terms_create();
    make_paths();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    terms_destroy(context);
    for (uint32_t k = 0; k < 1 + WAYS; k++) free(paths[k]);
    return failed;
}
