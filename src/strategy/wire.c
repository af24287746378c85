#include "strategy/wire.h"

#include "explore/prefix.h"
#include "machine/record.h"
#include "machine/seen.h"

#include <stdlib.h>

enum { BEGIN = 0x48656464, END = 0x6c656f6b, MOST_ITEMS = 1 << 28 };

/* Structures are gone through by the tables that they are made of (explore.h, seen.h). Forms of fields:
 *
 *  NUMBER      a number, also of an enumeration, or a truth value
 *  WHOLE       as it lies in memory: nothing in it is a pointer
 *  TEXT        with its end, or NULL
 *  REASON, SEEN_PLACE, SEEN, and the lists DOUBTS, VIOLATIONS, HASHES: of these
 *  WAY         a path: as a text that means the same elsewhere
 *  AGAIN       not at all: whoever reads finds it out again, by going that way */

/* --- writing -------------------------------------------------------------------------------------------- */

static void put(bytes *w, const void *bytes, size_t count) {
    vec_reserve(w, w->size + count);
    if (count) memcpy(w->data + w->size, bytes, count);
    w->size += count;
}

static void put_number(bytes *w, uint64_t n) {
    put(w, &n, sizeof n);
}

static void put_text(bytes *w, const char *text) {
    size_t length = text ? strlen(text) + 1 : 0;
    put_number(w, length);
    put(w, text, length);
}

static void put_reason(bytes *w, reason why) {
    put_number(w, why.kind);
    put_text(w, why.words);
}

#define PUT(form, type, name) PUT_##form(name)
#define PUT_NUMBER(name)      put_number(w, (uint64_t)x->name);
#define PUT_WHOLE(name)       put(w, &x->name, sizeof x->name);
#define PUT_TEXT(name)        put_text(w, x->name);
#define PUT_REASON(name)      put_reason(w, x->name);
#define PUT_SEEN_PLACE(name)  put_seen_place(w, &x->name);
#define PUT_SEEN(name)        put_seen(w, &x->name);
#define PUT_WAY(name)         put_text(w, way);
#define PUT_AGAIN(name)

static void put_seen_place(bytes *w, const seen_place *x) {
    SEEN_PLACE_FIELDS(PUT)
}

static void put_fact(bytes *w, const seen_fact *x) {
    SEEN_FACT_FIELDS(PUT)
}

static void put_blocked(bytes *w, const blocked_thread *x) {
    BLOCKED_THREAD_FIELDS(PUT)
}

static void put_race(bytes *w, const racing_places *x) {
    RACING_PLACES_FIELDS(PUT)
}

static void put_ids_compared(bytes *w, const ids_compared *x) {
    IDS_COMPARED_FIELDS(PUT)
}

static void put_doubt(bytes *w, const doubt *x) {
    DOUBT_FIELDS(PUT)
}

static void put_violation(bytes *w, const violation *x, const char *way) {
    VIOLATION_FIELDS(PUT)
}

static void put_attempt(bytes *w, const attempt *x) {
    ATTEMPT_FIELDS(PUT)
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = ((const map_slot *)a)->key, y = ((const map_slot *)b)->key;
    return (x > y) - (x < y);
}

/* Sorted: what lies where in a map depends on its past. */
static void put_map(bytes *w, const map *m) {
    VEC(map_slot) sorted = {0};
    map_slot slot;
    for (size_t at = 0; map_next(m, &at, &slot.key, &slot.value);) vec_push(&sorted, slot);
    if (sorted.size) qsort(sorted.data, sorted.size, sizeof *sorted.data, compare_keys);
    put_number(w, sorted.size);
    put(w, sorted.data, sorted.size * sizeof *sorted.data);
    vec_free(&sorted);
}

#define PUT_FACT(name, reason) put_fact(w, &x->name);
#define PUT_BLOCKED(name)      put_blocked(w, &x->name);
#define PUT_WHO(name)          PUT_NUMBER(name)
#define PUT_COUNT(name)        PUT_NUMBER(name)
#define PUT_RACE(name)         put_race(w, &x->name);
#define PUT_CHECKS(name)                                                                                     \
    put_number(w, x->name.size);                                                                             \
    for (size_t i = 0; i < x->name.size; i++) put_number(w, x->name.data[i]);
#define PUT_JOINERS(name) put_map(w, &x->name);
#define PUT_COMPARED(name)                                                                                   \
    put_number(w, x->name.size);                                                                             \
    for (size_t i = 0; i < x->name.size; i++) put_ids_compared(w, &x->name.data[i]);
#define PUT_INDEX(name)

static void put_seen(bytes *w, const machine_seen *x) {
    SEEN_MEMBERS(PUT)
}

