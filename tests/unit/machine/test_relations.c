/* Every field of a state, and every relation between parts: who differs in one field alone agrees in just the
 * relations that the field's role leaves it out of, and has equal hashes there.
 *
 * What roles mean is written down here once more (fields.h is what it is compared with). Compiled with
 * HEDDLE_FORGETS_FIELDS, against relations that forget a field, the same tests must notice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "machine/relations.h"

#ifdef HEDDLE_FORGETS_FIELDS
extern const char *relations_forgotten;
#endif

/* --- what roles mean ------------------------------------------------------------------------------------ */

enum {
    S = RELATION_SAME,
    M = RELATION_MATCHED,
    K = RELATION_STORED,
    A = RELATION_ABSTRACT,
    P = RELATION_PROVED,
    O = RELATION_OWN
};

enum {
    SEEN_CONTROL = S | M | K | A | P | O,
    SEEN_HANDLED = S | M | K | A | P,
    SEEN_DATA = 0,
    SEEN_SUMMARY = S | K | A | P | O,
    SEEN_CLOCK = S | K | A | P | O,
    SEEN_HINT = S | K | A,
    SEEN_MAKER = K | A | P,
    SEEN_BIRTHS = A | P,
    SEEN_FIXED = K,
    SEEN_BOUND = K,
    SEEN_NOTE = K,
    SEEN_COUNT = 0,
    SEEN_CACHE = 0,
    SEEN_ASIDE = 0,
    SEEN_ALWAYS = S | M | K | A | P | O /* how many there are */
};

static const state_relation relations[] = {RELATION_SAME,     RELATION_MATCHED, RELATION_STORED,
                                           RELATION_ABSTRACT, RELATION_PROVED,  RELATION_OWN};
static const char *const relation_names[] = {"SAME", "MATCHED", "STORED", "ABSTRACT", "PROVED", "OWN"};
enum { RELATIONS = 6, WAYS = 3 /* in which a field is changed */ };

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

/* --- the list of all changes ---------------------------------------------------------------------------- */

typedef enum { OF_THREAD, OF_OBJECT, OF_SCHEDULER } part_of;

typedef struct variation {
    const char *name; /* as relations_forgotten has it */
    part_of of;
    unsigned seen_in; /* relations */
    void (*change)(void *part, unsigned way);
} variation;

