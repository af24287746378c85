#include "report/trace/replay.h"

static bool is_memory(const access *a) {
    return a->kind == ACCESS_READ || a->kind == ACCESS_WRITE || a->kind == ACCESS_UPDATE;
}

static bool is_constant(const replay *r, uint32_t object) {
    return object < r->p->objects.size && r->p->objects.data[object].is_constant;
}

/* The piece of the object that is accessed; false if it is several, or only a part of one. */
static bool accessed_piece(replay *r, const memory_object *o, const access *a, cell_view *out) {
    if (!o || a->low >= bytes_of(o)) return false;
    cell_view wanted = {.low = a->low, .high = a->high};
    const cell_type *cell = piece_cell(o, &wanted);
    *out = cell ? piece_of_cell(&r->names, o, cell, a->low) : object_view(o, a->low);
    return out->low == a->low && out->high == a->high;
}

char *access_cell(replay *r, const state *s, const access *a) {
    const memory_object *o = state_object(s, a->name);
    object_label of = object_label_of(&r->names, s, a->name);
    cell_view piece = {.low = a->low, .high = a->high};
    bool somewhere = o && a->low < bytes_of(o);
    if (!somewhere) return mem_copy_string(of.name);
    uint32_t begin;
    const lock_place *lock = object_lock_at(o, a->low, &begin);
    if (lock) return lock_name(&of, o, lock, begin);
    if (a->high > bytes_of(o)) piece = object_view(o, a->low);
    return piece_text(&of, o, &piece);
}

char *access_value(replay *r, const state *s, const access *a) {
    const memory_object *o = state_object(s, a->name);
    cell_view piece;
    uint32_t begin;
    const lock_place *lock = o && a->low < bytes_of(o) ? object_lock_at(o, a->low, &begin) : NULL;
    if (lock) return lock_words(r, a->name, o, lock, begin);
    return accessed_piece(r, o, a, &piece) && piece.v.bits ? piece_value(r, s, o, &piece) : NULL;
}

/* A step may go through an array: the first cells will do. */
enum { MOST_READS = 8 };

static bool is_written(const effect *touched, const access *read) {
    for (size_t i = 0; i < touched->size; i++) {
        const access *a = &touched->data[i];
        if (is_memory(a) && a->kind != ACCESS_READ && a->name == read->name && a->low < read->high &&
            read->low < a->high)
            return true;
    }
    return false;
}

static bool is_listed_read(const trace_step *step, const char *name) {
    for (size_t i = 0; i < step->reads.size; i++)
        if (!strcmp(step->reads.data[i].name, name)) return true;
    return false;
}

/* Cooperative threads have no shared memory as such: their own variables do not count. A step may well write
 * a cell before it reads it, so what it changes tells more than what was there. */
static bool tells_something(const replay *r, const state *before, const effect *touched, const access *a) {
    if (a->kind != ACCESS_READ || is_constant(r, a->name)) return false;
    if (program_kernel(r->p)->steps_are_operations) return !is_of_library(r->p, a->name);
    const memory_object *o = state_object(before, a->name);
    bool is_static = a->name < r->p->objects.size;
    bool of_all = is_static ? !r->p->objects.data[a->name].is_inner : o && heap_of(o);
    cell_view piece = {.low = a->low, .high = a->high};
    return of_all && !is_written(touched, a) && !(o && piece_is_inner(o, &piece));
}

void describe_reads(replay *r, const state *before, const effect *touched, trace_step *step) {
    for (size_t i = 0; i < touched->size && step->reads.size < MOST_READS; i++) {
        const access *a = &touched->data[i];
        if (!tells_something(r, before, touched, a)) continue;
        char *there = access_value(r, before, a);
        if (there && is_virtual_table(there)) {
            mem_free(there);
            there = NULL;
        }
        if (!there) continue;
        trace_value v = {access_cell(r, before, a), there};
        if (!is_listed_read(step, v.name)) {
            vec_push(&step->reads, v);
        } else {
            mem_free(v.name);
            mem_free(v.value);
        }
    }
}

static bool is_named(const trace_step *step, const char *name) {
    for (size_t i = 0; i < step->changes.size; i++)
        if (!strcmp(step->changes.data[i].name, name)) return true;
    return false;
}

/* Writes that leave what was there: nothing changes, but others may see that it was written. */
void describe_rewrites(replay *r, const state *before, const successor *to, trace_step *step) {
    if (state_thread_count(before) < 2) return;
    size_t shown = 0;
    for (size_t i = 0; i < to->touched.size && shown < MOST_READS; i++) {
        const access *a = &to->touched.data[i];
        if (!is_memory(a) || a->kind == ACCESS_READ || is_of_library(r->p, a->name)) continue;
        char *name = access_cell(r, before, a);
        char *then = access_value(r, before, a), *now = access_value(r, to->to, a);
        bool same = then && now && !strcmp(then, now) && !is_named(step, name) && !is_virtual_table(now);
        shown += same;
        if (same) {
            vec_push(&step->changes, ((trace_change){name, then, now, NULL}));
        } else {
            mem_free(name);
            mem_free(then);
            mem_free(now);
        }
    }
}

static void forget_write(replay *r, const access *a) {
    for (size_t i = 0; i < r->writes.size; i++) {
        const last_write *w = &r->writes.data[i];
        if (w->object != a->name || w->low != a->low || w->high != a->high) continue;
        mem_free(w->call);
        vec_remove(&r->writes, i);
        return;
    }
}

void note_writes(replay *r, const state *before, const effect *touched, uint32_t thread) {
    if (thread >= state_thread_count(before)) return;
    for (size_t i = 0; i < touched->size; i++) {
        const access *a = &touched->data[i];
        if (!is_memory(a) || a->kind == ACCESS_READ) continue;
        forget_write(r, a);
        const function *in = thread_visible_function(r->p, thread_of(before, thread));
        last_write w = {a->name,
                        a->low,
                        a->high,
                        thread,
                        in ? in->file : NULL,
                        operation_position(r, before, thread),
                        thread_call(r, before, thread)};
        vec_push(&r->writes, w);
    }
}

const last_write *find_last_write(const replay *r, const access *a) {
    for (size_t i = r->writes.size; i-- > 0;) {
        const last_write *w = &r->writes.data[i];
        if (w->object == a->name && w->low < a->high && a->low < w->high) return w;
    }
    return NULL;
}

void forget_writes(replay *r) {
    for (size_t i = 0; i < r->writes.size; i++) mem_free(r->writes.data[i].call);
    vec_free(&r->writes);
}
