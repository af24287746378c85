#include "base/map.h"

#include "base/hash.h"
#include "base/invariant.h"
#include "base/memory.h"

#include <string.h>

static size_t home(const map *m, uint64_t key) {
    assert(m->capacity && !(m->capacity & (m->capacity - 1)));
    return hash_mix(key) & (m->capacity - 1);
}

static size_t find(const map *m, uint64_t key) {
    assert(m->size < m->capacity); /* else a look for what is not there has no end */
    size_t i = home(m, key);
    while (m->slots[i].value != MAP_NONE && m->slots[i].key != key) i = (i + 1) & (m->capacity - 1);
    return i;
}

static void mark_all_empty(map *m) {
    memset(m->slots, 0xff, m->capacity * sizeof *m->slots);
}

static void rehash(map *m, size_t capacity) {
    assert(4 * m->size < 3 * capacity);
    map old = *m;
    m->capacity = capacity;
    m->slots = mem_alloc(capacity * sizeof *m->slots);
    mark_all_empty(m);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].value != MAP_NONE) m->slots[find(m, old.slots[i].key)] = old.slots[i];
    mem_free(old.slots);
}

uint64_t map_get(const map *m, uint64_t key) {
    return m->size ? m->slots[find(m, key)].value : MAP_NONE;
}

void map_put(map *m, uint64_t key, uint64_t value) {
    assert(value != MAP_NONE);
    if (4 * (m->size + 1) > 3 * m->capacity) rehash(m, m->capacity ? 2 * m->capacity : 16);
    size_t i = find(m, key);
    if (m->slots[i].value == MAP_NONE) m->size++;
    m->slots[i] = (map_slot){key, value};
    assert(4 * m->size <= 3 * m->capacity);
    slow_assert(map_get(m, key) == value);
}

/* Closes the gap by moving later entries of the probe sequence back, so that no tombstones are needed. */
bool map_remove(map *m, uint64_t key) {
    if (!m->size) return false;
    size_t gap = find(m, key), mask = m->capacity - 1;
    if (m->slots[gap].value == MAP_NONE) return false;
    for (size_t i = (gap + 1) & mask; m->slots[i].value != MAP_NONE; i = (i + 1) & mask) {
        size_t wanted = home(m, m->slots[i].key);
        if (((i - wanted) & mask) >= ((i - gap) & mask)) {
            m->slots[gap] = m->slots[i];
            gap = i;
        }
    }
    m->slots[gap].value = MAP_NONE;
    m->size--;
    slow_assert(map_get(m, key) == MAP_NONE);
    return true;
}

void map_clear(map *m) {
    if (m->size) mark_all_empty(m);
    m->size = 0;
}

void map_free(map *m) {
    mem_free(m->slots);
    *m = (map){0};
}

bool map_next(const map *m, size_t *at, uint64_t *key, uint64_t *value) {
    assert(*at <= m->capacity);
    while (*at < m->capacity && m->slots[*at].value == MAP_NONE) ++*at;
    if (*at >= m->capacity) return false;
    *key = m->slots[*at].key;
    *value = m->slots[(*at)++].value;
    return true;
}
