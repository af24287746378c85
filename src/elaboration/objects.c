/* Objects of a state as static objects of the program. */
#include "elaboration/internal.h"
#include "partial/abstract.h"

#include <string.h>

/* --- values --------------------------------------------------------------------------------------------- */

static uint32_t static_name(const freezing *f, uint32_t name) {
    if (name < static_count_of(f->s)) return name;
    assert(map_get(&f->objects, name) != MAP_NONE); /* whatever is alive becomes static */
    return (uint32_t)map_get(&f->objects, name);
}

/* What is gone cannot be told from what never was: a pointer to it is unknown, and using it a violation. */
static bool is_alive(const freezing *f, uint32_t name) {
    const memory_object *o = state_object(f->s, name);
    return o && !freed_of(o);
}

bool freeze_operand(const freezing *f, value v, operand *out) {
    if (!v.bits || value_is_fragment(v) || !term_is_const(v.bits)) return false;
    uint32_t object = value_object(v);
    if (!v.base)
        *out = operand_const(v.bits->width, v.bits->value);
    else if (value_function(v) != NO_INDEX)
        *out = operand_function(value_function(v));
    else if (object != NO_INDEX && is_alive(f, object))
        *out = operand_object(static_name(f, object), v.bits->value);
    else
        return false;
    if (v.base) out->width = f->p->pointer_bits;
    return true;
}

static bool initial_value(const freezing *f, value v, initial_cell *out) {
    operand o;
    if (!v.bits) {
        out->kind = v.base == PADDING_BASE ? INITIAL_PADDING : INITIAL_UNSET;
        return true;
    }
    uint32_t object = value_object(v);
    if (object != NO_INDEX && !value_is_fragment(v) && term_is_const(v.bits) && !is_alive(f, object)) {
        out->kind = INITIAL_UNSET; /* dangling */
        return true;
    }
    if (!freeze_operand(f, v, &o)) return false;
    out->width = o.width;
    out->index = o.index;
    out->value = o.value;
    out->kind = o.kind == OPERAND_OBJECT     ? INITIAL_OBJECT
                : o.kind == OPERAND_FUNCTION ? INITIAL_FUNCTION
                                             : INITIAL_NUMBER;
    return true;
}

typedef VEC(initial_cell) initial_cells;

/* Whether its cells follow each other: only then can it become ragged as it is. */
static bool is_without_gaps(const memory_object *o) {
    uint32_t at = 0;
    for (uint32_t k = 0; k < cells_of(o); k++) {
        cell_view view = object_cell_view(o, k);
        if (view.low != at) return false;
        at = view.high;
    }
    return at == bytes_of(o);
}

/* --- objects -------------------------------------------------------------------------------------------- */

/* A number with unset bytes among known ones, as a copied structure with padding is: byte by byte, runs of
 * one kind together. False: something else is unknown in it. */
static bool take_apart(const freezing *f, const term *bits, uint32_t start, initial_cells *out) {
    uint32_t bytes = bits->width / 8;
    for (uint32_t k = 0; k < bytes; k++) {
        const term *byte = term_extract(f->c, bits, 8 * k, 8);
        bool known = term_is_const(byte);
        if (!known && !(term_is_symbol(byte) && abstract_is_unset_byte(byte))) return false;
        initial_cell *last = out->size && k ? &vec_last(out) : NULL;
        bool goes_on = last && (last->kind == INITIAL_NUMBER) == known;
        if (!goes_on)
            vec_push(out,
                     ((initial_cell){.start = start + k, .kind = known ? INITIAL_NUMBER : INITIAL_UNSET}));
        if (!known) continue;
        last = &vec_last(out);
        last->value |= byte->value << (8 * (start + k - last->start));
        last->width += 8;
    }
    return true;
}

/* Analyses look for pieces of an image by halves. */
FOR_ASSERTIONS static bool are_ascending(const initial_cells *cells) {
    for (size_t k = 1; k < cells->size; k++)
        if (cells->data[k - 1].start >= cells->data[k].start) return false;
    return true;
}

/* `static_number` is the static object that it is or becomes. */
static bool make_image(freezing *f, const memory_object *o, uint32_t static_number, static_object *to) {
    initial_cells cells = {0};
    bool good = true, cut = false;
    for (uint32_t k = 0; k < cells_of(o) && good; k++) {
        value v = cell_of(o)[k];
        initial_cell made = {.start = object_cell_view(o, k).low};
        bool is_number = v.bits && !v.base && !value_is_fragment(v) && !term_is_const(v.bits);
        if (is_number && is_made_of_inputs(f, v.bits)) {
            made.kind = INITIAL_NUMBER;
            made.width = v.bits->width;
            vec_push(&cells, made);
            operand place = operand_object(static_number, made.start);
            place.width = f->p->pointer_bits;
            set_later(f, place, v.bits);
            continue;
        }
        bool whole = v.bits && !v.base && !term_is_const(v.bits) && v.bits->width % 8 == 0 &&
                     object_cell_view(o, k).high - made.start == v.bits->width / 8;
        if (whole) {
            good = take_apart(f, v.bits, made.start, &cells);
            cut = true;
        } else {
            good = initial_value(f, v, &made);
            vec_push(&cells, made);
        }
    }
    good &= !cut || is_without_gaps(o);
    slow_assert(!good || are_ascending(&cells));
    to->image = arena_alloc(&f->p->memory, (cells.size + 1) * sizeof *to->image);
    memcpy((void *)(uintptr_t)to->image, cells.data, cells.size * sizeof *cells.data);
    to->image_cells = (uint32_t)cells.size;
    to->image_is_ragged = ragged_of(o) || cut;
    vec_free(&cells);
    return good;
}

