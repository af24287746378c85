/* When states are the same: hashes, which every part keeps until it is written, and comparison; and the walk
 * over all values in canonical order. */
#include "base/hash.h"
#include "machine/internal.h"
#include "machine/relations.h"

#include <string.h>

/* --- hashing -------------------------------------------------------------------------------------------- */

/* Dynamic objects are hashed without their names: equal states may have made them in another order. */
static uint64_t value_hash(value v, hash_kind kind, uint32_t static_count) {
    if (!v.bits) return 1;
    bool dynamic = v.base > static_count && v.base < FUNCTION_BASE;
    uint64_t base = dynamic ? UINT64_C(0x77) : v.base;
    if (kind == HASH_CONCRETE && !term_is_const(v.bits)) return hash_pair(base, 2);
    uint64_t bits = kind == HASH_EXACT ? v.bits->hash : v.bits->shape;
    return hash_pair(base, bits);
}

static bool cached(const part *p, hash_kind kind) {
    return p->hashed >> kind & 1;
}

static uint64_t remember(part *p, hash_kind kind, uint64_t hash) {
    p->hash[kind] = hash;
    p->hashed |= (uint16_t)(1u << kind);
    return hash;
}

static uint64_t add_values(uint64_t h, const value *v, uint32_t count, hash_kind kind,
                           uint32_t static_count) {
    for (uint32_t i = 0; i < count; i++) h = hash_pair(h, value_hash(v[i], kind, static_count));
    return h;
}

static uint64_t object_hash(memory_object *o, hash_kind kind, uint32_t static_count) {
    if (cached(&o->head, kind)) return o->head.hash[kind];
    uint64_t h = object_mix(0, o, RELATION_MATCHED);
    if (kind != HASH_CONTROL || o->always_concrete) h = add_values(h, o->cell, o->cells, kind, static_count);
    return remember(&o->head, kind, hash_mix(h));
}

static uint64_t thread_hash(thread_part *t, hash_kind kind, uint32_t static_count) {
    if (cached(&t->head, kind)) return t->head.hash[kind];
    uint64_t h = thread_mix(0, t, RELATION_MATCHED);
    thread_data values = thread_values(t);
    for (uint32_t k = 0; k < THREAD_SPANS && kind != HASH_CONTROL; k++)
        h = add_values(h, values.span[k].v, values.span[k].count, kind, static_count);
    return remember(&t->head, kind, hash_mix(h));
}

/* Due times count relative to now. Symbolic ones are data and left to the matchers. */
static uint64_t scheduler_hash(scheduler_part *s, hash_kind kind) {
    if (cached(&s->head, kind)) return s->head.hash[kind];
    uint64_t h = scheduler_mix(0, s, RELATION_MATCHED);
    scheduler_times times = times_of(s);
    for (uint32_t k = 0; k < DUE_TIMES && term_is_const(s->time); k++)
        for (uint32_t i = 0; i < times.due[k].count; i++) {
            const term *due = *time_at(times.due[k], i);
            if (due && term_is_const(due)) h = hash_pair(h, due->value - s->time->value);
        }
    return remember(&s->head, kind, hash_mix(h));
}

/* --- facts about the values of a part, kept like its hashes --------------------------------------------- */

/* Bits of part.hashed behind those of the hashes; each with its KNOWN above it. */
enum {
    IS_CONCRETE = 1 << HASH_KINDS, /* no value depends on an input */
    IS_PLAIN = IS_CONCRETE << 2,   /* only constants, and pointers to what has the same name in every state */
    IS_CLOSED = IS_PLAIN << 2      /* no pointer to a dynamic object */
};

static bool is_fact(const part *p, unsigned fact) {
    return p->hashed & fact;
}

static bool is_looked_at(const part *p, unsigned fact) {
    return p->hashed & fact << 1;
}

static bool note_fact(part *p, unsigned fact, bool holds) {
    p->hashed |= (uint16_t)(fact << 1 | (holds ? fact : 0));
    return holds;
}