static const variation variations[] = {
#define FIELD(type, name, role) {"thread." #name, OF_THREAD, SEEN_##role, change_thread_##name},
#define VALUE(name, role)       {"thread." #name, OF_THREAD, SEEN_##role, change_thread_##name},
#define ARRAY(element, name, count, capacity, role)                                                          \
    {"thread." #count, OF_THREAD, SEEN_ALWAYS, change_thread_##count},                                       \
        {"thread." #capacity, OF_THREAD, SEEN_CACHE, change_thread_##capacity},
#include "machine/thread.def"
#undef FIELD
#undef VALUE
#undef ARRAY
#define FIELD(type, name, role) {"frame." #name, OF_THREAD, SEEN_##role, change_frame_##name},
#include "machine/frame.def"
#undef FIELD
#define FIELD(type, name, role) {"object." #name, OF_OBJECT, SEEN_##role, change_object_##name},
#define LAYOUT(name, role)      {"object." #name, OF_OBJECT, SEEN_##role, change_object_##name},
#define PLACE(name, role)       {"object." #name, OF_OBJECT, SEEN_##role, change_object_##name},
#include "machine/object.def"
#undef FIELD
#undef LAYOUT
#undef PLACE
#define FIELD(type, name, role) {"scheduler." #name, OF_SCHEDULER, SEEN_##role, change_scheduler_##name},
#define TERM(name, role)        {"scheduler." #name, OF_SCHEDULER, SEEN_##role, change_scheduler_##name},
#define ARRAY(element, name, count, capacity, role)                                                          \
    {"scheduler." #count, OF_SCHEDULER, SEEN_ALWAYS, change_scheduler_##count},                              \
        {"scheduler." #capacity, OF_SCHEDULER, SEEN_CACHE, change_scheduler_##capacity},
#include "machine/scheduler.def"
#undef FIELD
#undef TERM
#undef ARRAY
    {"thread.waits", OF_THREAD, SEEN_CONTROL, awaited_event},
    {"thread.waits", OF_THREAD, SEEN_CONTROL, awaited_arrived},
    {"scheduler.pending", OF_SCHEDULER, SEEN_CONTROL, notification_target},
    {"scheduler.pending", OF_SCHEDULER, SEEN_CLOCK, notification_due},
    {"scheduler.pending", OF_SCHEDULER, SEEN_CONTROL, notification_kind},
    {"scheduler.updates", OF_SCHEDULER, SEEN_CONTROL, scheduler_updates},
};
enum { VARIATIONS = sizeof variations / sizeof *variations };

/* --- comparing ------------------------------------------------------------------------------------------ */

typedef union sample {
    thread_sample thread;
    object_sample object;
    scheduler_sample scheduler;
} sample;

static void make(sample *x, part_of of) {
    if (of == OF_THREAD) make_thread(&x->thread);
    if (of == OF_OBJECT) make_object(&x->object);
    if (of == OF_SCHEDULER) make_scheduler(&x->scheduler);
}

static bool agree(const sample *a, const sample *b, part_of of, state_relation r) {
    if (of == OF_THREAD) return threads_agree(&a->thread.part, &b->thread.part, r);
    if (of == OF_OBJECT) return objects_agree(&a->object.part, &b->object.part, r);
    return schedulers_agree(&a->scheduler.part, &b->scheduler.part, r);
}

static uint64_t mixed(const sample *x, part_of of, state_relation r) {
    if (of == OF_THREAD) return thread_mix(1, &x->thread.part, r);
    if (of == OF_OBJECT) return object_mix(1, &x->object.part, r);
    return scheduler_mix(1, &x->scheduler.part, r);
}

static bool is_as_expected(const sample *a, const sample *b, part_of of, unsigned seen_in, int k) {
    bool equal = !(seen_in & relations[k]);
    return agree(a, b, of, relations[k]) == equal &&
           (mixed(a, of, relations[k]) == mixed(b, of, relations[k])) == equal;
}

/* NULL: all fields are seen just where they are to be seen; else a field that is not. */
static const char *first_wrong(void) {
    static char said[128];
    for (size_t i = 0; i < VARIATIONS; i++) {
        const variation *v = &variations[i];
        for (unsigned way = 0; way < WAYS; way++) {
            sample a, b;
            make(&a, v->of);
            make(&b, v->of);
            v->change(&b, way);
            for (int k = 0; k < RELATIONS; k++) {
                if (is_as_expected(&a, &b, v->of, v->seen_in, k)) continue;
                snprintf(said, sizeof said, "%s in %s", v->name, relation_names[k]);
                return said;
            }
        }
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
            if (!is_as_expected(&a, &b, OF_OBJECT, SEEN_CONTROL, k)) return "object.starts";
            make(&a, OF_OBJECT);
            make(&b, OF_OBJECT);
            a.object.part.frame = b.object.part.frame = 1;
            b.object.part.owner += 1 + way;
            bool equal = agree(&a, &b, OF_OBJECT, relations[k]);
            if (equal == ((SEEN_MAKER | M) & relations[k] ? true : false)) return "object.owner";
        }
    return NULL;
}

/* --- tests ---------------------------------------------------------------------------------------------- */

static void each_field_is_seen_where_its_role_says(void **unused) {
    (void)unused;
    const char *wrong = first_wrong();
    if (wrong) fail_msg("%s", wrong);
    wrong = first_wrong_of_objects();
    if (wrong) fail_msg("%s", wrong);
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
    assert_int_equal(values_seen_in(five, (value){number(32, 6), 0}), S | M | K | O);
    assert_int_equal(values_seen_in(five, (value){number(64, 5), 0}), S | M | K | A | P | O);
    assert_int_equal(values_seen_in(five, (value){number(32, 5), 1}), S | M | K | A | P | O);
    assert_int_equal(values_seen_in(five, (value){NULL, 0}), S | M | K | A | P | O);
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

#ifdef HEDDLE_FORGETS_FIELDS
/* Arrays of which the elements are forgotten, and what has no line in the tables. */
static const char *const further[] = {"thread.frames", "thread.waits", "scheduler.pending",
                                      "scheduler.updates", "object.starts"};

static void assert_noticed(const char *name) {
    relations_forgotten = name;
    bool noticed = first_wrong() || first_wrong_of_objects();
    relations_forgotten = NULL;
    if (!noticed) fail_msg("nobody noticed that %s is forgotten", name);
}

static void a_forgotten_field_is_noticed(void **unused) {
    (void)unused;
    for (size_t i = 0; i < VARIATIONS; i++)
        if (variations[i].seen_in) assert_noticed(variations[i].name);
    for (size_t i = 0; i < sizeof further / sizeof *further; i++) assert_noticed(further[i]);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field_is_seen_where_its_role_says),
        cmocka_unit_test(hashes_of_different_fields_differ),
        cmocka_unit_test(numbers_are_data_and_pointers_are_not),
        cmocka_unit_test(values_of_threads_are_compared),
#ifdef HEDDLE_FORGETS_FIELDS
        cmocka_unit_test(a_forgotten_field_is_noticed),
#endif
    };
    context = terms_create();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    terms_destroy(context);
    return failed;
}
