#include "report/invariants.h"

#include "analysis/analyses.h"
#include "partial/abstract.h"
#include "report/c_expression.h"
#include "report/trace/value.h"

#include <ctype.h>
#include <inttypes.h>

enum { MOST_PARTS = 16, LONGEST_VALUE = 4000 };

typedef struct loop {
    uint32_t function, block;
    VEC(char *) parts;
    bool is_given_up; /* nothing to say, or too much */
} loop;

struct invariants {
    machine *machine;
    const program *program;
    VEC(loop) loops;
    flows *flows;
    bool is_useless;
};

bool invariants_are_possible(const program *p) {
    for (size_t f = 0; f < p->functions.size; f++)
        for (size_t b = 0; b < p->functions.data[f].blocks.size; b++) {
            const block *code = &p->functions.data[f].blocks.data[b];
            for (size_t k = 0; k < code->code.size; k++)
                if (code->code.data[k].kind == INSTR_SYNC && code->code.data[k].sync == SYNC_CREATE)
                    return false;
        }
    return program_kernel(p)->creates_threads;
}

invariants *invariants_create(machine *m) {
    invariants *v = mem_zero(1, sizeof *v);
    v->machine = m;
    v->program = machine_program(m);
    v->flows = analyses_flows(machine_analyses(m));
    return v;
}

void invariants_destroy(invariants *v) {
    if (!v) return;
    for (size_t i = 0; i < v->loops.size; i++) {
        for (size_t k = 0; k < v->loops.data[i].parts.size; k++) mem_free(v->loops.data[i].parts.data[k]);
        vec_free(&v->loops.data[i].parts);
    }
    vec_free(&v->loops);
    mem_free(v);
}

/* --- names ---------------------------------------------------------------------------------------------- */

typedef struct standing { /* a state at the head of a loop */
    invariants *v;
    const state *s;
    const frame *f;
    const function *in;
} standing;

static bool is_identifier(const char *s) {
    if (!isalpha((unsigned char)*s) && *s != '_') return false;
    while (isalnum((unsigned char)*s) || *s == '_') s++;
    return !*s;
}

/* Variables of different blocks may share a name: which one is meant cannot be said then. */
static uint32_t count_named(const function *f, const char *name) {
    uint32_t count = 0;
    for (size_t i = 0; i < f->registers.size; i++)
        count += f->registers.data[i].name && !strcmp(f->registers.data[i].name, name);
    for (size_t i = 0; i < f->locals.size; i++) count += !strcmp(f->locals.data[i].name, name);
    return count;
}

static uint32_t last_line(const function *f) {
    uint32_t last = f->at.line;
    for (size_t b = 0; b < f->blocks.size; b++)
        for (size_t k = 0; k < f->blocks.data[b].code.size; k++)
            if (f->blocks.data[b].code.data[k].at.line > last) last = f->blocks.data[b].code.data[k].at.line;
    return last;
}

/* A static variable of a function is not known elsewhere; neither is one that something local hides. */
static bool is_visible_global(const standing *at, uint32_t object) {
    const program *p = at->v->program;
    const static_object *o = &p->objects.data[object];
    if (o->is_array || o->shape->cells != 1 || !o->at.line || !is_identifier(o->name)) return false;
    for (size_t f = 0; f < p->functions.size; f++) {
        const function *function = &p->functions.data[f];
        bool inside = !function->hidden && function->at.line && o->at.line >= function->at.line &&
                      o->at.line <= last_line(function);
        if (inside) return false;
    }
    for (size_t i = 0; i < p->objects.size; i++)
        if (i != object && !strcmp(p->objects.data[i].name, o->name)) return false;
    return !count_named(at->in, o->name);
}

static bool is_visible_register(const standing *at, uint32_t number) {
    const char *name = at->in->registers.data[number].name;
    return name && is_identifier(name) && count_named(at->in, name) == 1;
}

/* The variable that holds the value of the symbol: the state must have the symbol itself there. */
static char *variable_of(void *data, const term *symbol) {
    const standing *at = data;
    const thread_part *t = thread_of(at->s, 0);
    for (uint32_t i = 0; i < at->in->registers.size; i++) {
        value held = values_of(t)[at->f->registers + i];
        if (!held.base && held.bits == symbol && is_visible_register(at, i))
            return mem_copy_string(at->in->registers.data[i].name);
    }
    uint32_t object = abstract_is_place(symbol) ? abstract_object_of(symbol) : NO_INDEX;
    if (object >= at->v->program->objects.size || !is_visible_global(at, object)) return NULL;
    cell_view piece = object_cell_view(state_object(at->s, object), 0);
    bool holds = !piece.v.base && piece.v.bits == symbol;
    return holds ? mem_copy_string(at->v->program->objects.data[object].name) : NULL;
}

/* --- parts ---------------------------------------------------------------------------------------------- */

static void add_conjunct(text *part, const char *said) {
    text_format(part, "%s%s", part->size ? " && " : "", said);
}