/* Whether a fact holds of all values of a part. */
static bool holds_of_all(part *p, unsigned fact, const value_span *spans, uint32_t count,
                         uint32_t static_count, bool (*holds)(value v, uint32_t static_count)) {
    if (is_looked_at(p, fact)) return is_fact(p, fact);
    bool all = true;
    for (uint32_t k = 0; k < count && all; k++)
        for (uint32_t i = 0; i < spans[k].count && all; i++) all = holds(spans[k].v[i], static_count);
    return note_fact(p, fact, all);
}

static bool object_holds(memory_object *o, unsigned fact, uint32_t static_count,
                         bool (*holds)(value v, uint32_t static_count)) {
    return holds_of_all(&o->head, fact, &(value_span){o->cell, o->cells}, 1, static_count, holds);
}

static bool thread_holds(thread_part *t, unsigned fact, uint32_t static_count,
                         bool (*holds)(value v, uint32_t static_count)) {
    if (is_looked_at(&t->head, fact)) return is_fact(&t->head, fact);
    thread_data values = thread_values(t);
    return holds_of_all(&t->head, fact, values.span, THREAD_SPANS, static_count, holds);
}

static bool is_concrete(value v, uint32_t static_count) {
    (void)static_count;
    return !v.bits || term_is_const(v.bits);
}

static bool is_closed(value v, uint32_t static_count) {
    uint32_t name = value_object(v);
    return name == NO_INDEX || name < static_count;
}

static bool is_plain(value v, uint32_t static_count) {
    bool fixed = v.base <= static_count || v.base >= FUNCTION_BASE;
    return !v.bits || (term_is_const(v.bits) && fixed);
}

bool object_is_closed(memory_object *o, uint32_t static_count) {
    return object_holds(o, IS_CLOSED, static_count, is_closed);
}

/* --- whether what is kept is still right, for assertions ------------------------------------------------- */

/* Only the head changes, and is put back. */
bool object_cache_is_right(const memory_object *asked, uint32_t static_count) {
    memory_object *o = (memory_object *)asked;
    part kept = o->head;
    bool right = true;
    o->head.hashed = 0;
    for (int kind = 0; kind < HASH_KINDS; kind++)
        if (cached(&kept, kind)) right &= object_hash(o, kind, static_count) == kept.hash[kind];
    if (is_looked_at(&kept, IS_CONCRETE))
        right &= object_holds(o, IS_CONCRETE, static_count, is_concrete) == is_fact(&kept, IS_CONCRETE);
    if (is_looked_at(&kept, IS_PLAIN))
        right &= object_holds(o, IS_PLAIN, static_count, is_plain) == is_fact(&kept, IS_PLAIN);
    if (is_looked_at(&kept, IS_CLOSED))
        right &= object_holds(o, IS_CLOSED, static_count, is_closed) == is_fact(&kept, IS_CLOSED);
    o->head = kept;
    return right;
}

bool thread_cache_is_right(const thread_part *asked, uint32_t static_count) {
    thread_part *t = (thread_part *)asked;
    part kept = t->head;
    bool right = true;
    t->head.hashed = 0;
    for (int kind = 0; kind < HASH_KINDS; kind++)
        if (cached(&kept, kind)) right &= thread_hash(t, kind, static_count) == kept.hash[kind];
    if (is_looked_at(&kept, IS_CONCRETE))
        right &= thread_holds(t, IS_CONCRETE, static_count, is_concrete) == is_fact(&kept, IS_CONCRETE);
    if (is_looked_at(&kept, IS_CLOSED))
        right &= thread_holds(t, IS_CLOSED, static_count, is_closed) == is_fact(&kept, IS_CLOSED);
    t->head = kept;
    return right;
}

bool scheduler_cache_is_right(const scheduler_part *asked) {
    scheduler_part *s = (scheduler_part *)asked;
    part kept = s->head;
    bool right = true;
    s->head.hashed = 0;
    for (int kind = 0; kind < HASH_KINDS; kind++)
        if (cached(&kept, kind)) right &= scheduler_hash(s, kind) == kept.hash[kind];
    s->head = kept;
    return right;
}

/* --- reachable objects ---------------------------------------------------------------------------------- */

enum { FEW_OBJECTS = 256 };

