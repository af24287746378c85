#include "base/hash.h"
#include "certify/internal.h"

static uint64_t hash_values(uint64_t h, const value *v, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) h = hash_pair(h, (uint64_t)v[i].base << 1 | !v[i].bits);
    return h;
}

static uint64_t hash_thread(uint64_t h, const thread_part *t) {
    h = hash_pair(h, (uint64_t)t->status | (uint64_t)t->suspended << 8 | (uint64_t)t->resume_pending << 9 |
                         (uint64_t)t->wait_all << 10 | (uint64_t)t->disabled << 11 |
                         (uint64_t)t->recycles << 12 | (uint64_t)t->claimed << 13 |
                         (uint64_t)t->frame_count << 32);
    h = hash_pair(h, t->interrupts);
    h = hash_pair(h, (uint64_t)t->atomic_depth << 32 | t->threads_made);
    h = hash_pair(h, (uint64_t)t->copied << 32 | t->held);
    for (uint32_t i = 0; i < t->frame_count; i++) {
        const frame *f = &t->frames[i];
        h = hash_pair(hash_pair(h, f->function), (uint64_t)f->block << 32 | f->index);
    }
    for (uint32_t i = 0; i < t->wait_count; i++)
        h = hash_pair(h, (uint64_t)t->waits[i].event << 1 | t->waits[i].arrived);
    h = hash_values(h, t->values, t->value_count);
    return hash_values(h, &t->result, 1);
}

static uint64_t hash_object(uint64_t h, uint32_t name, const memory_object *o) {
    h = hash_pair(h, (uint64_t)name << 32 | o->cells);
    h = hash_pair(h, (uint64_t)o->ragged | (uint64_t)o->freed << 1 | (uint64_t)o->shared << 2 |
                         (uint64_t)(o->heap != 0) << 3 | (uint64_t)(o->heap > 1 ? o->heap : 0) << 8 |
                         (uint64_t)o->summary << 4 | (uint64_t)o->perhaps_freed << 5 |
                         (uint64_t)o->single << 6 | (uint64_t)o->count << 32);
    h = hash_pair(h, (uint64_t)o->owner << 32 | o->frame);
    for (uint32_t i = 0; i < o->cells && o->ragged; i++) h = hash_pair(h, object_starts(o)[i]);
    for (uint32_t i = 0; i < o->cells && o->summary; i++) {
        const term *t = o->cell[i].bits;
        h = hash_pair(h, t ? hash_pair(t->width, t->value) : 0);
    }
    return hash_values(h, o->cell, o->cells);
}

static uint64_t hash_time(uint64_t h, const term *t) {
    return hash_pair(h, t ? t->hash : 0);
}

static uint64_t hash_scheduler(uint64_t h, const scheduler_part *k) {
    h = hash_pair(h, (uint64_t)k->phase | (uint64_t)k->initialised << 8 | (uint64_t)k->stopping << 9 |
                         (uint64_t)k->starved << 10 | (uint64_t)k->stays << 11 | (uint64_t)k->running << 32);
    h = hash_pair(h, (uint64_t)k->last_thread << 32 | k->switches);
    h = hash_time(hash_time(h, k->time), k->limit);
    for (uint32_t i = 0; i < k->update_count; i++) h = hash_pair(h, k->updates[i]);
    for (uint32_t i = 0; i < k->pending_count; i++)
        h = hash_time(hash_pair(h, k->pending[i].target), k->pending[i].due);
    return h;
}

uint64_t control_fingerprint(const state *s) {
    uint64_t h = hash_scheduler(hash_pair(s->thread_count, s->dynamic_count), s->scheduler);
    for (uint32_t t = 0; t < s->thread_count; t++) h = hash_thread(h, s->threads[t]);
    for (uint32_t i = 0; i < s->static_count; i++) h = hash_object(h, i, s->objects[i]);
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        h = hash_object(h, s->dynamic[i].name, s->dynamic[i].object);
    return h;
}

static void add_numbers(const value *v, uint32_t count, number_list *out) {
    for (uint32_t i = 0; i < count; i++)
        if (v[i].bits) vec_push(out, v[i].bits);
}

void control_numbers(const program *p, const state *s, number_list *out) {
    vec_clear(out);
    for (uint32_t t = 0; t < s->thread_count; t++) {
        add_numbers(s->threads[t]->values, s->threads[t]->value_count, out);
        add_numbers(&s->threads[t]->result, 1, out);
    }
    for (uint32_t i = 0; i < s->static_count; i++)
        if (!p->objects.data[i].is_constant) add_numbers(s->objects[i]->cell, s->objects[i]->cells, out);
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        if (!s->dynamic[i].object->summary)
            add_numbers(s->dynamic[i].object->cell, s->dynamic[i].object->cells, out);
}

/* Parts that stay as they are stay shared. */
static bool are_there(const value *v, uint32_t count, const term *const *next) {
    for (uint32_t i = 0; i < count; i++)
        if (v[i].bits && v[i].bits != *next++) return false;
    return true;
}

static size_t count_numbers(const value *v, uint32_t count) {
    size_t numbers = 0;
    for (uint32_t i = 0; i < count; i++) numbers += v[i].bits != NULL;
    return numbers;
}

static void set_values(value *v, uint32_t count, const term *const *next) {
    for (uint32_t i = 0; i < count; i++)
        if (v[i].bits) v[i].bits = *next++;
}

static const term *const *set_in_thread(state *s, uint32_t thread, const term *const *next) {
    const thread_part *t = s->threads[thread];
    size_t own_values = count_numbers(t->values, t->value_count), all = own_values + (t->result.bits != NULL);
    if (!are_there(t->values, t->value_count, next) || !are_there(&t->result, 1, next + own_values)) {
        thread_part *own = state_own_thread(s, thread);
        set_values(own->values, own->value_count, next);
        set_values(&own->result, 1, next + own_values);
    }
    return next + all;
}

static const term *const *set_in_object(state *s, uint32_t name, const term *const *next) {
    const memory_object *o = state_object(s, name);
    size_t all = count_numbers(o->cell, o->cells);
    if (!are_there(o->cell, o->cells, next)) {
        memory_object *own = state_own_object(s, name);
        set_values(own->cell, own->cells, next);
    }
    return next + all;
}

void control_set_numbers(const program *p, state *s, const number_list *numbers) {
    const term *const *next = numbers->data;
    for (uint32_t t = 0; t < s->thread_count; t++) next = set_in_thread(s, t, next);
    for (uint32_t i = 0; i < s->static_count; i++)
        if (!p->objects.data[i].is_constant) next = set_in_object(s, i, next);
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        if (!s->dynamic[i].object->summary) next = set_in_object(s, s->dynamic[i].name, next);
}

reason_kind control_usual_numbers(machine *m, const state *s, number_list *out) {
    const program *p = machine_program(m);
    state *blank = state_clone(s);
    control_numbers(p, s, out);
    for (size_t i = 0; i < out->size; i++)
        out->data[i] = term_const(machine_terms(m), out->data[i]->width, 0);
    control_set_numbers(p, blank, out);
    reason_kind trouble = abstract_forget(m, blank, NULL, NULL);
    control_numbers(p, blank, out);
    state_release(m, blank);
    return trouble;
}
