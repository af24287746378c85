#include "report/value.h"

#include <ctype.h>

void naming_free(naming *n) {
    vec_free(&n->heap);
}

uint64_t value_number(naming *n, const term *bits) {
    return term_is_const(bits) ? bits->value : term_evaluate(n->terms, bits, n->inputs);
}

/* The layout that has names for the bytes of an object: its shape, or of heap memory what was made there. */
static const layout *naming_layout(const memory_object *o) {
    return o->described && o->shape->stride == 1 ? o->described : o->shape;
}

/* The cell of the layout that begins with this byte of an element, or NULL. */
static const cell_type *cell_at(const layout *shape, uint32_t within) {
    for (uint32_t i = 0; i < shape->cells; i++)
        if (shape->cell[i].offset == within) return &shape->cell[i];
    return NULL;
}

const cell_type *piece_cell(const memory_object *o, const cell_view *piece) {
    const layout *shape = naming_layout(o);
    if (!shape->stride) return NULL;
    const cell_type *c = cell_at(shape, piece->low % shape->stride);
    return c && scalar_bytes(c->type) == piece->high - piece->low ? c : NULL;
}

/* Heap memory of which is known what was made is an array if there is more than one of it. */
static bool has_elements(const memory_object *o, bool is_array) {
    const layout *shape = naming_layout(o);
    return shape == o->shape ? is_array : object_bytes(o) > shape->stride;
}

void piece_name_print(const char *base, bool is_array, const memory_object *o, const cell_view *piece,
                      text *out) {
    const cell_type *c = piece_cell(o, piece);
    bool whole = !piece->low && piece->high == object_bytes(o);
    text_add(out, base);
    if (c && has_elements(o, is_array)) text_format(out, "[%u]", piece->low / naming_layout(o)->stride);
    if (c) text_add(out, c->name);
    if (!c && !whole) text_format(out, "+%u", piece->low);
}

bool piece_is_inner(const memory_object *o, const cell_view *piece) {
    const cell_type *c = piece_cell(o, piece);
    return c && c->role == CELL_INNER;
}

scalar_type piece_type(const memory_object *o, const cell_view *piece) {
    const cell_type *c = piece_cell(o, piece);
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

/* A member that a library type is made of inside says nothing to its user: `lock.__data.__lock` is the lock.
 */
static void add_without_insides(const char *name, text *out) {
    const char *inside = strstr(name, ".__");
    text_format(out, "%.*s", inside ? (int)(inside - name) : (int)strlen(name), name);
}

/* What a pointer into an object means: an element, or a later cell within one. False: it is outside, or
 * between cells. */
static bool place_name_print(const char *base, bool is_array, const memory_object *o, uint64_t offset,
                             text *out) {
    const layout *shape = naming_layout(o);
    if (!shape->stride || offset >= object_bytes(o)) return false;
    uint32_t element = (uint32_t)(offset / shape->stride), within = (uint32_t)(offset % shape->stride);
    const cell_type *cell = cell_at(shape, within);
    if (!cell) return false;
    text_add(out, base);
    if (has_elements(o, is_array)) text_format(out, "[%u]", element);
    if (within) add_without_insides(cell->name, out);
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
    bool raw =
        o && o->heap && naming_layout(o)->stride == 1 && n->program->kernel == KERNEL_PREEMPTIVE; /* malloc */
    text_char(out, '&');
    if (!o || (!offset && (raw || !has_elements(o, is_array))))
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
