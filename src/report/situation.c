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

/* --- the variables of a violated check ------------------------------------------------------------------ */

enum {
    MOST_CELLS = 16
}; /* of a larger object in a violated check nothing is shown: which cells matter is not known */

typedef struct mention { /* of a variable in the text of a check: `word`, or `word.path` */
    const char *word;
    size_t length;
    const char *path; /* ".x.y" */
    size_t path_length;
} mention;

/* Letters of other alphabets are bytes above those of ASCII. */
static bool is_of_identifier(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static size_t identifier_length(const char *c) {
    size_t length = 0;
    while (is_of_identifier(c[length])) length++;
    return isdigit((unsigned char)*c) ? 0 : length;
}

/* Members of members; what is called is no member that has a value. */
static mention mention_at(const char *c) {
    mention m = {c, identifier_length(c), NULL, 0};
    m.path = c + m.length;
    for (;;) {
        const char *next = m.path + m.path_length;
        size_t member = *next == '.' ? identifier_length(next + 1) : 0;
        if (!member || next[1 + member] == '(') return m;
        m.path_length += 1 + member;
    }
}

static bool is_below(const char *name, const char *path, size_t length) {
    return !strncmp(name, path, length) && (!name[length] || name[length] == '.' || name[length] == '[');
}

static bool is_mentioned(const memory_object *o, const cell_view *piece, const mention *m) {
    const cell_type *cell = piece_cell(o, piece);
    return !m->path_length || (cell && is_below(cell->name, m->path, m->path_length));
}

static void add_object_values(replay *r, const state *s, const char *name, bool is_array,
                              const memory_object *o, const mention *m) {
    uint32_t found = 0;
    for (uint32_t cell = 0; o && cell < o->cells && found <= MOST_CELLS; cell++) {
        cell_view piece = object_cell_view(o, cell);
        found += is_mentioned(o, &piece, m);
    }
    for (uint32_t cell = 0; found && found <= MOST_CELLS && cell < o->cells; cell++) {
        cell_view piece = object_cell_view(o, cell);
        if (is_mentioned(o, &piece, m) && !piece_is_inner(o, &piece))
            add_value(r->out, piece_text(name, is_array, o, &piece), piece_value(r, s, o, &piece));
    }
}

static bool is_word(const char *name, const mention *m) {
    return name && strlen(name) == m->length && !memcmp(name, m->word, m->length);
}

/* Local variables hide global ones; of several scopes, the innermost is the last register of that name with a
 * value. */
static bool add_local_value(replay *r, const state *s, const thread_part *t, const mention *m) {
    const frame *top = top_frame(t);
    const function *f = &r->p->functions.data[top->function];
    for (size_t i = f->registers.size; i-- > 0;) {
        value v = t->values[top->registers + i];
        if (!v.bits || !is_word(f->registers.data[i].name, m)) continue;
        add_value(r->out, mem_copy_string(f->registers.data[i].name),
                  value_text(r, s, v, f->registers.data[i].type));
        return true;
    }
    for (uint32_t i = 0; i < f->locals.size; i++) {
        if (!is_word(f->locals.data[i].name, m)) continue;
        uint32_t object = frame_local_object(r->p, t, top, i);
        if (object != NO_INDEX)
            add_object_values(r, s, f->locals.data[i].name, f->locals.data[i].is_array,
                              state_object(s, object), m);
        return true;
    }
    return false;
}

/* The object that a member function works on, and where it begins there; NULL: none. */
static const memory_object *own_object(replay *r, const state *s, const thread_part *t, uint32_t *name,
                                       uint64_t *begin) {
    static const mention self = {"this", 4, NULL, 0};
    const frame *top = top_frame(t);
    const function *f = &r->p->functions.data[top->function];
    for (uint32_t i = 0; i < f->registers.size; i++) {
        value v = t->values[top->registers + i];
        if (!v.bits || !is_word(f->registers.data[i].name, &self)) continue;
        *name = value_object(v);
        *begin = value_number(&r->names, v.bits);
        return *name == NO_INDEX ? NULL : state_object(s, *name);
    }
    return NULL;
}

static bool ends_with_member(const char *name, const mention *m) {
    size_t length = strlen(name);
    return length > m->length && name[length - m->length - 1] == '.' &&
           !memcmp(name + length - m->length, m->word, m->length);
}

/* A member of the object that a member function works on, if only one can be meant. */
static bool add_member_value(replay *r, const state *s, const thread_part *t, const mention *m) {
    uint32_t name, found = 0;
    uint64_t begin;
    cell_view member = {0};
    const memory_object *o = own_object(r, s, t, &name, &begin);
    for (uint32_t k = 0; o && k < o->cells; k++) {
        cell_view piece = object_cell_view(o, k);
        const cell_type *cell = piece.low >= begin ? piece_cell(o, &piece) : NULL;
        if (!cell || cell->role > CELL_PRESENT || !ends_with_member(cell->name, m)) continue;
        member = piece;
        found++;
    }
    if (found != 1) return false;
    text shown = {0};
    text_add_bytes(&shown, m->word, m->length);
    add_value(r->out, take_text(&shown), piece_value(r, s, o, &member));
    return true;
}

static void add_global_value(replay *r, const state *s, const mention *m) {
    for (uint32_t i = 0; i < s->static_count; i++) {
        const static_object *o = &r->p->objects.data[i];
        if (is_word(o->name, m)) add_object_values(r, s, o->name, o->is_array, s->objects[i], m);
    }
}

/* The variables whose names occur in the text of the violated check. */
void describe_violation(replay *r, const state *s, uint32_t thread) {
    if (thread == MACHINE_KERNEL)
        thread = (uint32_t)r->p->threads.size; /* the slot in which channel updates run */
    const thread_part *t =
        thread < s->thread_count && s->threads[thread]->frame_count ? s->threads[thread] : NULL;
    for (const char *c = r->violated->text; *c;) {
        mention m = mention_at(c);
        bool is_own = m.length && t && (add_local_value(r, s, t, &m) || add_member_value(r, s, t, &m));
        if (m.length && !is_own) add_global_value(r, s, &m);
        size_t skipped = strspn(c, "0123456789"); /* 0x1f, 3UL: no names */
        while (skipped && is_of_identifier(c[skipped])) skipped++;
        c += m.length ? m.length + m.path_length : skipped ? skipped : 1;
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
    for (uint32_t thread = 1; thread < r->p->threads.size; thread++)
        if (machine_is_blocked(r->m, s, thread)) describe_waiter(r, s, thread);
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
