/* The bytes of objects: reading and writing any range of them, whatever cells it meets. A cell is cut no
 * further than the range asks for, and reading changes nothing but that unset bytes get their names. Cuts
 * therefore do not depend on the order of accesses that do not overlap. */
#include "machine/internal.h"

/* --- unset bytes ---------------------------------------------------------------------------------------- */

/* Names of inputs are (thread, running count) below this bit, those of unset bytes (object,
 * byte) above it. */
static const uint64_t unset_names = UINT64_C(1) << 62;

static const term *unset_byte(machine *m, uint32_t object, uint32_t byte) {
    assert(byte < UINT32_C(1) << 31); /* else it had the name of another one's */
    uint64_t name = unset_names | (uint64_t)object << 31 | byte;
    const term *symbol = term_symbol(m->terms, 8, name, "uninitialised", NO_INDEX);
    if (!fixed_inputs(m)) return symbol;
    uint64_t number = 0;
    if (step_watch(m) && step_watch(m)->finds) step_watch(m)->finds(step_watch(m)->data, NO_INDEX, symbol);
    valuation_get(fixed_inputs(m), symbol, &number);
    return term_const(m->terms, 8, number);
}

/* --- pieces of cells ------------------------------------------------------------------------------------ */

static bool is_unset(const cell_view *view) {
    return !view->v.bits && view->v.base != PADDING_BASE;
}

static bool is_padding(const cell_view *view) {
    return !view->v.bits && view->v.base == PADDING_BASE;
}

static bool repeats_a_byte(const cell_view *view) {
    return view->v.bits && !view->v.base && view->v.bits->width == 8 && view->high - view->low > 1;
}

static const term *resized(terms *c, const term *t, unsigned width) {
    assert(width >= 1 && width <= 64);
    if (t->width == width) return t;
    return t->width < width ? term_zext(c, t, width) : term_extract(c, t, 0, width);
}

static const term *repeated(terms *c, const term *byte, uint32_t bytes) {
    const term *all = byte;
    for (uint32_t k = 1; k < bytes; k++) all = term_concat(c, byte, all);
    return all;
}

/* Bytes from .. to-1 of a cell that holds no pointer. */
static const term *number_part(machine *m, uint32_t object, const cell_view *view, uint32_t from,
                               uint32_t to) {
    assert(view->low <= from && from < to && to <= view->high && !view->v.base);
    terms *c = m->terms;
    if (is_unset(view)) {
        const term *all = unset_byte(m, object, from);
        for (uint32_t byte = from + 1; byte < to; byte++)
            all = term_concat(c, unset_byte(m, object, byte), all);
        return all;
    }
    if (repeats_a_byte(view)) return repeated(c, view->v.bits, to - from);
    const term *whole = resized(c, view->v.bits, 8 * (view->high - view->low));
    return term_extract(c, whole, 8 * (from - view->low), 8 * (to - from));
}

static value fragment_of(value pointer, uint32_t index) {
    assert(pointer.bits && pointer.base && !value_is_fragment(pointer) && index < 8);
    return (value){pointer.bits, pointer.base | FRAGMENT_BASE | index << FRAGMENT_SHIFT};
}

/* Appends the bytes from .. to-1 of a cell as cells of their own. */
static void cut(machine *m, const cell_view *view, uint32_t from, uint32_t to, laid_cells *out) {
    assert(view->low <= from && from < to && to <= view->high);
    value v = view->v;
    bool whole = from == view->low && to == view->high;
    if (v.bits && v.base && !whole) {
        for (uint32_t byte = from; byte < to; byte++)
            vec_push(out, ((laid_cell){fragment_of(v, byte - view->low), byte}));
        return;
    }
    if (v.bits && !v.base && !repeats_a_byte(view)) v.bits = number_part(m, 0, view, from, to);
    vec_push(out, ((laid_cell){v, from}));
}

/* --- reading -------------------------------------------------------------------------------------------- */

/* The byte as a piece of a pointer; base 0 if it is none. */
static value fragment_at(const memory_object *o, uint32_t byte) {
    cell_view view = object_view(o, byte);
    if (!view.v.bits || !view.v.base) return (value){NULL, 0};
    return value_is_fragment(view.v) ? view.v : fragment_of(view.v, byte - view.low);
}

/* A range with bytes of pointers in it is one byte of a pointer, or all bytes of one. */
static read_result read_pointer(const memory_object *o, uint32_t low, uint32_t bytes, uint32_t pointer_bytes,
                                value *out) {
    value first = fragment_at(o, low);
    *out = first;
    if (bytes == 1) return READ_DONE;
    if (bytes != pointer_bytes || !first.base) return READ_TORN;
    value whole = {first.bits, value_target(first)};
    for (uint32_t k = 0; k < bytes; k++)
        if (!value_equal(fragment_at(o, low + k), fragment_of(whole, k))) return READ_TORN;
    *out = whole;
    return READ_DONE;
}

