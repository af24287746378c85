#include "report/replay.h"

#include <ctype.h>

static void add_value(trace *t, char *name, char *shown) {
    for (size_t i = 0; i < t->values.size; i++)
        if (!strcmp(t->values.data[i].name, name)) {
            mem_free(name);
            mem_free(shown);
            return;
        }
    trace_value v = {name, shown};
    vec_push(&t->values, v);
}

enum {
    MOST_CELLS = 16
}; /* of a larger object in a violated check nothing is shown: which cells matter is not known */

static void add_object_values(replay *r, const state *s, const char *name, bool is_array,
                              const memory_object *o) {
    if (!o || o->cells > MOST_CELLS) return;
    for (uint32_t cell = 0; cell < o->cells; cell++) {
        cell_view piece = object_cell_view(o, cell);
        add_value(r->out, piece_text(name, is_array, o, &piece), piece_value(r, s, o, &piece));
    }
}

static bool is_word(const char *name, const char *word, size_t length) {
    return name && strlen(name) == length && !memcmp(name, word, length);
}

/* Local variables hide global ones; of several scopes, the innermost is the last register of that name with a
 * value. */
static bool add_local_value(replay *r, const state *s, const thread_part *t, const char *word,
                            size_t length) {
    const frame *top = top_frame(t);
    const function *f = &r->p->functions.data[top->function];
    for (size_t i = f->registers.size; i-- > 0;) {
        value v = t->values[top->registers + i];
        if (!v.bits || !is_word(f->registers.data[i].name, word, length)) continue;
        add_value(r->out, mem_copy_string(f->registers.data[i].name),
                  value_text(r, s, v, f->registers.data[i].type));
        return true;
    }
    for (uint32_t i = 0; i < f->locals.size; i++) {
        if (!is_word(f->locals.data[i].name, word, length)) continue;
        uint32_t object = frame_local_object(r->p, t, top, i);
        if (object != NO_INDEX)
            add_object_values(r, s, f->locals.data[i].name, f->locals.data[i].is_array,
                              state_object(s, object));
        return true;
    }
    return false;
}

static void add_global_value(replay *r, const state *s, const char *word, size_t length) {
    for (uint32_t i = 0; i < s->static_count; i++) {
        const static_object *o = &r->p->objects.data[i];
        if (is_word(o->name, word, length)) add_object_values(r, s, o->name, o->is_array, s->objects[i]);
    }
}

/* The variables whose names occur in the text of the violated check. */
void describe_violation(replay *r, const state *s, uint32_t thread) {
    if (thread == MACHINE_KERNEL)
        thread = (uint32_t)r->p->threads.size; /* the slot in which channel updates run */
    const thread_part *t =
        thread < s->thread_count && s->threads[thread]->frame_count ? s->threads[thread] : NULL;
    for (const char *c = r->violated->text; *c;) {
        size_t length = 0;
        while (isalnum((unsigned char)c[length]) || c[length] == '_') length++;
        bool is_name = length && !isdigit((unsigned char)*c);
        if (is_name && !(t && add_local_value(r, s, t, c, length))) add_global_value(r, s, c, length);
        c += length ? length : 1;
    }
}

/* --- deadlocks ------------------------------------------------------------------------------------------ */

static void describe_waiter(replay *r, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    text line = {0};
    text_format(&line, "%s %s", machine_thread_name(r->m, thread),
                t->wait_count ? "waits for" : "is suspended");
    for (uint32_t i = 0; i < t->wait_count; i++)
        text_format(&line, "%s %s", i ? "," : "", r->p->events.data[t->waits[i].event].name);
    position at = thread_position(r->p, t);
    if (at.line) text_format(&line, ", at %u:%u", at.line, at.column);
    vec_push(&r->out->blocked, take_text(&line));
}

/* Why a blocked thread cannot go on: whose end it waits for, or what is in the cell it waits for and who put
 * it there. */
static void explain_blocking(replay *r, const state *s, const access *a, text *line) {
    if (a->kind == ACCESS_JOIN) {
        text_format(line, " for the end of %s", machine_thread_name(r->m, a->name));
        return;
    }
    if (a->kind != ACCESS_READ || is_of_library(r->p, a->name)) return;
    char *cell = access_cell(r, s, a), *now = access_value(r, s, a), *inside = strstr(cell, ".__");
    if (inside) *inside = 0; /* how a library type is made inside says nothing to its user */
    text_format(line, " for a change of %s", cell);
    if (now && !inside) text_format(line, " (%s)", now);
    mem_free(cell);
    mem_free(now);
    const last_write *w = find_last_write(r, a);
    if (!w) return;
    text_format(line, ", last made by %s", machine_thread_name(r->m, w->thread));
    add_place(r->p, w->file, w->at, line);
    if (w->call) text_format(line, " in %s", w->call);
}

