#include "partial/control.h"

#include "base/hash.h"
#include "base/invariant.h"
#include "machine/relations.h"
#include "machine/state.h"

uint64_t control_fingerprint(const state *s) {
    return state_mix(s, RELATION_PROVED);
}

static void add_numbers(const value *v, uint32_t count, number_list *out) {
    for (uint32_t i = 0; i < count; i++)
        if (v[i].bits) vec_push(out, v[i].bits);
}

void control_numbers(const program *p, const state *s, number_list *out) {
    vec_clear(out);
    for (uint32_t t = 0; t < s->thread_count; t++) {
        thread_data values = thread_values(s->threads[t]);
        for (uint32_t k = 0; k < THREAD_SPANS; k++) add_numbers(values.span[k].v, values.span[k].count, out);
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
    for (uint32_t k = 0; k < THREAD_SPANS; k++) {
        value_span at = thread_values(s->threads[thread]).span[k];
        size_t numbers = count_numbers(at.v, at.count);
        if (!are_there(at.v, at.count, next)) {
            at = thread_values(state_own_thread(s, thread)).span[k];
            set_values(at.v, at.count, next);
        }
        next += numbers;
    }
    return next;
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

static void set_numbers(const program *p, state *s, const number_list *numbers) {
    assert(s->refs == 1);
    const term *const *next = numbers->data;
    for (uint32_t t = 0; t < s->thread_count; t++) next = set_in_thread(s, t, next);
    for (uint32_t i = 0; i < s->static_count; i++)
        if (!p->objects.data[i].is_constant) next = set_in_object(s, i, next);
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        if (!s->dynamic[i].object->summary) next = set_in_object(s, s->dynamic[i].name, next);
    assert(!numbers->size || next == numbers->data + numbers->size); /* each has found its place */
}

reason_kind control_usual_numbers(machine *m, const state *s, number_list *out) {
    const program *p = machine_program(m);
    state *blank = state_clone(s);
    control_numbers(p, s, out);
    FOR_ASSERTIONS size_t count = out->size;
    for (size_t i = 0; i < out->size; i++)
        out->data[i] = term_const(machine_terms(m), out->data[i]->width, 0);
    set_numbers(p, blank, out);
    reason_kind trouble = abstract_forget(m, blank, NULL, NULL);
    control_numbers(p, blank, out);
    assert(out->size == count); /* forgetting takes no number away */
    state_release(m, blank);
    return trouble;
}

state *control_fill(const program *p, const state *s, const number_list *numbers,
                    const term *const *conditions, uint32_t count) {
    state *whole = state_clone(s);
    set_numbers(p, whole, numbers);
    abstract_assume_only(whole, conditions, count);
    return whole;
}

bool control_constants_at(const number_list *numbers, const uint32_t *at, size_t count, uint64_t *out) {
    uint64_t h = count;
    for (size_t i = 0; i < count; i++) {
        if (at[i] >= numbers->size) return false;
        const term *t = numbers->data[at[i]];
        if (!term_is_const(t)) return false;
        h = hash_pair(h, t->value);
    }
    *out = h;
    return true;
}
