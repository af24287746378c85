#include "explore/shape.h"

static void join_pairs(uint64_t bands[SHAPE_BANDS]) {
    for (unsigned i = 0; i < SHAPE_BANDS / 2; i++) bands[i] = bands[2 * i] + bands[2 * i + 1];
    for (unsigned i = SHAPE_BANDS / 2; i < SHAPE_BANDS; i++) bands[i] = 0;
}

static void widen(search_shape *shape) {
    shape->width *= 2;
    join_pairs(shape->states);
    join_pairs(shape->enabled);
    join_pairs(shape->explored);
}

void shape_add_state(search_shape *shape, uint64_t depth, uint64_t enabled) {
    if (!shape->width) shape->width = 1;
    while (depth / shape->width >= SHAPE_BANDS) widen(shape);
    shape->states[depth / shape->width]++;
    shape->enabled[depth / shape->width] += enabled;
}

void shape_add_step(search_shape *shape, uint64_t depth) {
    shape->explored[depth / shape->width]++;
}

unsigned shape_bands(const search_shape *shape) {
    unsigned count = SHAPE_BANDS;
    while (count && !shape->states[count - 1]) count--;
    return count;
}
