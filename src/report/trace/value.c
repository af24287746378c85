#include "report/trace/value.h"

#include "machine/record.h"

#include <ctype.h>

uint64_t value_number(naming *n, const term *bits) {
    return term_is_const(bits) ? bits->value : term_evaluate(n->terms, bits, n->inputs);
}

const layout *object_layout(const memory_object *o) {
    return described_of(o) && shape_of(o)->stride == 1 ? described_of(o) : shape_of(o);
}

/* The cells that begin with this byte of an element: the first of them; those of unions may be several. */
static const cell_type *first_cell_at(const layout *shape, uint32_t within) {
    uint32_t low = 0, high = shape->cells;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (shape->cell[middle].offset < within)
            low = middle + 1;
        else
            high = middle;
    }
    return low < shape->cells && shape->cell[low].offset == within ? &shape->cell[low] : NULL;
}

/* Where a byte lies within its element. Memory that is no whole number of elements is one, with
 * more behind it. */
static bool find_element(const memory_object *o, uint64_t byte, uint32_t *element, uint32_t *within) {
    const layout *shape = object_layout(o);
    if (!shape->stride || byte >= bytes_of(o)) return false;
    bool is_whole = bytes_of(o) % shape->stride == 0;
    *element = is_whole ? (uint32_t)(byte / shape->stride) : 0;
    *within = is_whole ? (uint32_t)(byte % shape->stride) : (uint32_t)byte;
    return true;
}

const cell_type *piece_cell(const memory_object *o, const cell_view *piece) {
    const layout *shape = object_layout(o);
    uint32_t element, within;
    if (!find_element(o, piece->low, &element, &within)) return NULL;
    const cell_type *end = shape->cell + shape->cells;
    for (const cell_type *c = first_cell_at(shape, within); c && c < end && c->offset == within; c++)
        if (scalar_bytes(c->type) == piece->high - piece->low) return c;
    return NULL;
}

/* Heap memory of which is known what it holds is an array if there is more than one of it. */
static bool has_elements(const memory_object *o, bool is_array) {
    const layout *shape = object_layout(o);
    if (shape == shape_of(o)) return is_array;
    return bytes_of(o) > shape->stride && bytes_of(o) % shape->stride == 0;
}

/* The name of a part, of which `below` says what it is within its element. */
static void part_print(const object_label *of, const memory_object *o, uint32_t element, const char *below,
                       text *out) {
    bool indexed = has_elements(o, of->is_array), through = of->is_pointer && !indexed;
    if (through && !*below) text_char(out, '*');
    text_add(out, of->name);
    if (indexed) text_format(out, "[%u]", element);
    if (through && *below == '.') {
        text_add(out, "->");
        below++;
    }
    text_add(out, below);
}

void piece_name_print(const object_label *of, const memory_object *o, const cell_view *piece, text *out) {
    const cell_type *c = piece_cell(o, piece);
    bool whole = !piece->low && piece->high == bytes_of(o);
    uint32_t element = 0, within = 0;
    if (c && find_element(o, piece->low, &element, &within)) {
        part_print(of, o, element, c->name, out);
        return;
    }
    if (whole && of->is_pointer) text_char(out, '*');
    text_add(out, of->name);
    if (!whole) text_format(out, "+%u", piece->low);
}

void label_part_print(const object_label *of, const memory_object *o, uint32_t byte, const char *below,
                      text *out) {
    uint32_t element = 0, within;
    find_element(o, byte, &element, &within);
    part_print(of, o, element, below, out);
}

/* The byte there; false: it is no number. */
static bool read_byte(naming *n, const memory_object *o, uint32_t at, uint64_t *out) {
    cell_view piece = object_view(o, at);
    if (piece.v.base || !piece.v.bits) return false;
    bool repeats = piece.v.bits->width == 8 && piece.high - piece.low > 1;
    if (!repeats && piece.high - piece.low > 8) return false;
    *out = value_number(n, piece.v.bits) >> (repeats ? 0 : 8 * (at - piece.low)) & 0xff;
    return true;
}

cell_view piece_of_cell(naming *n, const memory_object *o, const cell_type *cell, uint32_t low) {
    cell_view piece = object_view(o, low);
    uint32_t bytes = scalar_bytes(cell->type);
    uint64_t number = 0, byte = 0;
    if (low + bytes > bytes_of(o)) return piece;
    bool is_whole = piece.low == low && piece.high == low + bytes;
    bool repeats = piece.v.bits && !piece.v.base && piece.v.bits->width == 8 && bytes > 1;
    if (is_whole && !repeats) return piece;
    for (uint32_t k = bytes; k-- > 0;) {
        if (!read_byte(n, o, low + k, &byte)) return piece;
        number = number << 8 | byte;
    }
    return (cell_view){{term_const(n->terms, 8 * bytes, number), 0}, low, low + bytes, piece.cell};
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
    if (at >= value_count_of(t) || !values_of(t)[at].base) return NO_INDEX;
    return values_of(t)[at].base - 1;
}