typedef struct walk {
    const state *s;
    object_names *found;
    uint32_t *number;  /* by position in s->dynamic: 1 + its place in `found`; 0: not seen yet */
    uint64_t pointers; /* hash of which object every pointer on the way leads to, by number */
} walk;

static void note_object(walk *w, value v) {
    uint32_t name = value_object(v);
    if (name == NO_INDEX || name < w->s->static_count) return;
    uint32_t at = state_dynamic_position(w->s, name);
    if (at == w->s->dynamic_count || w->s->dynamic[at].name != name) return;
    if (!w->number[at]) {
        vec_push(w->found, name);
        w->number[at] = (uint32_t)w->found->size;
    }
    w->pointers = hash_pair(w->pointers, w->number[at]);
}

static void note_objects_of_thread(walk *w, thread_part *t) {
    if (thread_holds(t, IS_CLOSED, w->s->static_count, is_closed)) return;
    thread_data values = thread_values(t);
    for (uint32_t k = 0; k < THREAD_SPANS; k++)
        for (uint32_t i = 0; i < values.span[k].count; i++) note_object(w, values.span[k].v[i]);
}

static void note_objects_of_object(walk *w, memory_object *o) {
    if (object_is_closed(o, w->s->static_count)) return;
    for (uint32_t i = 0; i < o->cells; i++) note_object(w, o->cell[i]);
}

/* Returns a hash of where all pointers lead, which renaming objects does not change. */
static uint64_t walk_to_objects(const state *s, object_names *out) {
    vec_clear(out);
    if (!s->dynamic_count) return 0;
    uint32_t few[FEW_OBJECTS], *many = NULL;
    if (s->dynamic_count > FEW_OBJECTS)
        many = mem_zero(s->dynamic_count, sizeof *many);
    else
        memset(few, 0, s->dynamic_count * sizeof *few);
    walk w = {s, out, many ? many : few, 0};
    for (uint32_t i = 0; i < s->static_count; i++) note_objects_of_object(&w, s->objects[i]);
    for (uint32_t t = 0; t < s->thread_count; t++) note_objects_of_thread(&w, s->threads[t]);
    for (size_t next = 0; next < out->size; next++) /* only what is kept changes */
        note_objects_of_object(&w, (memory_object *)state_object(s, out->data[next]));
    mem_free(many);
    return w.pointers;
}

void state_reachable_objects(const state *s, object_names *out) {
    walk_to_objects(s, out);
}

/* --- states --------------------------------------------------------------------------------------------- */

/* By hand, because parts keep their hashes and threads and static objects may come in any order. */
uint64_t state_hash(const state *s, hash_kind kind) {
    ALL_PARTS_OF_STATES
    uint64_t h = scheduler_hash(s->scheduler, kind);
    for (uint32_t t = 0; t < s->thread_count; t++)
        h += hash_pair(t, thread_hash(s->threads[t], kind, s->static_count));
    for (uint32_t i = 0; i < s->static_count; i++)
        h += hash_pair(i | UINT64_C(1) << 32, object_hash(s->objects[i], kind, s->static_count));
    if (s->dynamic_count) {
        object_names reachable = {0};
        h += walk_to_objects(s, &reachable);
        for (size_t i = 0; i < reachable.size; i++) {
            memory_object *o = (memory_object *)state_object(s, reachable.data[i]); /* to keep its hash */
            h = hash_pair(h, object_hash(o, kind, s->static_count));
        }
        vec_free(&reachable);
    }
    return hash_mix(h);
}

static bool is_known(time_span span) {
    for (uint32_t i = 0; i < span.count; i++) {
        const term *time = *time_at(span, i);
        if (time && !term_is_const(time)) return false;
    }
    return true;
}

static bool has_known_times(const scheduler_part *s) {
    scheduler_times times = times_of(s);
    for (uint32_t k = 0; k < OWN_TIMES; k++)
        if (!is_known(times.own[k])) return false;
    for (uint32_t k = 0; k < DUE_TIMES; k++)
        if (!is_known(times.due[k])) return false;
    return true;
}