/* "worker waits in pthread_mutex_lock(&m) at file.c:3:5" */
static void describe_standing(replay *r, const state *s, uint32_t thread, const char *does, text *line) {
    const thread_part *t = s->threads[thread];
    const function *in = thread_visible_function(r->p, t);
    char *call = thread_call(r, s, thread);
    text_format(line, "%s %s", machine_thread_name(r->m, thread), does);
    if (call) text_format(line, " in %s", call);
    add_place(r->p, in ? in->file : NULL, thread_position(r->p, t), line);
    mem_free(call);
}

static void describe_blocked(replay *r, const state *s, uint32_t thread, const pending *next) {
    text line = {0};
    describe_standing(r, s, thread, "waits", &line);
    if (next->next && next->next->size) {
        access first = next->next->data[0];
        explain_blocking(r, s, &first, &line);
    }
    vec_push(&r->out->blocked, take_text(&line));
}

/* Threads that go on, or round in a loop that comes to nothing. */
static void describe_other(replay *r, const state *s, uint32_t thread, const char *does) {
    text line = {0};
    describe_standing(r, s, thread, does, &line);
    vec_push(&r->out->others, take_text(&line));
}

static void describe_at_standstill(replay *r, const state *s, uint32_t thread, bool all_stand_still) {
    const thread_part *t = s->threads[thread];
    pending next;
    machine_pending(r->m, s, thread, &next);
    bool asleep = next.live && !next.enabled && t->spin && t->spin->waiting;
    if (asleep || t->status == THREAD_LOOPING)
        describe_other(r, s, thread, "goes round in a loop for ever");
    else if (next.live && next.enabled)
        describe_other(r, s, thread, all_stand_still ? "ends the program" : "goes on");
    else if (next.live)
        describe_blocked(r, s, thread, &next);
}

void describe_deadlock(replay *r, const state *s) {
    if (r->p->kernel == KERNEL_PREEMPTIVE) {
        transitions enabled = {0};
        machine_enabled(r->m, s, &enabled);
        for (uint32_t thread = 0; thread < s->thread_count; thread++)
            describe_at_standstill(r, s, thread, !enabled.size);
        vec_free(&enabled);
        return;
    }
    for (uint32_t thread = 1; thread < r->p->threads.size; thread++) {
        const thread_part *t = s->threads[thread];
        if (t->status == THREAD_WAITING || (t->status == THREAD_RUNNABLE && t->suspended))
            describe_waiter(r, s, thread);
    }
}

/* --- leaks ---------------------------------------------------------------------------------------------- */

enum { MOST_LOST = 16 };

void describe_leak(replay *r, const state *s) {
    size_t lost = 0;
    for (uint32_t i = 0; i < s->dynamic_count; i++) {
        const memory_object *o = s->dynamic[i].object;
        if (!o->heap || o->freed || lost++ >= MOST_LOST) continue;
        const char *file = o->made_in == NO_INDEX ? NULL : r->p->functions.data[o->made_in].file;
        unsigned long long bytes = object_bytes(o);
        text line = {0};
        object_name_print(&r->names, s, s->dynamic[i].name, &line);
        text_format(&line, ": %llu byte%s allocated by %s", bytes, bytes == 1 ? "" : "s",
                    machine_thread_name(r->m, o->owner));
        add_place(r->p, file, o->made_at, &line);
        vec_push(&r->out->lost, take_text(&line));
    }
    if (lost <= MOST_LOST) return;
    text line = {0};
    text_format(&line, "and %zu more", lost - MOST_LOST);
    vec_push(&r->out->lost, take_text(&line));
}

/* --- data races ----------------------------------------------------------------------------------------- */

void describe_race(replay *r, const state *s, const uint32_t threads[2]) {
    access racing[2];
    position places[2];
    if (!state_races(r->m, s, threads, racing, places)) return;
    for (int i = 0; i < 2; i++) {
        trace_access side = {.id = threads[i],
                             .thread = mem_copy_string(machine_thread_name(r->m, threads[i])),
                             .cell = access_cell(r, s, &racing[i]),
                             .access = racing[i].kind == ACCESS_READ ? "reads" : "writes",
                             .file = thread_file(r->p, s->threads[threads[i]]),
                             .at = thread_position(r->p, s->threads[threads[i]])};
        vec_push(&r->out->race, side);
    }
}