/* The variable of some frame that lives in this object, or NULL. */
static const local_object *find_local(const program *p, const state *s, uint32_t object) {
    for (uint32_t thread = 0; thread < state_thread_count(s); thread++) {
        const thread_part *t = thread_of(s, thread);
        for (uint32_t k = 0; k < frame_count_of(t); k++) {
            const function *f = &p->functions.data[frames_of(t)[k].function];
            for (uint32_t l = 0; l < f->locals.size; l++)
                if (frame_local_object(p, t, &frames_of(t)[k], l) == object) return &f->locals.data[l];
        }
    }
    return NULL;
}

object_label object_label_of(naming *n, const state *s, uint32_t object) {
    if (object < n->program->objects.size)
        return (object_label){.name = n->program->objects.data[object].name,
                              .is_array = n->program->objects.data[object].is_array};
    const memory_object *o = state_object(s, object);
    bool is_array = o && count_of(o) > 1;
    const local_object *local = o && heap_of(o) ? NULL : find_local(n->program, s, object);
    if (local) return (object_label){.name = local->name, .is_array = is_array};
    heap_name called = n->heap ? heap_name_of(n->heap, object) : (heap_name){"memory", false};
    return (object_label){.name = called.name, .is_array = is_array, .is_pointer = called.is_pointer};
}

/* A member that a library type is made of inside says nothing to its user: `lock.__data.__lock`
 * is the lock. */
static void add_without_insides(const char *name, text *out) {
    const char *inside = strstr(name, ".__");
    text_format(out, "%.*s", inside ? (int)(inside - name) : (int)strlen(name), name);
}

/* What begins there: a cell, or a lock whose insides the source does not show. */
static const char *name_at(const layout *shape, uint32_t within) {
    const cell_type *cell = first_cell_at(shape, within);
    if (cell) return cell->name;
    for (uint32_t k = 0; k < shape->locks; k++)
        if (shape->lock[k].offset == within) return shape->lock[k].name;
    return NULL;
}

/* What a pointer into an object means: an element, or a later cell within one. False: it is outside, or
 * between cells. */
static bool place_name_print(const object_label *of, const memory_object *o, uint64_t offset, text *out) {
    uint32_t element, within;
    if (!find_element(o, offset, &element, &within)) return false;
    const char *name = name_at(object_layout(o), within);
    if (!name) return false;
    text below = {0};
    if (within) add_without_insides(name, &below);
    text_char(out, '&');
    part_print(of, o, element, text_cstr(&below), out);
    text_free(&below);
    return true;
}

/* &name of the cell pointed to; outside the cells, &object with the offset in bytes. */
static void pointer_print(naming *n, const state *s, uint32_t object, uint64_t offset, text *out) {
    const memory_object *o = state_object(s, object);
    object_label of = object_label_of(n, s, object);
    const char *address = of.is_pointer ? "" : "&";
    /* Bytes that malloc made. */
    bool raw =
        o && heap_of(o) && object_layout(o)->stride == 1 && program_kernel(n->program)->traces_tell_heap;
    if (!o || (!offset && (raw || of.is_pointer || !has_elements(o, of.is_array))))
        text_format(out, "%s%s", address, of.name);
    else if (raw && !described_of(o))
        text_format(out, "%s%s+%llu", address, of.name, (unsigned long long)offset);
    else if (!place_name_print(&of, o, offset, out))
        text_format(out, "%s%s%+lld", address, of.name, (long long)offset);
    if (!o || freed_of(o)) text_add(out, " (freed)");
}

static void thread_print(const naming *n, uint32_t thread, text *out) {
    if (n->machine)
        text_format(out, "thread %s", machine_thread_name(n->machine, thread));
    else
        text_format(out, "thread %u", thread);
}

/* A pointer to an object or function, the identity of a thread, or one byte of such a pointer. */
static void target_print(naming *n, const state *s, value v, uint64_t number, text *out) {
    uint32_t target = value_target(v);
    if (value_is_fragment(v)) text_format(out, "byte %u of ", value_fragment_index(v));
    if (target < FUNCTION_BASE)
        pointer_print(n, s, target - 1, number, out);
    else if (target - FUNCTION_BASE == n->program->thread_origin)
        thread_print(n, number < state_thread_count(s) ? (uint32_t)number : 0, out);
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
