/* Answers to earlier queries: exactly the same satisfiable set of conjuncts, or a superset of an
 * unsatisfiable one. */
#ifndef HEDDLE_SOLVER_CACHE_H
#define HEDDLE_SOLVER_CACHE_H

#include "base/arena.h"
#include "base/map.h"
#include "solver/query.h"

typedef struct cache_entry {
    const struct cache_entry *next; /* with the same hash */
    uint32_t size, values;          /* conjuncts; symbols of the model */
    const uint32_t *ids;            /* of the conjuncts, ascending */
    const term *const *symbol;      /* a model */
    const uint64_t *value;
} cache_entry;

typedef struct cache_core {
    const struct cache_core *next; /* with the same greatest id */
    uint32_t size;
    const term *const *conditions;
} cache_core;

typedef struct cache {
    arena memory;
    map entries; /* hash of the ids -> address of the newest entry */
    map cores;   /* greatest id of a core -> address of the newest core */
} cache;

void cache_free(cache *k);

/* `ids` ascending and without repetition. */
const cache_entry *cache_find(const cache *k, const uint32_t *ids, size_t size);
void cache_store_model(cache *k, const uint32_t *ids, size_t size, const term *const *symbols, size_t count,
                       const valuation *model);
void cache_store_core(cache *k, const term *const *conditions, size_t size);

/* A known unsatisfiable subset of the conditions, all of which are marked in `members`; NULL if
 * none is known. */
const cache_core *cache_find_core(const cache *k, const term *const *conditions, size_t size,
                                  const marks *members);

#endif
