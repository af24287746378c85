/* When states are the same: hashes, which every part keeps until it is written, and comparison; and the walk
 * over all values in canonical order. */
#include "base/hash.h"
#include "machine/state.h"

#include <string.h>

/* --- hashing -------------------------------------------------------------------------------------------- */

bool value_equal(value a, value b) {
    return a.bits == b.bits && a.base == b.base;
}

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

static uint64_t object_hash(memory_object *o, hash_kind kind, uint32_t static_count) {
    if (cached(&o->head, kind)) return o->head.hash[kind];
    uint64_t h = hash_pair(o->count, o->freed | (uint64_t)o->summary << 1 | (uint64_t)o->perhaps_freed << 2 |
                                         (uint64_t)o->single << 3);
    if (kind != HASH_CONTROL || o->always_concrete)
        for (uint32_t i = 0; i < o->cells; i++) h = hash_pair(h, value_hash(o->cell[i], kind, static_count));
    if (kind != HASH_CONTROL && o->ragged)
        for (uint32_t i = 0; i < o->cells; i++) h = hash_pair(h, object_starts(o)[i]);
    return remember(&o->head, kind, h);
}

static uint64_t thread_hash(thread_part *t, hash_kind kind, uint32_t static_count) {
    if (cached(&t->head, kind)) return t->head.hash[kind];
    uint64_t h = hash_pair(t->status | (uint64_t)t->suspended << 8 | (uint64_t)t->resume_pending << 9 |
                               (uint64_t)t->wait_all << 10 | (uint64_t)t->disabled << 11 |
                               (uint64_t)t->atomic_depth << 12 | (uint64_t)t->recycles << 31 |
                               (uint64_t)t->claimed << 29 | (uint64_t)t->copied << 32,
                           t->frame_count | (uint64_t)t->held << 32);
    if (t->interrupts) h = hash_pair(h, t->interrupts);
    for (uint32_t i = 0; i < t->frame_count; i++) {
        const frame *f = &t->frames[i];
        h = hash_pair(h, hash_pair(f->function, (uint64_t)f->block << 32 | f->index));
    }
    for (uint32_t i = 0; i < t->wait_count; i++)
        h = hash_pair(h, (uint64_t)t->waits[i].event << 1 | t->waits[i].arrived);
    if (kind != HASH_CONTROL) {
        for (uint32_t i = 0; i < t->value_count; i++)
            h = hash_pair(h, value_hash(t->values[i], kind, static_count));
        h = hash_pair(h, value_hash(t->result, kind, static_count));
    }
    return remember(&t->head, kind, h);
}

/* Due times count relative to now. Symbolic ones are data and left to the matchers. */
static uint64_t scheduler_hash(scheduler_part *s, hash_kind kind) {
    if (cached(&s->head, kind)) return s->head.hash[kind];
    uint64_t flags = s->phase | (uint64_t)s->initialised << 8 | (uint64_t)s->stopping << 9 |
                     (uint64_t)s->starved << 10 | (uint64_t)s->stays << 11;
    uint64_t h = hash_pair(flags, s->running) + hash_pair(s->last_thread, s->switches);
    for (uint32_t i = 0; i < s->update_count; i++) h = hash_pair(h, s->updates[i]);
    for (uint32_t i = 0; i < s->pending_count; i++) {
        const term *due = s->pending[i].due;
        bool concrete = due && term_is_const(due) && term_is_const(s->time);
        uint64_t when = !due ? 1 : concrete ? hash_mix(due->value - s->time->value + 2) : 0;
        h = hash_pair(h, hash_pair(s->pending[i].target, when));
    }
    return remember(&s->head, kind, h);
}

/* --- facts about the values of a part, kept like its hashes --------------------------------------------- */

