/* Which cells of static and heap memory a waveform shows, and their values step by step. */
#include "report/trace/replay.h"

#include <ctype.h>

enum { MOST_VARIABLES = 20000 };

/* Names that the compiler made: _vptr$x, and numbers of parts without a name. */
static bool has_foreign_part(const char *name) {
    for (const char *part = name; part; part = strchr(part, '.')) {
        if (*part == '.') part++;
        if (*part == '_' || isdigit((unsigned char)*part)) return true;
    }
    return false;
}

/* Whether the program itself says what this object is. */
static bool is_shown(const program *p, uint32_t object) {
    const static_object *o = &p->objects.data[object];
    if (o->is_constant || o->name[0] == '"' || o->name[0] == '_') return false;
    bool is_raw = o->is_array && o->shape->stride == 1 && !o->described; /* only casts say what it holds */
    return !is_of_library(p, object) && !o->is_inner && !(is_raw && program_kernel(p)->has_simulator);
}

static bool number_of(replay *r, value v, uint64_t *number) {
    bool known = v.bits && !v.base;
    if (known) *number = value_number(&r->names, v.bits);
    return known;
}

static void add_variable(replay *r, const memory_object *o, uint32_t object, const cell_view *piece) {
    const static_object *declared = &r->p->objects.data[object];
    scalar_type type = piece_type(o, piece);
    uint32_t begin;
    if (type.view == VIEW_POINTER || object_lock_at(o, piece->low, &begin)) return;
    char *name =
        piece_text(&(object_label){.name = declared->name, .is_array = declared->is_array}, o, piece);
    const cell_type *cell = piece_cell(o, piece);
    cell_role role = cell ? (cell_role)cell->role : CELL_PLAIN;
    bool is_design = program_kernel(r->p)->has_simulator;
    bool is_resolution = is_design && !strcmp(name, "times.resolution");
    if (is_resolution) number_of(r, piece->v, &r->out->resolution);
    bool is_foreign =
        is_design && (is_resolution || role > CELL_PRESENT || has_foreign_part(name) || strpbrk(name, "(+"));
    if (is_foreign) {
        mem_free(name);
        return;
    }
    trace_variable v = {.name = name, .type = type, .minor = is_design && role != CELL_PRESENT};
    v.known = number_of(r, piece->v, &v.initial);
    vec_push(&r->out->variables, v);
    vec_push(&r->cells, ((wave_cell){object, piece->low, piece->high}));
}

void waves_begin(replay *r, const state *initial) {
    if (r->p->elaboration.pending) return;
    for (uint32_t i = 0; i < static_count_of(initial); i++) {
        const memory_object *o = state_object(initial, i);
        if (!is_shown(r->p, i)) continue;
        for (uint32_t cell = 0; cell < cells_of(o) && r->cells.size < MOST_VARIABLES; cell++) {
            cell_view piece = object_cell_view(o, cell);
            if (piece.high - piece.low <= 8) add_variable(r, o, i, &piece);
        }
    }
    r->static_cells = r->cells.size;
}

static value value_at(const memory_object *o, const wave_cell *c) {
    value none = {NULL, 0};
    if (c->low >= bytes_of(o)) return none;
    cell_view piece = object_view(o, c->low);
    return piece.low == c->low && piece.high == c->high ? piece.v : none;
}

/* --- heap memory ---------------------------------------------------------------------------------------- */

static bool is_inside_library(const char *name) {
    return strstr(name, "._M_") || strstr(name, ".__") || strstr(name, "->_M_") || strstr(name, "->__");
}

/* A cell that has a name of the program's own becomes a variable when it first has a value;
 * NO_INDEX: none. */
