/* Which cells of static memory a waveform shows, and their values step by step. */
#include "report/replay.h"

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
    return !is_of_library(p, object) && !o->is_inner &&
           !(is_raw && p->c_memory && p->kernel == KERNEL_SYSTEMC);
}

static bool number_of(replay *r, value v, uint64_t *number) {
    bool known = v.bits && !v.base;
    if (known) *number = value_number(&r->names, v.bits);
    return known;
}

static void add_variable(replay *r, const memory_object *o, uint32_t object, const cell_view *piece) {
    const static_object *declared = &r->p->objects.data[object];
    scalar_type type = piece_type(o, piece);
    if (type.view == VIEW_POINTER) return;
    char *name = piece_text(declared->name, declared->is_array, o, piece);
    const cell_type *cell = piece_cell(o, piece);
    cell_role role = cell ? (cell_role)cell->role : CELL_PLAIN;
    bool is_design = r->p->c_memory && r->p->kernel == KERNEL_SYSTEMC;
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
    for (uint32_t i = 0; i < initial->static_count; i++) {
        const memory_object *o = initial->objects[i];
        if (!is_shown(r->p, i)) continue;
        for (uint32_t cell = 0; cell < o->cells && r->cells.size < MOST_VARIABLES; cell++) {
            cell_view piece = object_cell_view(o, cell);
            if (piece.high - piece.low <= 8) add_variable(r, o, i, &piece);
        }
    }
}

static value value_at(const memory_object *o, const wave_cell *c) {
    value none = {NULL, 0};
    if (c->low >= object_bytes(o)) return none;
    cell_view piece = object_view(o, c->low);
    return piece.low == c->low && piece.high == c->high ? piece.v : none;
}

void waves_sample(replay *r, const state *before, const state *after, trace_step *step) {
    for (uint32_t k = 0; k < r->cells.size; k++) {
        const wave_cell *c = &r->cells.data[k];
        const memory_object *old = before->objects[c->object], *new = after->objects[c->object];
        if (old == new) continue;
        uint64_t was = 0, is = 0;
        bool was_known = number_of(r, value_at(old, c), &was), is_known = number_of(r, value_at(new, c), &is);
        if (was_known != is_known || was != is) vec_push(&step->samples, ((trace_sample){k, is_known, is}));
    }
}
