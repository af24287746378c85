/* Where the cells of an object lie. */
#include "base/invariant.h"
#include "machine/state.h"

/* The last of `count` ascending numbers that is not above `wanted`; the first one must not be. */
static uint32_t last_not_above(const uint32_t *numbers, uint32_t count, uint32_t wanted) {
    assert(count && numbers[0] <= wanted);
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (numbers[middle] <= wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint32_t shape_bytes(const layout *shape, uint32_t k) {
    return (shape->cell[k].type.width + 7u) / 8;
}

cell_view object_cell_view(const memory_object *o, uint32_t cell) {
    assert(cell < o->cells);
    cell_view view = {.v = o->cell[cell], .cell = cell};
    if (o->ragged) {
        const uint32_t *starts = object_starts(o);
        view.low = starts[cell];
        view.high = cell + 1 < o->cells ? starts[cell + 1] : (uint32_t)object_bytes(o);
    } else {
        uint32_t k = cell % o->shape->cells;
        view.low = cell / o->shape->cells * o->shape->stride + o->shape->cell[k].offset;
        view.high = view.low + shape_bytes(o->shape, k);
    }
    return view;
}

/* How many cells of a shape start at or before a byte of its element. */
static uint32_t cells_up_to(const layout *shape, uint32_t inside) {
    uint32_t low = 0, high = shape->cells;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (shape->cell[middle].offset <= inside)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

cell_view object_view(const memory_object *o, uint32_t byte) {
    assert(byte < object_bytes(o) && !o->summary);
    if (o->ragged) return object_cell_view(o, last_not_above(object_starts(o), o->cells, byte));
    const layout *shape = o->shape;
    uint32_t element = byte / shape->stride, inside = byte % shape->stride, first = element * shape->stride;
    uint32_t k = cells_up_to(shape, inside);
    if (k) {
        cell_view view = object_cell_view(o, element * shape->cells + k - 1);
        if (byte < view.high) return view;
    }
    cell_view gap = {.v = {NULL, PADDING_BASE}, .cell = NO_INDEX};
    gap.low = k ? first + shape->cell[k - 1].offset + shape_bytes(shape, k - 1) : first;
    gap.high = first + (k < shape->cells ? shape->cell[k].offset : shape->stride);
    assert(gap.low <= byte && byte < gap.high);
    return gap;
}
