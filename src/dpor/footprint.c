#include "dpor/footprint.h"

#include "base/hash.h"
#include "base/invariant.h"

enum {
    GRANULE = 8,        /* bytes, told apart by the filter ... */
    MOST_GRANULES = 16, /* ... wider ranges set all its bits */
    CELL_BITS = 48,     /* of the filter; the others are for threads */
    THREAD_BITS = 64 - CELL_BITS
};

static uint64_t filter_bit(uint32_t name, uint32_t granule) {
    return UINT64_C(1) << (hash_pair(name, granule) % CELL_BITS);
}

static uint64_t filter_of_cells(const access *a) {
    if (a->name == ACCESS_ANY) return UINT64_MAX;
    uint32_t first = a->low / GRANULE, last = (a->high - 1) / GRANULE;
    if (a->high <= a->low || last - first >= MOST_GRANULES) return UINT64_MAX;
    uint64_t bits = 0;
    for (uint32_t granule = first; granule <= last; granule++) bits |= filter_bit(a->name, granule);
    return bits;
}

static uint64_t filter_of_thread(const access *a) {
    return a->name == ACCESS_ANY ? UINT64_MAX : UINT64_C(1) << (CELL_BITS + a->name % THREAD_BITS);
}

static uint64_t exact_cell(const access *a) {
    bool exact = a->name != ACCESS_ANY && a->low < a->high && a->kind != ACCESS_UPDATE;
    return exact ? ((uint64_t)a->name + 1) << 32 | a->low : 0;
}

footprint footprint_add(accesses *pool, const access *list, size_t count) {
    footprint f = {.begin = (uint32_t)pool->size};
    unsigned cells = 0;
    for (size_t i = 0; i < count; i++) {
        switch (list[i].kind) {
        case ACCESS_READ: f.reads |= filter_of_cells(&list[i]); break;
        case ACCESS_WRITE:
        case ACCESS_UPDATE: f.writes |= filter_of_cells(&list[i]); break;
        case ACCESS_CLAIM:
        case ACCESS_END: f.writes |= filter_of_thread(&list[i]); break;
        case ACCESS_JOIN: f.reads |= filter_of_thread(&list[i]); break;
        case ACCESS_CREATE:
        case ACCESS_FENCE:
        case ACCESS_EARLY_READ:
        case ACCESS_EARLY_WRITE: break; /* of what happens before what, not of dependence */
        default: continue;
        }
        vec_push(pool, list[i]);
        if (list[i].kind > ACCESS_UPDATE) continue;
        uint64_t cell = exact_cell(&list[i]);
        f.only_cell = !cells++ || f.only_cell == cell ? cell : 0;
        f.writes_cells |= list[i].kind != ACCESS_READ;
    }
    f.end = (uint32_t)pool->size;
    assert(f.begin <= f.end);
    return f;
}

static bool touches_cells(const footprint *f) {
    return (f->reads | f->writes) << THREAD_BITS;
}

static uint64_t only_cell_of_both(const footprint *a, const footprint *b) {
    if (!touches_cells(a)) return b->only_cell;
    if (!touches_cells(b)) return a->only_cell;
    return a->only_cell == b->only_cell ? a->only_cell : 0;
}

footprint footprint_join(footprint a, footprint b) {
    assert(a.begin <= a.end && a.end == b.begin && b.begin <= b.end); /* they lie behind each other */
    return (footprint){.begin = a.begin,
                       .end = b.end,
                       .reads = a.reads | b.reads,
                       .writes = a.writes | b.writes,
                       .only_cell = only_cell_of_both(&a, &b),
                       .writes_cells = a.writes_cells || b.writes_cells,
                       .everything = a.everything || b.everything};
}

bool footprint_conflict_exactly(const access *a, size_t a_count, const access *b, size_t b_count) {
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++) {
            bool may_be_same = a[i].name == b[k].name || a[i].name == ACCESS_ANY || b[k].name == ACCESS_ANY;
            if (may_be_same && access_conflict(&a[i], &b[k])) return true;
        }
    return false;
}