enum { /* bits of part.hashed behind those of the hashes; each with its KNOWN above it */
       IS_CONCRETE = 1 << HASH_KINDS, /* no value depends on an input */
       IS_PLAIN =
           IS_CONCRETE << 2,     /* only constants, and pointers to what has the same name in every state */
       IS_CLOSED = IS_PLAIN << 2 /* no pointer to a dynamic object */
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

static bool values_are_concrete(part *p, const value *v, uint32_t count) {
    if (is_looked_at(p, IS_CONCRETE)) return is_fact(p, IS_CONCRETE);
    bool concrete = true;
    for (uint32_t i = 0; i < count && concrete; i++) concrete = !v[i].bits || term_is_const(v[i].bits);
    return note_fact(p, IS_CONCRETE, concrete);
}

static bool values_are_closed(part *p, const value *v, uint32_t count, uint32_t static_count) {
    if (is_looked_at(p, IS_CLOSED)) return is_fact(p, IS_CLOSED);
    bool closed = true;
    for (uint32_t i = 0; i < count && closed; i++) {
        uint32_t name = value_object(v[i]);
        closed = name == NO_INDEX || name < static_count;
    }
    return note_fact(p, IS_CLOSED, closed);
}

bool object_is_closed(memory_object *o, uint32_t static_count) {
    return values_are_closed(&o->head, o->cell, o->cells, static_count);
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

static void note_objects(walk *w, part *of, const value *v, uint32_t count) {
    if (values_are_closed(of, v, count, w->s->static_count)) return;
    for (uint32_t i = 0; i < count; i++) note_object(w, v[i]);
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
    for (uint32_t i = 0; i < s->static_count; i++)
        note_objects(&w, &s->objects[i]->head, s->objects[i]->cell, s->objects[i]->cells);
    for (uint32_t t = 0; t < s->thread_count; t++) {
        note_objects(&w, &s->threads[t]->head, s->threads[t]->values, s->threads[t]->value_count);
        note_object(&w, s->threads[t]->result);
    }
    for (size_t next = 0; next < out->size; next++) {
        memory_object *o = (memory_object *)state_object(s, out->data[next]); /* only what is kept changes */
        note_objects(&w, &o->head, o->cell, o->cells);
    }
    mem_free(many);
    return w.pointers;
}

void state_reachable_objects(const state *s, object_names *out) {
    walk_to_objects(s, out);
}

/* --- states -----------------------------------------------------------------------------------------------
 */

uint64_t state_hash(const state *s, hash_kind kind) {
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
            if (o->slot) h = hash_pair(h, hash_pair(o->type, o->slot));
        }
        vec_free(&reachable);
    }
    return hash_mix(h);
}

bool state_is_concrete(const state *s) {
    if (s->path_count || !term_is_const(s->scheduler->time)) return false;
    for (uint32_t t = 0; t < s->thread_count; t++) {
        thread_part *part = s->threads[t];
        if (!values_are_concrete(&part->head, part->values, part->value_count)) return false;
        if (part->result.bits && !term_is_const(part->result.bits)) return false;
    }
    for (uint32_t i = 0; i < s->static_count; i++)
        if (!values_are_concrete(&s->objects[i]->head, s->objects[i]->cell, s->objects[i]->cells))
            return false;
    for (uint32_t i = 0; i < s->dynamic_count; i++) {
        memory_object *o = s->dynamic[i].object;
        if (!values_are_concrete(&o->head, o->cell, o->cells)) return false;
    }
    for (uint32_t i = 0; i < s->scheduler->pending_count; i++)
        if (s->scheduler->pending[i].due && !term_is_const(s->scheduler->pending[i].due)) return false;
    return true;
}

/* --- quick comparison ----------------------------------------------------------------------------------- */

static bool values_are_plain(part *p, const value *v, uint32_t count, uint32_t static_count) {
    if (is_looked_at(p, IS_PLAIN)) return is_fact(p, IS_PLAIN);
    bool plain = true;
    for (uint32_t i = 0; i < count && plain; i++) {
        bool fixed = v[i].base <= static_count || v[i].base >= FUNCTION_BASE;
        plain = !v[i].bits || (term_is_const(v[i].bits) && fixed);
    }
    return note_fact(p, IS_PLAIN, plain);
}

quick_answer objects_compare(memory_object *a, memory_object *b, uint32_t static_count) {
    bool plain = values_are_plain(&a->head, a->cell, a->cells, static_count) &&
                 (a == b || values_are_plain(&b->head, b->cell, b->cells, static_count));
    if (!plain) return QUICK_OPEN;
    if (a == b) return QUICK_EQUAL;
    return object_hash(a, HASH_EXACT, static_count) == object_hash(b, HASH_EXACT, static_count)
               ? QUICK_OPEN
               : QUICK_DIFFERENT;
}

/* --- identity ------------------------------------------------------------------------------------------- */

bool objects_identical(const memory_object *a, const memory_object *b) {
    if (a == b) return true;
    if (!objects_same_cells(a, b) || a->freed != b->freed || a->shared != b->shared ||
        a->summary != b->summary || a->perhaps_freed != b->perhaps_freed || a->single != b->single ||
        a->type != b->type || a->slot != b->slot || a->heap != b->heap || a->stored != b->stored ||
        a->settled != b->settled)
        return false;
    for (uint32_t i = 0; i < a->cells; i++)
        if (!value_equal(a->cell[i], b->cell[i])) return false;
    return true;
}

