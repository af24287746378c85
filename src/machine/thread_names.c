/* What threads are called: by the function that they begin with. Where that is one of the library, which
 * calls what the program has given it, the thread goes by that. */
#include "machine/internal.h"
#include "machine/record.h"

enum { MOST_FUNCTIONS_SEEN = 200, MOST_RECORDS = 4 };

static const char call_operator[] = "::operator()";

static bool is_call_operator(const char *name) {
    size_t length = strlen(name), ending = sizeof call_operator - 1;
    return length > ending && !strcmp(name + length - ending, call_operator);
}

/* The function object of the program that a function of the library calls, maybe through others of it. */
static uint32_t object_called_by(const program *p, uint32_t function) {
    VEC(uint32_t) seen = {0};
    uint32_t found = NO_INDEX;
    vec_push(&seen, function);
    for (size_t k = 0; k < seen.size && found == NO_INDEX; k++) {
        const struct function *f = &p->functions.data[seen.data[k]];
        if (!f->hidden && is_call_operator(f->name)) found = seen.data[k];
        for (size_t b = 0; b < f->blocks.size && f->hidden; b++)
            for (size_t i = 0; i < f->blocks.data[b].code.size; i++) {
                const instruction *next = &f->blocks.data[b].code.data[i];
                if (next->kind != INSTR_CALL || next->callee == NO_INDEX) continue;
                bool is_new = seen.size < MOST_FUNCTIONS_SEEN;
                for (size_t s = 0; s < seen.size && is_new; s++) is_new = seen.data[s] != next->callee;
                if (is_new) vec_push(&seen, next->callee);
            }
    }
    vec_free(&seen);
    return found;
}

static uint32_t program_function(const program *p, uint32_t function) {
    if (function == NO_INDEX || !p->functions.data[function].hidden) return function;
    return object_called_by(p, function);
}

/* A class of the library with a virtual function that does the work: whichever it is. */
static uint32_t function_of_table(const machine *m, const state *s, value table) {
    uint32_t name = value_object(table), found = NO_INDEX;
    if (name >= m->program->objects.size || !term_is_const(table.bits)) return NO_INDEX;
    const memory_object *o = state_object(s, name);
    for (uint32_t cell = 0; o && cell < o->cells && found == NO_INDEX; cell++) {
        cell_view piece = object_cell_view(o, cell);
        if (piece.v.bits) found = program_function(m->program, value_function(piece.v));
    }
    return found;
}

/* What a record of the library holds: a function, or an object that is called; NO_INDEX: neither. Of a tuple
 * the first element is the last in memory. */
static uint32_t function_of_record(const machine *m, const state *s, value record, unsigned depth) {
    const memory_object *o = value_object(record) == NO_INDEX ? NULL : state_object(s, value_object(record));
    uint32_t found = NO_INDEX;
    if (!o || !o->cells || depth > MOST_RECORDS) return NO_INDEX;
    cell_view first = object_cell_view(o, 0);
    if (first.v.bits) found = function_of_table(m, s, first.v);
    for (uint32_t cell = o->cells; cell-- > 0 && found == NO_INDEX;) {
        cell_view piece = object_cell_view(o, cell);
        if (piece.v.bits) found = program_function(m->program, value_function(piece.v));
    }
    /* Something of the library again: what it is to work on. */
    for (uint32_t cell = o->cells; cell-- > 1 && found == NO_INDEX;) {
        cell_view piece = object_cell_view(o, cell), before = object_cell_view(o, cell - 1);
        if (piece.v.bits && before.v.bits && value_function(before.v) != NO_INDEX)
            found = function_of_record(m, s, piece.v, depth + 1);
    }
    return found;
}

/* The library's own function that a record of the library begins with; NO_INDEX: none. */
static uint32_t function_behind(const state *s, value record) {
    const memory_object *o = value_object(record) == NO_INDEX ? NULL : state_object(s, value_object(record));
    cell_view first = o && o->cells ? object_cell_view(o, 0) : (cell_view){0};
    return first.v.bits ? value_function(first.v) : NO_INDEX;
}

/* worker::operator() is a worker; main::$_0::operator() a lambda, which goes by its line. */
static void print_function(const function *f, text *out) {
    size_t length = strlen(f->name);
    if (is_call_operator(f->name)) length -= sizeof call_operator - 1;
    size_t last = length;
    while (last && strncmp(f->name + last - 1, "::$_", 4) && strncmp(f->name + last - 1, "::{lambda", 9))
        last--;
    text_add_bytes(out, f->name, last ? last - 1 : length);
    if (last) text_format(out, "::lambda@%u", f->at.line);
}

/* A thread that is an object goes by the object's name. */
static const char *object_of_thread(const machine *m, uint32_t function, value argument) {
    uint32_t object = value_object(argument);
    bool is_object = m->program->functions.data[function].hidden && object < m->program->objects.size;
    return is_object ? m->program->objects.data[object].name : NULL;
}

static const char *keep(machine *m, text *name) {
    const char *kept = arena_string(&m->names, text_cstr(name), name->size);
    text_free(name);
    return kept;
}

/* Those of this path count, or all that there ever were if there is none. */
static unsigned count_called(const machine *m, const state *s, uint32_t number, const char *called) {
    unsigned same = 0;
    for (uint32_t t = 1; t <= m->thread_called.size; t++) {
        bool is_there = !s || (t < s->thread_count && s->threads[t]->status != THREAD_UNBORN);
        same += t != number && is_there && !strcmp(m->thread_called.data[t - 1], called);
    }
    return same;
}

void thread_names_add(machine *m, uint32_t function) {
    text name = {0};
    print_function(&m->program->functions.data[function], &name);
    const char *called = keep(m, &name);
    unsigned same = count_called(m, NULL, 0, called);
    if (same) text_format(&name, "%s#%u", called, same + 1);
    vec_push(&m->thread_names, same ? keep(m, &name) : called);
    vec_push(&m->thread_called, called);
    vec_push(&m->thread_names_final, false);
}

/* On another path the same number may be another thread: a replay has names of its own. */
void thread_names_note(machine *m, const state *s, uint32_t number, uint32_t function, value argument) {
    if (m->thread_names_final.data[number - 1] && !m->step->replay) return;
    m->thread_names_final.data[number - 1] = true;
    m->thread_births.data[number - 1].function = function;
    const struct function *f = &m->program->functions.data[function];
    const char *object = object_of_thread(m, function, argument);
    uint32_t given = f->hidden && !object ? function_of_record(m, s, argument, 0) : NO_INDEX;
    if (f->hidden && given == NO_INDEX) given = function_behind(s, argument);
    text name = {0};
    if (object)
        text_add(&name, object);
    else
        print_function(given == NO_INDEX ? f : &m->program->functions.data[given], &name);
    const char *called = keep(m, &name);
    unsigned same = object ? 0 : count_called(m, m->step->replay ? s : NULL, number, called);
    if (same) text_format(&name, "%s#%u", called, same + 1);
    m->thread_called.data[number - 1] = called;
    m->thread_names.data[number - 1] = same ? keep(m, &name) : called;
}

void machine_thread_task(const machine *m, uint32_t thread, text *out) {
    bool is_created = thread && thread <= m->thread_called.size;
    const char *called = is_created ? m->thread_called.data[thread - 1] : machine_thread_name(m, thread);
    text_add_bytes(out, called, strcspn(called, "@"));
}
