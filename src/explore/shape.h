/* The shape of a search, for a picture of it: how many states lie how deep, and how it branches there.
 *
 * Depths are counted in bands of equal width. A search that goes deeper than the bands reach makes them twice
 * as wide, so a shape has the same size for every search and adding to it takes the same few instructions.
 * Nothing is decided by it. */
#ifndef HEDDLE_EXPLORE_SHAPE_H
#define HEDDLE_EXPLORE_SHAPE_H

#include <stdint.h>

enum { SHAPE_BANDS = 64 };

typedef struct search_shape {
    uint64_t width;                 /* depths in one band; 0: nothing was recorded */
    uint64_t states[SHAPE_BANDS];   /* that were expanded ... */
    uint64_t enabled[SHAPE_BANDS];  /* ... the transitions that were possible in them ... */
    uint64_t explored[SHAPE_BANDS]; /* ... and those that were taken */
} search_shape;

void shape_add_state(search_shape *shape, uint64_t depth, uint64_t enabled);
void shape_add_step(search_shape *shape, uint64_t depth); /* from a state of this depth that was added */
unsigned shape_bands(const search_shape *shape);          /* up to the last one with a state */

#endif