#define PUT_DOUBTS(name)                                                                                     \
    put_number(w, x->name.size);                                                                             \
    for (size_t i = 0; i < x->name.size; i++) put_doubt(w, &x->name.data[i]);
#define PUT_VIOLATIONS(name)                                                                                 \
    put_number(w, x->name.size);                                                                             \
    for (size_t i = 0; i < x->name.size; i++) put_violation(w, &x->name.data[i], m->ways.data[i]);
#define PUT_HASHES(name)                                                                                     \
    put_number(w, x->name.size);                                                                             \
    put(w, x->name.data, x->name.size * sizeof *x->name.data);

static void put_message(bytes *w, const message *m) {
    const outcome *x = &m->out;
    assert(m->ways.size == x->violations.size);
    put_number(w, BEGIN);
    put_number(w, m->threads.size);
    put(w, m->threads.data, m->threads.size * sizeof *m->threads.data);
    put(w, &m->work, sizeof m->work);
    OUTCOME_FIELDS(PUT)
    put_number(w, m->given_up.size);
    for (size_t i = 0; i < m->given_up.size; i++) put_attempt(w, &m->given_up.data[i]);
    put_number(w, END);
}

/* --- what is written ------------------------------------------------------------------------------------ */

/* A path that cannot be followed any more, because the solver answers less than it did, is "?": no
 * way to anywhere. */
static const char *describe_way(machine *m, const step_options *how, const path *steps, arena *memory) {
    text way = {0};
    const char *said = prefix_print(m, steps, how, &way) ? text_cstr(&way) : "?";
    said = arena_string(memory, said, strlen(said));
    text_free(&way);
    return said;
}

/* Checks that the machine made at pointer accesses have numbers of its own. */
static size_t count_common_checks(machine *m) {
    return machine_program(m)->checks.size + machine_checks_leaks(m);
}

/* It is read as what was written. */
FOR_ASSERTIONS static bool can_be_read(const bytes *w) {
    arena memory = {0};
    bytes again = {0};
    message m;
    bool same = wire_read(w, &memory, &m);
    if (same) {
        put_message(&again, &m);
        same = again.size == w->size && !memcmp(again.data, w->data, w->size);
        outcome_free(&m.out);
        message_free(&m);
    }
    vec_free(&again);
    arena_free(&memory);
    return same;
}

void wire_write(bytes *w, machine *m, const machine_statistics *before, const step_options *how,
                const outcome *out, const attempts *given_up) {
    const machine_statistics *now = machine_stats(m);
    arena memory = {0};
    machine_names names = {0};
    machine_names_collect(m, &names);
    message said = {
        .out = *out, .threads = names.threads, .given_up = *given_up}; /* which keep their lists */
    said.work = (machine_statistics){now->steps - before->steps, now->instructions - before->instructions,
                                     now->forks - before->forks};
    size_t common = count_common_checks(m);
    if (said.out.seen.reached.size > common) said.out.seen.reached.size = common;
    for (size_t i = 0; i < out->violations.size; i++)
        vec_push(&said.ways, describe_way(m, how, &out->violations.data[i].path, &memory));
    put_message(w, &said);
    vec_free(&said.ways);
    machine_names_free(&names);
    arena_free(&memory);
    slow_assert(can_be_read(w));
}

/* --- reading -------------------------------------------------------------------------------------------- */

typedef struct reader {
    const bytes *from;
    size_t at;
    arena *memory; /* for texts */
    bool broken;
} reader;

static const void *get(reader *r, size_t count) {
    r->broken |= count > r->from->size - r->at;
    if (r->broken) return NULL;
    r->at += count;
    return r->from->data + (r->at - count);
}

static void get_into(reader *r, void *to, size_t count) {
    const void *bytes = get(r, count);
    if (bytes) memcpy(to, bytes, count);
}

static uint64_t get_number(reader *r) {
    uint64_t n = 0;
    get_into(r, &n, sizeof n);
    return n;
}

static size_t get_count(reader *r) {
    uint64_t n = get_number(r);
    r->broken |= n > MOST_ITEMS;
    return r->broken ? 0 : (size_t)n;
}

static const char *get_text(reader *r) {
    size_t length = get_count(r);
    const char *bytes = length ? get(r, length) : NULL;
    return bytes ? arena_string(r->memory, bytes, length - 1) : NULL;
}

static reason get_reason(reader *r) {
    uint64_t kind = get_number(r);
    r->broken |= kind >= REASON_KINDS;
    const char *words = get_text(r);
    return (reason){r->broken ? REASON_NONE : (reason_kind)kind, words};
}