static void add_constant(text *part, const char *name, const term *number, scalar_type type) {
    text said = {0};
    int64_t as_signed = (int64_t)term_signed(number->width, number->value);
    if (type.view == VIEW_POINTER || number->width > 64 || as_signed == INT64_MIN) return;
    if (type.view == VIEW_UNSIGNED || type.view == VIEW_BOOL)
        text_format(&said, "%s == %" PRIu64 "%s", name, number->value, number->width == 64 ? "ULL" : "U");
    else
        text_format(&said, "%s == %" PRId64 "%s", name, as_signed, number->width == 64 ? "LL" : "");
    add_conjunct(part, text_cstr(&said));
    text_free(&said);
}

static void add_constants(const standing *at, text *part) {
    const thread_part *t = thread_of(at->s, 0);
    for (uint32_t i = 0; i < at->in->registers.size; i++) {
        value held = values_of(t)[at->f->registers + i];
        if (held.bits && !held.base && term_is_const(held.bits) && is_visible_register(at, i))
            add_constant(part, at->in->registers.data[i].name, held.bits, at->in->registers.data[i].type);
    }
    for (uint32_t i = 0; i < static_count_of(at->s); i++) {
        const memory_object *o = state_object(at->s, i);
        if (at->v->program->objects.data[i].is_constant || cells_of(o) != 1 || !is_visible_global(at, i))
            continue;
        cell_view piece = object_cell_view(o, 0);
        if (piece.v.bits && !piece.v.base && term_is_const(piece.v.bits))
            add_constant(part, at->v->program->objects.data[i].name, piece.v.bits, piece_type(o, &piece));
    }
}

static void add_conditions(const standing *at, text *part) {
    for (uint32_t i = 0; i < state_path_count(at->s); i++) {
        text said = {0};
        if (c_expression_print(state_path(at->s)[i], variable_of, (void *)(uintptr_t)at, &said))
            add_conjunct(part, text_cstr(&said));
        text_free(&said);
    }
}

static loop *loop_at(invariants *v, uint32_t function, uint32_t block) {
    for (size_t i = 0; i < v->loops.size; i++)
        if (v->loops.data[i].function == function && v->loops.data[i].block == block)
            return &v->loops.data[i];
    vec_push(&v->loops, ((loop){.function = function, .block = block}));
    return &vec_last(&v->loops);
}

static void add_part(loop *l, const text *part) {
    if (!part->size || l->parts.size >= MOST_PARTS || part->size > LONGEST_VALUE) l->is_given_up = true;
    for (size_t i = 0; i < l->parts.size; i++)
        if (!strcmp(l->parts.data[i], text_cstr(part))) return;
    if (!l->is_given_up) vec_push(&l->parts, mem_copy_string(text_cstr(part)));
}

void invariants_add(void *data, const state *s, invariant_kind of) {
    invariants *v = data;
    if (!(of.stops & STOP_LOOP_HEAD) || state_thread_count(s) != 1)
        v->is_useless = true; /* some passings do not show */
    const thread_part *t = thread_of(s, 0);
    if (v->is_useless || !frame_count_of(t)) return;
    standing at = {v, s, &frames_of(t)[frame_count_of(t) - 1], NULL};
    at.in = &v->program->functions.data[at.f->function];
    if (at.in->hidden || at.f->index || !flow_is_loop_head(flows_of(v->flows, at.f->function), at.f->block))
        return;
    text part = {0};
    add_constants(&at, &part);
    add_conditions(&at, &part);
    add_part(loop_at(v, at.f->function, at.f->block), &part);
    text_free(&part);
}

/* --- the list ------------------------------------------------------------------------------------------- */

static uint32_t line_of(const function *f, uint32_t block) {
    return f->blocks.data[block].code.data[0].at.line;
}

/* Two loops that begin in one line cannot be told apart by it. */
static bool shares_line(const invariants *v, const loop *l) {
    const function *f = &v->program->functions.data[l->function];
    const flow *known = flows_of(v->flows, l->function);
    for (uint32_t b = 0; b < f->blocks.size; b++)
        if (b != l->block && flow_is_loop_head(known, b) && line_of(f, b) == line_of(f, l->block))
            return true;
    return false;
}

void invariants_list(const invariants *v, loop_invariants *out) {
    for (size_t i = 0; i < v->loops.size && !v->is_useless; i++) {
        const loop *l = &v->loops.data[i];
        const function *f = &v->program->functions.data[l->function];
        if (l->is_given_up || !l->parts.size || !line_of(f, l->block) || shares_line(v, l)) continue;
        text value = {0};
        for (size_t k = 0; k < l->parts.size; k++)
            text_format(&value, "%s(%s)", k ? " || " : "", l->parts.data[k]);
        loop_invariant made = {.line = line_of(f, l->block)};
        made.file = f->file ? mem_copy_string(f->file) : NULL;
        made.function = mem_copy_string(f->name);
        made.value = mem_copy_string(text_cstr(&value));
        if (value.size <= LONGEST_VALUE)
            vec_push(&out->list, made);
        else
            mem_free(made.file), mem_free(made.function), mem_free(made.value);
        text_free(&value);
    }
}

void loop_invariants_free(loop_invariants *l) {
    for (size_t i = 0; i < l->list.size; i++) {
        mem_free(l->list.data[i].file);
        mem_free(l->list.data[i].function);
        mem_free(l->list.data[i].value);
    }
    vec_free(&l->list);
}