static uint32_t heap_variable(replay *r, const state *s, uint32_t object, const memory_object *o,
                              const cell_view *piece) {
    uint64_t key = (uint64_t)object << 32 | piece->low, known = map_get(&r->heap_cells, key);
    uint32_t begin;
    if (known != MAP_NONE) /* of a union one member is enough */
        return r->cells.data[known].high == piece->high ? (uint32_t)known : NO_INDEX;
    scalar_type type = piece_type(o, piece);
    if (type.view == VIEW_POINTER || !piece_cell(o, piece) || object_lock_at(o, piece->low, &begin) ||
        r->cells.size >= MOST_VARIABLES)
        return NO_INDEX;
    object_label of = object_label_of(&r->names, s, object);
    char *name = piece_text(&of, o, piece);
    if (is_inside_library(name)) {
        mem_free(name);
        return NO_INDEX;
    }
    assert(r->cells.size == r->out->variables.size); /* each variable shows one cell */
    map_put(&r->heap_cells, key, r->cells.size);
    vec_push(&r->out->variables, ((trace_variable){.name = name, .type = type}));
    vec_push(&r->cells, ((wave_cell){object, piece->low, piece->high}));
    return (uint32_t)r->cells.size - 1;
}

typedef struct heap_step { /* an object of the heap before and after a step */
    uint32_t object;
    const memory_object *old, *new; /* NULL: it is not there */
} heap_step;

static void sample_cell(replay *r, const state *s, const heap_step *h, const cell_type *cell, uint32_t low,
                        trace_step *step) {
    const memory_object *shown = h->new ? h->new : h->old;
    cell_view there = piece_of_cell(&r->names, shown, cell, low), then = there;
    uint64_t was = 0, is = 0;
    bool is_known = h->new &&number_of(r, there.v, &is);
    if (h->new && h->old) then = piece_of_cell(&r->names, h->old, cell, low);
    bool was_known = h->old && number_of(r, then.v, &was);
    if (there.low != low || (was_known == is_known && was == is)) return;
    uint32_t variable = heap_variable(r, s, h->object, shown, &there);
    if (variable != NO_INDEX) vec_push(&step->samples, ((trace_sample){variable, is_known, is}));
}

static void sample_object(replay *r, const state *s, const heap_step *h, trace_step *step) {
    enum { MOST_BYTES = 1 << 14 };
    const memory_object *shown = h->new ? h->new : h->old;
    const layout *holds = described_of(shown);
    if (!heap_of(shown) || !holds || !holds->stride || h->old == h->new) return;
    uint32_t bytes = bytes_of(shown);
    for (uint32_t low = 0; low + holds->stride <= bytes && low < MOST_BYTES; low += holds->stride)
        for (uint32_t k = 0; k < holds->cells; k++)
            sample_cell(r, s, h, &holds->cell[k], low + holds->cell[k].offset, step);
}

static void sample_heap(replay *r, const state *before, const state *after, trace_step *step) {
    if (!program_kernel(r->p)->traces_tell_heap) return;
    for (uint32_t i = 0; i < dynamic_count_of(after); i++) {
        uint32_t name = dynamic_of(after, i).name;
        heap_step h = {name, state_object(before, name), dynamic_of(after, i).object};
        sample_object(r, after, &h, step);
    }
    for (uint32_t i = 0; i < dynamic_count_of(before); i++) {
        heap_step h = {dynamic_of(before, i).name, dynamic_of(before, i).object, NULL};
        if (!state_object(after, h.object)) sample_object(r, before, &h, step);
    }
}

void waves_sample(replay *r, const state *before, const state *after, trace_step *step) {
    sample_heap(r, before, after, step);
    for (uint32_t k = 0; k < r->static_cells; k++) {
        const wave_cell *c = &r->cells.data[k];
        const memory_object *old = state_object(before, c->object), *new = state_object(after, c->object);
        if (old == new) continue;
        uint64_t was = 0, is = 0;
        bool was_known = number_of(r, value_at(old, c), &was), is_known = number_of(r, value_at(new, c), &is);
        if (was_known != is_known || was != is) vec_push(&step->samples, ((trace_sample){k, is_known, is}));
    }
}