#define GET(form, type, name)      GET_##form(type, name)
#define GET_NUMBER(type, name)     x->name = (type)get_number(r);
#define GET_WHOLE(type, name)      get_into(r, &x->name, sizeof x->name);
#define GET_TEXT(type, name)       x->name = get_text(r);
#define GET_REASON(type, name)     x->name = get_reason(r);
#define GET_SEEN_PLACE(type, name) get_seen_place(r, &x->name);
#define GET_SEEN(type, name)       get_seen(r, &x->name);
#define GET_WAY(type, name)        *way = get_text(r);
#define GET_AGAIN(type, name)

static void get_seen_place(reader *r, seen_place *x) {
    SEEN_PLACE_FIELDS(GET)
}

static void get_fact(reader *r, seen_fact *x) {
    SEEN_FACT_FIELDS(GET)
}

static void get_blocked(reader *r, blocked_thread *x) {
    BLOCKED_THREAD_FIELDS(GET)
}

static void get_race(reader *r, racing_places *x) {
    RACING_PLACES_FIELDS(GET)
}

static void get_ids_compared(reader *r, ids_compared *x) {
    IDS_COMPARED_FIELDS(GET)
}

static void get_doubt(reader *r, doubt *x) {
    DOUBT_FIELDS(GET)
}

static void get_violation(reader *r, violation *x, const char **way) {
    VIOLATION_FIELDS(GET)
    r->broken |= !*way;
}

static void get_attempt(reader *r, attempt *x) {
    ATTEMPT_FIELDS(GET)
}

#define GET_FACT(name, reason) get_fact(r, &x->name);
#define GET_BLOCKED(name)      get_blocked(r, &x->name);
#define GET_WHO(name)          GET_NUMBER(uint32_t, name)
#define GET_COUNT(name)        GET_NUMBER(uint64_t, name)
#define GET_RACE(name)         get_race(r, &x->name);
#define GET_CHECKS(name)                                                                                     \
    for (size_t n = get_count(r); n && !r->broken; n--) vec_push(&x->name, get_number(r) != 0);
#define GET_JOINERS(name)                                                                                    \
    for (size_t n = get_count(r); n && !r->broken; n--) {                                                    \
        uint32_t thread = (uint32_t)get_number(r);                                                           \
        seen_note_joined(x, thread, (uint32_t)get_number(r));                                                \
    }
#define GET_COMPARED(name)                                                                                   \
    for (size_t n = get_count(r); n && !r->broken; n--) {                                                    \
        ids_compared c = {0};                                                                                \
        get_ids_compared(r, &c);                                                                             \
        seen_note_ids_compared(x, c);                                                                        \
    }
#define GET_INDEX(name) /* filled with the list */

static void get_seen(reader *r, machine_seen *x) {
    SEEN_MEMBERS(GET)
}

#define GET_DOUBTS(type, name)                                                                               \
    for (size_t n = get_count(r); n && !r->broken; n--) {                                                    \
        vec_push(&x->name, ((doubt){0}));                                                                    \
        get_doubt(r, &vec_last(&x->name));                                                                   \
    }
#define GET_VIOLATIONS(type, name)                                                                           \
    for (size_t n = get_count(r); n && !r->broken; n--) {                                                    \
        vec_push(&x->name, ((violation){.check = NO_INDEX}));                                                \
        vec_push(&m->ways, NULL);                                                                            \
        get_violation(r, &vec_last(&x->name), &vec_last(&m->ways));                                          \
    }
#define GET_HASHES(type, name)                                                                               \
    for (size_t n = get_count(r); n && !r->broken; n--) vec_push(&x->name, get_number(r));

bool wire_read(const bytes *w, arena *memory, message *m) {
    reader reading = {.from = w, .memory = memory}, *r = &reading;
    *m = (message){0};
    outcome *x = &m->out;
    r->broken = get_number(r) != BEGIN;
    for (size_t n = get_count(r); n && !r->broken; n--) {
        vec_push(&m->threads, ((thread_birth){0}));
        get_into(r, &vec_last(&m->threads), sizeof *m->threads.data);
    }
    get_into(r, &m->work, sizeof m->work);
    OUTCOME_FIELDS(GET)
    for (size_t n = get_count(r); n && !r->broken; n--) {
        vec_push(&m->given_up, ((attempt){0}));
        get_attempt(r, &vec_last(&m->given_up));
    }
    r->broken |= get_number(r) != END || r->at != w->size;
    if (r->broken) {
        outcome_free(&m->out);
        message_free(m);
    }
    return !r->broken;
}

void message_free(message *m) {
    vec_free(&m->threads);
    vec_free(&m->ways);
    vec_free(&m->given_up);
}