read_result cells_read_with(machine *m, const memory_object *o, uint32_t name, uint32_t low, unsigned width,
                            const term *padding, value *out) {
    uint32_t bytes = (width + 7) / 8, high = low + bytes;
    assert(width >= 1 && width <= 64 && high <= object_bytes(o));
    assert(!padding || padding->width == 8 * bytes);
    cell_view view = object_view(o, low);
    bool whole_cell = view.low == low && view.high == high && view.v.bits;
    if (whole_cell && !view.v.base && !repeats_a_byte(&view)) {
        *out = (value){resized(m->terms, view.v.bits, width), 0};
        return READ_DONE;
    }
    if (whole_cell && view.v.base && !value_is_fragment(view.v) && bytes == m->program->pointer_bits / 8) {
        *out = view.v;
        return READ_DONE;
    }
    const term *all = NULL;
    for (uint32_t at = low; at < high; at = view.high) {
        view = object_view(o, at);
        if (is_padding(&view) && !padding) return READ_PADDING;
        if (view.v.bits && view.v.base) return read_pointer(o, low, bytes, m->program->pointer_bits / 8, out);
        uint32_t end = view.high < high ? view.high : high;
        const term *part = is_padding(&view) ? term_extract(m->terms, padding, 8 * (at - low), 8 * (end - at))
                                             : number_part(m, name, &view, at, end);
        all = all ? term_concat(m->terms, part, all) : part;
    }
    *out = (value){resized(m->terms, all, width), 0};
    return READ_DONE;
}

read_result cells_read(machine *m, const memory_object *o, uint32_t name, uint32_t low, unsigned width,
                       value *out) {
    return cells_read_with(m, o, name, low, width, NULL, out);
}

/* --- writing -------------------------------------------------------------------------------------------- */

static void make_ragged(machine *m, state *s, uint32_t name) {
    const memory_object *o = state_object(s, name);
    if (o->ragged) return;
    laid_cells all = {0};
    uint32_t size = (uint32_t)object_bytes(o);
    for (uint32_t at = 0; at < size;) {
        cell_view view = object_view(o, at);
        cut(m, &view, view.low, view.high, &all);
        at = view.high;
    }
    assert(all.size || !size);
    state_replace_cells(s, name, 0, o->cells, all.data, (uint32_t)all.size);
    vec_free(&all);
}

/* Bytes low .. high-1 become these cells, which cover them. */
static void put(machine *m, state *s, uint32_t name, uint32_t low, uint32_t high, const laid_cells *cells) {
    assert(low < high && high <= object_bytes(state_object(s, name)));
    assert(cells->size && cells->data[0].start == low);
    make_ragged(m, s, name);
    const memory_object *o = state_object(s, name);
    cell_view first = object_view(o, low), last = object_view(o, high - 1);
    laid_cells all = {0};
    if (first.low < low) cut(m, &first, first.low, low, &all);
    for (size_t k = 0; k < cells->size; k++) vec_push(&all, cells->data[k]);
    if (high < last.high) cut(m, &last, high, last.high, &all);
    state_replace_cells(s, name, first.cell, last.cell - first.cell + 1, all.data, (uint32_t)all.size);
    vec_free(&all);
}

static unsigned declared_width(const memory_object *o, uint32_t cell) {
    assert(!o->ragged && cell < o->cells);
    return o->shape->cell[cell % o->shape->cells].type.width;
}

/* Whether a value can take the place of a cell without changing any boundary. */
static bool fits_cell(const memory_object *o, const cell_view *view, uint32_t low, uint32_t high, value v) {
    if (view->low != low || view->high != high || view->cell == NO_INDEX || value_is_fragment(v))
        return false;
    return !v.bits || v.bits->width == (o->ragged ? 8 * (high - low) : declared_width(o, view->cell));
}

void cells_write(machine *m, state *s, uint32_t name, uint32_t low, unsigned width, value v) {
    uint32_t bytes = (width + 7) / 8, high = low + bytes;
    const memory_object *o = state_object(s, name);
    assert(o && !o->freed && !o->summary && high <= object_bytes(o));
    assert(v.bits && (v.base || v.bits->width == width));
    cell_view view = object_view(o, low);
    if (fits_cell(o, &view, low, high, v)) {
        state_own_object(s, name)->cell[view.cell] = v;
        return;
    }
    if (!v.base) v.bits = resized(m->terms, v.bits, 8 * bytes);
    laid_cell only = {v, low};
    put(m, s, name, low, high, &(laid_cells){&only, 1, 1});
}