bool state_is_concrete(const state *s) {
    ALL_PARTS_OF_STATES
    if (s->path_count || !has_known_times(s->scheduler)) return false;
    for (uint32_t t = 0; t < s->thread_count; t++)
        if (!thread_holds(s->threads[t], IS_CONCRETE, s->static_count, is_concrete)) return false;
    for (uint32_t i = 0; i < s->static_count; i++)
        if (!object_holds(s->objects[i], IS_CONCRETE, s->static_count, is_concrete)) return false;
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        if (!object_holds(s->dynamic[i].object, IS_CONCRETE, s->static_count, is_concrete)) return false;
    return true;
}

/* --- quick comparison ----------------------------------------------------------------------------------- */

quick_answer objects_compare(memory_object *a, memory_object *b, uint32_t static_count) {
    bool plain = object_holds(a, IS_PLAIN, static_count, is_plain) &&
                 (a == b || object_holds(b, IS_PLAIN, static_count, is_plain));
    if (!plain) return QUICK_OPEN;
    if (a == b) return QUICK_EQUAL;
    return object_hash(a, HASH_EXACT, static_count) == object_hash(b, HASH_EXACT, static_count)
               ? QUICK_OPEN
               : QUICK_DIFFERENT;
}

/* --- identity ------------------------------------------------------------------------------------------- */

bool objects_identical(const memory_object *a, const memory_object *b) {
    return whole_objects_agree(a, b, RELATION_SAME);
}

bool threads_same_control(const thread_part *a, const thread_part *b) {
    return threads_agree(a, b, RELATION_MATCHED);
}

bool threads_identical(const thread_part *a, const thread_part *b) {
    return whole_threads_agree(a, b, RELATION_SAME);
}

bool schedulers_identical(const scheduler_part *a, const scheduler_part *b) {
    return schedulers_agree(a, b, RELATION_SAME);
}

bool state_identical(const state *a, const state *b) {
    return states_agree(a, b, RELATION_SAME);
}

/* --- walking -------------------------------------------------------------------------------------------- */

static void visit_object(memory_object *o, bool symbolic_only, void (*visit)(void *data, value v),
                         void *data) {
    if (symbolic_only && object_holds(o, IS_CONCRETE, 0, is_concrete)) return;
    for (uint32_t i = 0; i < o->cells; i++) visit(data, o->cell[i]);
}

static void visit_thread(thread_part *t, bool symbolic_only, void (*visit)(void *data, value v), void *data) {
    if (symbolic_only && thread_holds(t, IS_CONCRETE, 0, is_concrete)) return;
    thread_data values = thread_values(t);
    for (uint32_t k = 0; k < THREAD_SPANS; k++)
        for (uint32_t i = 0; i < values.span[k].count; i++) visit(data, values.span[k].v[i]);
}

static void visit_times(time_span span, void (*visit)(void *data, value v), void *data) {
    for (uint32_t i = 0; i < span.count; i++)
        if (*time_at(span, i)) visit(data, (value){*time_at(span, i), 0});
}

static void visit_all(const state *s, const object_names *reachable, bool symbolic_only,
                      void (*visit)(void *data, value v), void *data) {
    for (uint32_t i = 0; i < s->static_count; i++) visit_object(s->objects[i], symbolic_only, visit, data);
    for (uint32_t t = 0; t < s->thread_count; t++) visit_thread(s->threads[t], symbolic_only, visit, data);
    for (size_t i = 0; i < reachable->size; i++)
        visit_object((memory_object *)state_object(s, reachable->data[i]), symbolic_only, visit, data);
    scheduler_times times = times_of(s->scheduler);
    for (uint32_t k = 0; k < DUE_TIMES; k++) visit_times(times.due[k], visit, data);
    for (uint32_t k = 0; k < OWN_TIMES; k++) visit_times(times.own[k], visit, data);
}

void state_each_value(const state *s, const object_names *reachable, void (*visit)(void *data, value v),
                      void *data) {
    visit_all(s, reachable, false, visit, data);
}

void state_each_symbolic_value(const state *s, const object_names *reachable,
                               void (*visit)(void *data, value v), void *data) {
    visit_all(s, reachable, true, visit, data);
}
