#include "analysis/known.h"

#include "base/bits.h"
#include "base/invariant.h"
#include "base/memory.h"

/* --- values --------------------------------------------------------------------------------------------- */

bool known_join(known *into, known v) {
    if (v.is == KNOWN_NOTHING_YET || into->is == KNOWN_ANYTHING) return false;
    if (into->is == KNOWN_NOTHING_YET) {
        *into = v;
        return true;
    }
    if (into->is == v.is && into->object == v.object) {
        if (into->number == v.number) return false;
        if (v.is == KNOWN_ADDRESS) {
            if (into->number == OFFSET_UNKNOWN) return false;
            into->number = OFFSET_UNKNOWN;
            return true;
        }
    }
    *into = known_anything;
    return true;
}

static uint64_t width_mask(unsigned width) {
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static int64_t sign_extended(uint64_t v, unsigned width) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((v ^ sign) - sign);
}

static bool is_address(known v) {
    return v.is == KNOWN_ADDRESS || v.is == KNOWN_FUNCTION;
}

static bool is_null(known v) {
    return v.is == KNOWN_NUMBER && !v.number;
}

/* -1: unknown. Objects and functions lie nowhere near null; of two addresses only the same one is certain. */
static int are_equal(known a, known b) {
    if (a.is == KNOWN_NUMBER && b.is == KNOWN_NUMBER) return a.number == b.number;
    if ((is_address(a) && is_null(b)) || (is_null(a) && is_address(b))) {
        known address = is_null(a) ? b : a;
        return address.number == OFFSET_UNKNOWN ? -1 : 0;
    }
    bool same_place = a.is == b.is && is_address(a) && a.object == b.object && a.object < ACCESS_LOCALS &&
                      a.number != OFFSET_UNKNOWN && b.number != OFFSET_UNKNOWN;
    return same_place ? a.number == b.number : -1;
}

static known fold_numbers(const instruction *i, unsigned width, uint64_t a, uint64_t b) {
    unsigned w = i->a.width;
    assert(a <= width_mask(w) && b <= width_mask(i->b.width)); /* known numbers are cut to their width */
    int64_t x = sign_extended(a, w), y = sign_extended(b, w);
    uint64_t r;
    switch (i->arith) {
    case ARITH_ADD: r = a + b; break;
    case ARITH_SUB: r = a - b; break;
    case ARITH_MUL: r = a * b; break;
    case ARITH_AND: r = a & b; break;
    case ARITH_OR: r = a | b; break;
    case ARITH_XOR: r = a ^ b; break;
    case ARITH_ULT: r = a < b; break;
    case ARITH_ULE: r = a <= b; break;
    case ARITH_SLT: r = x < y; break;
    case ARITH_SLE: r = x <= y; break;
    case ARITH_UREM:
        if (!b) return known_anything;
        r = a % b;
        break;
    case ARITH_UDIV:
        if (!b) return known_anything;
        r = a / b;
        break;
    case ARITH_SHL:
        if (b >= width) return known_anything;
        r = a << b;
        break;
    case ARITH_LSHR:
        if (b >= width) return known_anything;
        r = a >> b;
        break;
    default: return known_anything;
    }
    return known_number(r & width_mask(width));
}

known known_fold(const instruction *i, unsigned width, known a, known b, known c) {
    if (i->arith == ARITH_EQ || i->arith == ARITH_NE) {
        int equal = are_equal(a, b);
        return equal < 0 ? known_anything : known_number((uint64_t)(equal == (i->arith == ARITH_EQ)));
    }
    if (i->arith == ARITH_SELECT) {
        if (a.is == KNOWN_NUMBER) return a.number ? b : c;
        known either = b;
        known_join(&either, c);
        return either;
    }
    bool converts = i->arith == ARITH_ZEXT || i->arith == ARITH_SEXT || i->arith == ARITH_TRUNC;
    if (converts && is_address(a) && width == i->a.width) return a;
    if (a.is == KNOWN_ADDRESS && b.is == KNOWN_NUMBER && i->arith == ARITH_ADD) return known_moved(a, b, 1);
    bool lowest_of_function = a.is == KNOWN_FUNCTION && b.is == KNOWN_NUMBER && i->arith == ARITH_AND;
    if (lowest_of_function && b.number <= 1) return known_number(0); /* they lie at even addresses */
    if (a.is != KNOWN_NUMBER) return known_anything;
    switch (i->arith) {
    case ARITH_ZEXT:
    case ARITH_TRUNC: return known_number(a.number & width_mask(width));
    case ARITH_SEXT: return known_number((uint64_t)sign_extended(a.number, i->a.width) & width_mask(width));
    case ARITH_NEG: return known_number(-a.number & width_mask(width));
    case ARITH_NOT: return known_number(~a.number & width_mask(width));
    default: return b.is == KNOWN_NUMBER ? fold_numbers(i, width, a.number, b.number) : known_anything;
    }
}

/* Further than any object reaches; products with element sizes stay far from wrapping below it. */
static const int64_t farthest_step = INT64_C(1) << 31;

