#include "solver/cache.h"

#include "base/hash.h"
#include "base/invariant.h"

enum { MEMORY_LIMIT = 64 << 20, CORES_PER_CONDITION = 8, CORE_SIZE_LIMIT = 64 };

void cache_free(cache *k) {
    arena_free(&k->memory);
    map_free(&k->entries);
    map_free(&k->cores);
}

/* Forgetting everything now and then bounds the memory; what matters is soon known again. */
static void make_room(cache *k) {
    if (k->memory.total > MEMORY_LIMIT) cache_free(k);
}

/* --- exact sets ----------------------------------------------------------------------------------------- */

static uint64_t hash_of(const uint32_t *ids, size_t size) {
    return hash_bytes(ids, size * sizeof *ids);
}

static const cache_entry *entry_at(uint64_t address) {
    return address == MAP_NONE ? NULL : (const cache_entry *)(uintptr_t)address;
}

FOR_ASSERTIONS static bool are_ascending(const uint32_t *ids, size_t size) {
    for (size_t i = 1; i < size; i++)
        if (ids[i - 1] >= ids[i]) return false;
    return true;
}

const cache_entry *cache_find(const cache *k, const uint32_t *ids, size_t size) {
    slow_assert(are_ascending(ids, size)); /* one key for each set */
    const cache_entry *e = entry_at(map_get(&k->entries, hash_of(ids, size)));
    for (; e; e = e->next)
        if (e->size == size && !memcmp(e->ids, ids, size * sizeof *ids)) return e;
    return NULL;
}

void cache_store_model(cache *k, const uint32_t *ids, size_t size, const term *const *symbols, size_t count,
                       const valuation *model) {
    assert(!cache_find(k, ids, size));
    make_room(k);
    uint64_t hash = hash_of(ids, size), *values = arena_alloc(&k->memory, count * sizeof *values);
    for (size_t i = 0; i < count; i++) valuation_get(model, symbols[i], &values[i]);
    cache_entry *e = arena_alloc(&k->memory, sizeof *e);
    *e = (cache_entry){.next = entry_at(map_get(&k->entries, hash)),
                       .size = (uint32_t)size,
                       .values = (uint32_t)count,
                       .ids = arena_copy(&k->memory, ids, size * sizeof *ids),
                       .symbol = arena_copy(&k->memory, symbols, count * sizeof *symbols),
                       .value = values};
    map_put(&k->entries, hash, (uintptr_t)e);
}

/* --- unsatisfiable subsets ------------------------------------------------------------------------------ */

static const cache_core *core_at(uint64_t address) {
    return address == MAP_NONE ? NULL : (const cache_core *)(uintptr_t)address;
}

void cache_store_core(cache *k, const term *const *conditions, size_t size) {
    if (!size || size > CORE_SIZE_LIMIT) return;
    make_room(k);
    uint32_t greatest = 0;
    for (size_t i = 0; i < size; i++)
        if (conditions[i]->id > greatest) greatest = conditions[i]->id;
    cache_core *core = arena_alloc(&k->memory, sizeof *core);
    *core = (cache_core){.next = core_at(map_get(&k->cores, greatest)),
                         .size = (uint32_t)size,
                         .conditions = arena_copy(&k->memory, conditions, size * sizeof *conditions)};
    map_put(&k->cores, greatest, (uintptr_t)core);
}

static bool all_marked(const cache_core *core, const marks *members) {
    uint32_t number;
    for (size_t i = 0; i < core->size; i++)
        if (!marks_get(members, core->conditions[i], &number)) return false;
    return true;
}

const cache_core *cache_find_core(const cache *k, const term *const *conditions, size_t size,
                                  const marks *members) {
    for (size_t i = 0; i < size; i++) {
        const cache_core *core = core_at(map_get(&k->cores, conditions[i]->id));
        assert(!core || core->size <= CORE_SIZE_LIMIT);
        for (int looks = 0; core && looks < CORES_PER_CONDITION; core = core->next, looks++)
            if (all_marked(core, members)) return core;
    }
    return NULL;
}
