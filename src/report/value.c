#include "report/value.h"

#include <ctype.h>

void naming_free(naming *n) {
    vec_free(&n->heap);
}

uint64_t value_number(naming *n, const term *bits) {
    return term_is_const(bits) ? bits->value : term_evaluate(n->terms, bits, n->inputs);
}

/* The cell of the shape that covers exactly these bytes, or NULL. */
static const cell_type *shape_cell(const memory_object *o, uint32_t low, uint32_t high) {
    if (!o->shape->stride) return NULL;
    uint32_t within = low % o->shape->stride;
    for (uint32_t i = 0; i < o->shape->cells; i++) {
        const cell_type *c = &o->shape->cell[i];
        if (c->offset == within) return scalar_bytes(c->type) == high - low ? c : NULL;
    }
    return NULL;
}

void piece_name_print(const char *base, bool is_array, const memory_object *o, const cell_view *piece,
                      text *out) {
    const cell_type *c = shape_cell(o, piece->low, piece->high);
    bool whole = !piece->low && piece->high == object_bytes(o);
    text_add(out, base);
    if (c && is_array) text_format(out, "[%u]", piece->low / o->shape->stride);
    if (c) text_add(out, c->name);
    if (!c && !whole) text_format(out, "+%u", piece->low);
}

scalar_type piece_type(const memory_object *o, const cell_view *piece) {
    const cell_type *c = shape_cell(o, piece->low, piece->high);
    uint32_t bytes = piece->high - piece->low;
    return c ? c->type : (scalar_type){(uint8_t)(bytes < 8 ? 8 * bytes : 64), VIEW_SIGNED};
}

uint32_t frame_local_object(const program *p, const thread_part *t, const frame *f, uint32_t local) {
    size_t at = f->registers + p->functions.data[f->function].registers.size + local;
    if (at >= t->value_count || !t->values[at].base) return NO_INDEX;
    return t->values[at].base - 1;
}

/* The variable of some frame that lives in this object, or NULL. */
static const local_object *find_local(const program *p, const state *s, uint32_t object) {
    for (uint32_t thread = 0; thread < s->thread_count; thread++) {
        const thread_part *t = s->threads[thread];
        for (uint32_t k = 0; k < t->frame_count; k++) {
            const function *f = &p->functions.data[t->frames[k].function];
            for (uint32_t l = 0; l < f->locals.size; l++)
                if (frame_local_object(p, t, &t->frames[k], l) == object) return &f->locals.data[l];
        }
    }
    return NULL;
}

static size_t heap_number(naming *n, uint32_t object) {
    size_t i = 0;
    while (i < n->heap.size && n->heap.data[i] != object) i++;
    if (i == n->heap.size) vec_push(&n->heap, object);
    return i + 1;
}

void object_name_print(naming *n, const state *s, uint32_t object, text *out) {
    const local_object *local = find_local(n->program, s, object);
    if (local)
        text_add(out, local->name);
    else
        text_format(out, "new%zu", heap_number(n, object));
}

/* What a pointer into an object means: an element, or a later cell within one. False: it is outside, or
 * between cells. */
static bool place_name_print(const char *base, bool is_array, const memory_object *o, uint64_t offset,
                             text *out) {
    if (!o->shape->stride || offset >= object_bytes(o)) return false;
    uint32_t element = (uint32_t)(offset / o->shape->stride), within = (uint32_t)(offset % o->shape->stride);
    uint32_t cell = 0;
    while (cell < o->shape->cells && o->shape->cell[cell].offset != within) cell++;
    if (cell == o->shape->cells) return false;
    text_add(out, base);
    if (is_array) text_format(out, "[%u]", element);
    if (within) text_add(out, o->shape->cell[cell].name);
    return true;
}

/* &name of the cell pointed to; outside the cells, &object with the offset in bytes. */
static void pointer_print(naming *n, const state *s, uint32_t object, uint64_t offset, text *out) {
    const memory_object *o = state_object(s, object);
    text name = {0};
    bool is_array = o && o->count > 1;
    if (object < n->program->objects.size) {
        text_add(&name, n->program->objects.data[object].name);
        is_array = n->program->objects.data[object].is_array;
    } else {
        object_name_print(n, s, object, &name);
    }
    bool raw = o && o->heap && o->shape->stride == 1 && n->program->kernel == KERNEL_PREEMPTIVE; /* malloc */
    text_char(out, '&');
    if (!o || (!offset && (raw || !is_array)))
        text_add(out, text_cstr(&name));
    else if (raw)
        text_format(out, "%s+%llu", text_cstr(&name), (unsigned long long)offset);
    else if (!place_name_print(text_cstr(&name), is_array, o, offset, out))
        text_format(out, "%s%+lld", text_cstr(&name), (long long)offset);
    if (!o || o->freed) text_add(out, " (freed)");
    text_free(&name);
}

/* A pointer to an object or function, the identity of a thread, or one byte of such a pointer. */
static void target_print(naming *n, const state *s, value v, uint64_t number, text *out) {
    uint32_t target = value_target(v);
    if (value_is_fragment(v)) text_format(out, "byte %u of ", value_fragment_index(v));
    if (target < FUNCTION_BASE)
        pointer_print(n, s, target - 1, number, out);
    else if (target - FUNCTION_BASE == n->program->thread_origin)
        text_format(out, "thread %u", number < s->thread_count ? (unsigned)number : 0);
    else if (target - FUNCTION_BASE < n->program->functions.size)
        text_add(out, n->program->functions.data[target - FUNCTION_BASE].name);
}

void value_print(naming *n, const state *s, value v, scalar_type type, text *out) {
    if (!v.bits) {
        text_add(out, "?");
        return;
    }
    uint64_t number = value_number(n, v.bits);
    if (v.base) {
        target_print(n, s, v, number, out);
        return;
    }
    unsigned width = v.bits->width;
    long long as_signed = (long long)term_signed(width, number);
    switch ((scalar_view)type.view) {
    case VIEW_UNSIGNED: text_format(out, "%llu", (unsigned long long)number); break;
    case VIEW_SIGNED: text_format(out, "%lld", as_signed); break;
    case VIEW_BOOL: text_add(out, number ? "true" : "false"); break;
    case VIEW_CHAR:
        text_format(out, "%lld", as_signed);
        if (number < 128 && isprint((int)number)) text_format(out, " '%c'", (char)number);
        break;
    case VIEW_POINTER:
        if (number)
            text_format(out, "invalid pointer 0x%llx", (unsigned long long)number);
        else
            text_add(out, "null");
        break;
    }
}
