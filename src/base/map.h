/* Hash map from 64-bit keys to 64-bit values, open addressing. Keys are arbitrary; values must
 * not be MAP_NONE. */
#ifndef HEDDLE_BASE_MAP_H
#define HEDDLE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT64_MAX

typedef struct map_slot {
    uint64_t key, value;
} map_slot;

typedef struct map {
    map_slot *slots;
    size_t capacity, size; /* capacity is 0 or a power of two */
} map;

uint64_t map_get(const map *m, uint64_t key); /* MAP_NONE when absent */
void map_put(map *m, uint64_t key, uint64_t value);
bool map_remove(map *m, uint64_t key);
/* One after the other, in no order: *at begins with 0. False: that was all. */
bool map_next(const map *m, size_t *at, uint64_t *key, uint64_t *value);
void map_clear(map *m); /* keeps the memory */
void map_free(map *m);

#endif