void cells_settle(machine *m, state *s, uint32_t name, uint32_t low, uint32_t high) {
    assert(low <= high && high <= object_bytes(state_object(s, name)));
    for (uint32_t at = low; at < high;) {
        cell_view view = object_view(state_object(s, name), at);
        uint32_t end = view.high < high ? view.high : high;
        if (is_unset(&view)) {
            laid_cells bytes = {0};
            for (uint32_t byte = at; byte < end; byte++)
                vec_push(&bytes, ((laid_cell){{unset_byte(m, name, byte), 0}, byte}));
            put(m, s, name, at, end, &bytes);
            state_own_object(s, name)->settled = true;
            vec_free(&bytes);
        }
        at = end;
    }
}

uint64_t cells_unset_bytes(const memory_object *o, uint32_t low, uint32_t high) {
    assert(low <= high && high <= object_bytes(o));
    uint64_t count = 0;
    for (uint32_t at = low; at < high;) {
        cell_view view = object_view(o, at);
        uint32_t end = view.high < high ? view.high : high;
        if (is_unset(&view)) count += end - at;
        at = end;
    }
    return count;
}

/* --- blocks --------------------------------------------------------------------------------------------- */

void cells_gather(machine *m, const memory_object *o, uint32_t low, uint32_t high, laid_cells *out) {
    assert(low <= high && high <= object_bytes(o));
    for (uint32_t at = low; at < high;) {
        cell_view view = object_view(o, at);
        uint32_t end = view.high < high ? view.high : high;
        bool keeps_width = at == view.low && end == view.high; /* of numbers that do not fill their bytes */
        if (keeps_width)
            vec_push(out, ((laid_cell){view.v, at}));
        else
            cut(m, &view, at, end, out);
        at = end;
    }
}

static uint32_t end_of_cell(const laid_cells *cells, size_t k, uint32_t high) {
    assert(k + 1 >= cells->size || cells->data[k].start < cells->data[k + 1].start);
    return k + 1 < cells->size ? cells->data[k + 1].start : high;
}

static bool all_fit(const memory_object *o, const laid_cells *cells, uint32_t high) {
    for (size_t k = 0; k < cells->size; k++) {
        uint32_t from = cells->data[k].start, to = end_of_cell(cells, k, high);
        value v = cells->data[k].v;
        cell_view view = object_view(o, from), piece = {v, from, to, NO_INDEX};
        if (is_padding(&piece) ? !is_padding(&view) || to > view.high : !fits_cell(o, &view, from, to, v))
            return false;
    }
    return true;
}

void cells_place(machine *m, state *s, uint32_t name, uint32_t high, laid_cells *cells) {
    if (!cells->size) return;
    assert(cells->data[0].start < high && high <= object_bytes(state_object(s, name)));
    if (!state_object(s, name)->ragged && all_fit(state_object(s, name), cells, high)) {
        memory_object *o = state_own_object(s, name);
        for (size_t k = 0; k < cells->size; k++) {
            uint32_t cell = object_view(o, cells->data[k].start).cell;
            if (cell != NO_INDEX) o->cell[cell] = cells->data[k].v;
        }
        return;
    }
    for (size_t k = 0; k < cells->size; k++) {
        value *v = &cells->data[k].v;
        uint32_t bytes = end_of_cell(cells, k, high) - cells->data[k].start;
        bool partial = v->bits && !v->base && v->bits->width % 8;
        if (partial) v->bits = resized(m->terms, v->bits, 8 * bytes);
    }
    put(m, s, name, cells->data[0].start, high, cells);
}

/* Every cell in the range lies wholly inside and can hold a repeated byte. */
static bool filling_keeps_cells(const memory_object *o, uint32_t low, uint32_t high) {
    if (o->ragged) return false;
    for (uint32_t at = low; at < high;) {
        cell_view view = object_view(o, at);
        if (view.cell == NO_INDEX || view.low < low || view.high > high || declared_width(o, view.cell) % 8)
            return false;
        at = view.high;
    }
    return true;
}

void cells_fill(machine *m, state *s, uint32_t name, uint32_t low, uint32_t high, const term *byte) {
    assert(byte->width == 8 && low < high && high <= object_bytes(state_object(s, name)));
    if (!filling_keeps_cells(state_object(s, name), low, high)) {
        laid_cell only = {{byte, 0}, low};
        put(m, s, name, low, high, &(laid_cells){&only, 1, 1});
        return;
    }
    memory_object *o = state_own_object(s, name);
    for (uint32_t at = low; at < high;) {
        cell_view view = object_view(o, at);
        o->cell[view.cell] = (value){repeated(m->terms, byte, view.high - view.low), 0};
        at = view.high;
    }
}
