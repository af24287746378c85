#include "dpor/footprint.h"

#include "base/hash.h"

enum { GRANULE = 8, MOST_GRANULES = 16 }; /* bytes told apart by the filter; wider ranges set all its bits */

static uint64_t filter_bit(uint32_t name, uint32_t granule) {
    return UINT64_C(1) << (hash_pair(name, granule) & 63);
}

static bool orders(uint8_t kind) {
    return kind == ACCESS_READ || kind == ACCESS_WRITE || kind == ACCESS_UPDATE || kind == ACCESS_END ||
           kind == ACCESS_JOIN;
}

static uint64_t filter_of(const access *a) {
    if (a->name == ACCESS_ANY) return UINT64_MAX;
    if (a->kind == ACCESS_END || a->kind == ACCESS_JOIN) return filter_bit(a->name, UINT32_MAX);
    uint32_t first = a->low / GRANULE, last = (a->high - 1) / GRANULE;
    if (a->high <= a->low || last - first >= MOST_GRANULES) return UINT64_MAX;
    uint64_t bits = 0;
    for (uint32_t granule = first; granule <= last; granule++) bits |= filter_bit(a->name, granule);
    return bits;
}

footprint footprint_add(accesses *pool, const access *list, size_t count) {
    footprint f = {.begin = (uint32_t)pool->size};
    for (size_t i = 0; i < count; i++) {
        if (!orders(list[i].kind)) continue;
        vec_push(pool, list[i]);
        bool only_reads = list[i].kind == ACCESS_READ || list[i].kind == ACCESS_JOIN;
        *(only_reads ? &f.reads : &f.writes) |= filter_of(&list[i]);
    }
    f.end = (uint32_t)pool->size;
    return f;
}

footprint footprint_join(footprint a, footprint b) {
    return (footprint){a.begin, b.end, a.reads | b.reads, a.writes | b.writes, a.everything || b.everything};
}

bool footprint_conflict_exactly(const access *a, size_t a_count, const access *b, size_t b_count) {
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++)
            if (access_conflict(&a[i], &b[k])) return true;
    return false;
}