/* The variable of a frame of main that an object is; NULL: none. */
static const char *local_name(const freezing *f, uint32_t name) {
    const thread_part *t = thread_of(f->s, 0);
    for (uint32_t k = 0; k < frame_count_of(t); k++) {
        const function *of = &f->p->functions.data[frames_of(t)[k].function];
        for (uint32_t l = 0; l < of->locals.size; l++)
            if (value_object(values_of(t)[frames_of(t)[k].registers + of->registers.size + l]) == name)
                return of->locals.data[l].name;
    }
    return NULL;
}

/* What an object is called by the design: an object of the library by its name, a variable by its
 * own; NULL: nothing. */
static const char *given_name(const freezing *f, uint32_t name) {
    if (name < static_count_of(f->s)) return f->p->objects.data[name].name;
    uint64_t label = map_get(&f->labels, name);
    return label != MAP_NONE ? f->names.data[(uint32_t)label] : local_name(f, name);
}

static const char *cell_name(const memory_object *o, uint32_t byte) {
    const layout *shape = described_of(o) && shape_of(o)->stride == 1 ? described_of(o) : shape_of(o);
    if (!shape->stride || shape->stride != bytes_of(o)) return NULL;
    for (uint32_t k = 0; k < shape->cells; k++)
        if (shape->cell[k].offset == byte && shape->cell[k].role == CELL_PLAIN) return shape->cell[k].name;
    return NULL;
}

/* Memory without a name is called after the member that points to it, as "fifo.buffer". */
static void note_pointed(freezing *f, const char *holder, const memory_object *o) {
    for (uint32_t k = 0; k < cells_of(o); k++) {
        value v = cell_of(o)[k];
        uint32_t to = value_object(v);
        bool is_begin = v.bits && term_is_const(v.bits) && !v.bits->value && !value_is_fragment(v);
        if (to == NO_INDEX || to < static_count_of(f->s) || !is_begin || given_name(f, to)) continue;
        const char *member = cell_name(o, object_cell_view(o, k).low);
        if (!member || !*member) continue;
        text whole = {0};
        text_format(&whole, "%s%s", holder, member);
        vec_push(&f->names, program_copy_text(f->p, text_cstr(&whole)));
        map_put(&f->labels, to, f->names.size - 1);
        text_free(&whole);
    }
}

static void name_pointed_objects(freezing *f) {
    for (uint32_t k = 0; k < dynamic_count_of(f->s); k++) {
        const char *holder = given_name(f, dynamic_of(f->s, k).name);
        if (holder) note_pointed(f, holder, dynamic_of(f->s, k).object);
    }
}

static const char *object_name(freezing *f, uint32_t name, const memory_object *o) {
    const char *given = given_name(f, name);
    if (given) return given;
    text made = {0};
    if (heap_of(o) && made_in_of(o) != NO_INDEX)
        text_format(&made, "new(%s:%u)", f->p->functions.data[made_in_of(o)].name, made_at_of(o).line);
    else
        text_add(&made, "object");
    text_format(&made, "#%u", name - static_count_of(f->s));
    const char *kept = program_copy_text(f->p, text_cstr(&made));
    text_free(&made);
    return kept;
}

bool freeze_objects(freezing *f) {
    program *p = f->p;
    uint32_t first = (uint32_t)p->objects.size;
    name_pointed_objects(f);
    for (uint32_t k = 0; k < dynamic_count_of(f->s); k++)
        map_put(&f->objects, dynamic_of(f->s, k).name, first + k);
    bool good = true;
    for (uint32_t k = 0; k < dynamic_count_of(f->s) && good; k++) {
        const memory_object *o = dynamic_of(f->s, k).object;
        static_object made = {.name = object_name(f, dynamic_of(f->s, k).name, o),
                              .shape = shape_of(o),
                              .count = count_of(o),
                              .is_array = count_of(o) > 1,
                              .heap = heap_of(o),
                              .at = made_at_of(o),
                              .described = described_of(o)};
        good = make_image(f, o, first + k, &made);
        vec_push(&p->objects, made);
    }
    for (uint32_t k = 0; k < first && good; k++)
        good = make_image(f, state_object(f->s, k), k, &p->objects.data[k]);
    assert(!good || p->objects.size == first + dynamic_count_of(f->s)); /* where pointers to them lead */
    if (good) return true;
    p->objects.size = first;
    for (uint32_t k = 0; k < first; k++) p->objects.data[k].image = NULL;
    return false;
}