known known_moved(known base, known steps, uint32_t scale) {
    if (base.is != KNOWN_ADDRESS) return known_anything;
    int64_t count = (int64_t)steps.number;
    bool exact = steps.is == KNOWN_NUMBER && base.number != OFFSET_UNKNOWN && count <= farthest_step &&
                 count >= -farthest_step;
    base.number = exact ? base.number + steps.number * scale : OFFSET_UNKNOWN;
    return base;
}

/* --- cells that stay as they are ------------------------------------------------------------------------ */

typedef struct still_object {
    uint64_t *written; /* per byte; NULL: none */
    bool all;
} still_object;

struct still_memory {
    const program *p;
    still_object *object;
    bool everything; /* written through a pointer that may be any */
    bool changed;
};

/* In the order of their bytes: they are looked for by halves. */
FOR_ASSERTIONS static bool images_are_ascending(const program *p) {
    for (size_t k = 0; k < p->objects.size; k++)
        for (uint32_t c = 1; p->objects.data[k].image && c < p->objects.data[k].image_cells; c++)
            if (p->objects.data[k].image[c - 1].start >= p->objects.data[k].image[c].start) return false;
    return true;
}

still_memory *still_create(const program *p) {
    slow_assert(images_are_ascending(p));
    still_memory *m = mem_zero(1, sizeof *m);
    m->p = p;
    m->object = mem_zero(p->objects.size + 1, sizeof *m->object);
    return m;
}

void still_destroy(still_memory *m) {
    for (size_t k = 0; k < m->p->objects.size; k++) mem_free(m->object[k].written);
    mem_free(m->object);
    mem_free(m);
}

static void note_write(still_memory *m, const access *a) {
    if (a->name == ACCESS_ANY) {
        m->changed |= !m->everything;
        m->everything = true;
        return;
    }
    if (a->name >= m->p->objects.size || m->object[a->name].all) return;
    still_object *o = &m->object[a->name];
    const static_object *of = &m->p->objects.data[a->name];
    if (!of->image || of->is_constant) return;
    uint64_t bytes = (uint64_t)of->count * of->shape->stride;
    if (a->low == 0 && a->high >= bytes) {
        o->all = m->changed = true;
        return;
    }
    if (!o->written) o->written = mem_zero(BITS_WORDS(bytes), sizeof *o->written);
    for (uint64_t k = a->low; k < a->high && k < bytes; k++) {
        m->changed |= !bits_has(o->written, k);
        bits_add(o->written, k);
    }
}

void still_note(still_memory *m, const effect *touched) {
    for (size_t k = 0; k < touched->size; k++) {
        const access *a = &touched->data[k];
        if (a->kind == ACCESS_WRITE || a->kind == ACCESS_UPDATE) note_write(m, a);
    }
}

bool still_changed(still_memory *m) {
    bool changed = m->changed;
    m->changed = false;
    return changed;
}

/* The piece that covers a byte. */
static const initial_cell *cell_at(const static_object *o, uint64_t offset) {
    uint32_t low = 0, high = o->image_cells;
    while (low < high) { /* the first one behind it */
        uint32_t middle = low + (high - low) / 2;
        if (o->image[middle].start <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &o->image[low - 1] : NULL;
}

/* A piece of one byte again and again, up to the next one. */
static known repeated(const static_object *o, const initial_cell *c, uint64_t end, unsigned width) {
    bool last = c + 1 == o->image + o->image_cells;
    if (!o->image_is_ragged || c->width != 8 || (!last && c[1].start < end)) return known_anything;
    return known_number(c->value * (UINT64_C(0x0101010101010101) & width_mask(width)));
}

known still_load(const still_memory *m, known address, unsigned width) {
    if (address.is != KNOWN_ADDRESS || address.number == OFFSET_UNKNOWN ||
        address.object >= m->p->objects.size)
        return known_anything;
    const static_object *of = &m->p->objects.data[address.object];
    const still_object *o = &m->object[address.object];
    uint64_t bytes = (uint64_t)of->count * of->shape->stride, end = address.number + (width + 7) / 8;
    if (!of->image || address.number > bytes || end > bytes) return known_anything;
    if (!of->is_constant && (m->everything || o->all)) return known_anything;
    for (uint64_t k = address.number; k < end && o->written; k++)
        if (bits_has(o->written, k)) return known_anything;
    const initial_cell *c = cell_at(of, address.number);
    if (!c) return known_anything;
    bool exact = c->start == address.number;
    if (c->kind == INITIAL_NUMBER && !(exact && c->width == width)) return repeated(of, c, end, width);
    if (!exact) return known_anything;
    switch ((initial_kind)c->kind) {
    case INITIAL_NUMBER: return known_number(c->value);
    case INITIAL_OBJECT:
        return width == m->p->pointer_bits ? known_address(c->index, c->value) : known_anything;
    case INITIAL_FUNCTION:
        return width == m->p->pointer_bits ? (known){KNOWN_FUNCTION, c->index, 0} : known_anything;
    default: return known_anything;
    }
}