bool threads_same_control(const thread_part *a, const thread_part *b) {
    if (a == b) return true;
    if (a->status != b->status || a->suspended != b->suspended || a->resume_pending != b->resume_pending ||
        a->wait_all != b->wait_all || a->frame_count != b->frame_count || a->value_count != b->value_count ||
        a->wait_count != b->wait_count || a->atomic_depth != b->atomic_depth || a->copied != b->copied ||
        a->held != b->held || a->disabled != b->disabled || a->interrupts != b->interrupts ||
        a->recycles != b->recycles || a->claimed != b->claimed)
        return false;
    for (uint32_t i = 0; i < a->frame_count; i++) {
        const frame *f = &a->frames[i], *g = &b->frames[i];
        if (f->function != g->function || f->block != g->block || f->index != g->index) return false;
    }
    for (uint32_t i = 0; i < a->wait_count; i++)
        if (a->waits[i].event != b->waits[i].event || a->waits[i].arrived != b->waits[i].arrived)
            return false;
    return true;
}

bool threads_identical(const thread_part *a, const thread_part *b) {
    if (a == b) return true;
    if (!threads_same_control(a, b) || !value_equal(a->result, b->result)) return false;
    for (uint32_t i = 0; i < a->value_count; i++)
        if (!value_equal(a->values[i], b->values[i])) return false;
    return true;
}

bool schedulers_identical(const scheduler_part *a, const scheduler_part *b) {
    if (a == b) return true;
    if (a->phase != b->phase || a->initialised != b->initialised || a->stopping != b->stopping ||
        a->starved != b->starved || a->running != b->running || a->last_thread != b->last_thread ||
        a->switches != b->switches || a->time != b->time || a->limit != b->limit || a->stays != b->stays ||
        a->update_count != b->update_count || a->pending_count != b->pending_count)
        return false;
    for (uint32_t i = 0; i < a->update_count; i++)
        if (a->updates[i] != b->updates[i]) return false;
    for (uint32_t i = 0; i < a->pending_count; i++)
        if (a->pending[i].target != b->pending[i].target || a->pending[i].due != b->pending[i].due)
            return false;
    return true;
}

/* Path conditions are sets: the order in which independent steps extended them does not matter. */
static bool paths_identical(const state *a, const state *b) {
    if (a->path_count != b->path_count) return false;
    for (uint32_t i = 0; i < a->path_count; i++) {
        bool found = a->path->conjunct[i] == b->path->conjunct[i];
        for (uint32_t j = 0; j < b->path_count && !found; j++)
            found = a->path->conjunct[i] == b->path->conjunct[j];
        if (!found) return false;
    }
    return true;
}

bool state_identical(const state *a, const state *b) {
    if (a->thread_count != b->thread_count || a->dynamic_count != b->dynamic_count ||
        !schedulers_identical(a->scheduler, b->scheduler) || !paths_identical(a, b))
        return false;
    for (uint32_t t = 0; t < a->thread_count; t++)
        if (!threads_identical(a->threads[t], b->threads[t])) return false;
    for (uint32_t i = 0; i < a->static_count; i++)
        if (!objects_identical(a->objects[i], b->objects[i])) return false;
    for (uint32_t i = 0; i < a->dynamic_count; i++)
        if (a->dynamic[i].name != b->dynamic[i].name ||
            !objects_identical(a->dynamic[i].object, b->dynamic[i].object))
            return false;
    return true;
}

/* --- walking -------------------------------------------------------------------------------------------- */

static void visit_values(part *of, const value *v, uint32_t count, bool symbolic_only,
                         void (*visit)(void *data, value v), void *data) {
    if (symbolic_only && values_are_concrete(of, v, count)) return;
    for (uint32_t i = 0; i < count; i++) visit(data, v[i]);
}

static void visit_all(const state *s, const object_names *reachable, bool symbolic_only,
                      void (*visit)(void *data, value v), void *data) {
    for (uint32_t i = 0; i < s->static_count; i++)
        visit_values(&s->objects[i]->head, s->objects[i]->cell, s->objects[i]->cells, symbolic_only, visit,
                     data);
    for (uint32_t t = 0; t < s->thread_count; t++) {
        thread_part *part = s->threads[t];
        visit_values(&part->head, part->values, part->value_count, symbolic_only, visit, data);
        visit(data, part->result);
    }
    for (size_t i = 0; i < reachable->size; i++) {
        memory_object *o = (memory_object *)state_object(s, reachable->data[i]);
        visit_values(&o->head, o->cell, o->cells, symbolic_only, visit, data);
    }
    for (uint32_t i = 0; i < s->scheduler->pending_count; i++)
        if (s->scheduler->pending[i].due) visit(data, (value){s->scheduler->pending[i].due, 0});
    visit(data, (value){s->scheduler->time, 0});
    if (s->scheduler->limit) visit(data, (value){s->scheduler->limit, 0});
}

void state_each_value(const state *s, const object_names *reachable, void (*visit)(void *data, value v),
                      void *data) {
    visit_all(s, reachable, false, visit, data);
}

void state_each_symbolic_value(const state *s, const object_names *reachable,
                               void (*visit)(void *data, value v), void *data) {
    visit_all(s, reachable, true, visit, data);
}
