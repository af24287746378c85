#include "base/intern.h"

#include "base/hash.h"
#include "base/invariant.h"

static uint32_t find_hashed(const intern *table, uint64_t hash, const char *s, size_t length) {
    uint64_t first = map_get(&table->by_hash, hash);
    uint32_t i = first == MAP_NONE ? INTERN_ABSENT : (uint32_t)first;
    assert(i == INTERN_ABSENT || i < table->entries.size);
    for (; i != INTERN_ABSENT; i = table->entries.data[i].next)
        if (table->entries.data[i].length == length && !memcmp(table->entries.data[i].string, s, length))
            break;
    return i;
}

uint32_t intern_bytes(intern *table, const char *s, size_t length) {
    uint64_t hash = hash_bytes(s, length);
    uint32_t known = find_hashed(table, hash, s, length);
    if (known != INTERN_ABSENT) return known;
    uint64_t older = map_get(&table->by_hash, hash);
    struct intern_entry entry = {arena_string(&table->strings, s, length), (uint32_t)length,
                                 older == MAP_NONE ? INTERN_ABSENT : (uint32_t)older};
    vec_push(&table->entries, entry);
    map_put(&table->by_hash, hash, table->entries.size - 1);
    assert(entry.next == INTERN_ABSENT || entry.next + 1 < table->entries.size);
    slow_assert(find_hashed(table, hash, s, length) + 1 == table->entries.size);
    return (uint32_t)(table->entries.size - 1);
}

uint32_t intern_string(intern *table, const char *s) {
    return intern_bytes(table, s, strlen(s));
}

uint32_t intern_find(const intern *table, const char *s) {
    size_t length = strlen(s);
    return find_hashed(table, hash_bytes(s, length), s, length);
}

const char *intern_text(const intern *table, uint32_t number) {
    assert(number < table->entries.size);
    return table->entries.data[number].string;
}

void intern_free(intern *table) {
    arena_free(&table->strings);
    map_free(&table->by_hash);
    vec_free(&table->entries);
}
