/* Sets of symbols, shared. Unions of the same two sets are remembered, because path conditions ask for the
 * same ones again and again. */
#include "term/internal.h"

#include "base/hash.h"

#include <string.h>

static int compare_symbols(const term *a, const term *b) {
    if (a == b) return 0;
    return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1) : term_compare(a, b);
}

FOR_ASSERTIONS static bool is_set(const term *const *symbols, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (symbols[i]->op != TERM_SYMBOL || (i && compare_symbols(symbols[i - 1], symbols[i]) >= 0))
            return false;
    return true;
}

static const term_support *share(terms *c, const term *const *symbols, size_t size) {
    slow_assert(is_set(symbols, size));
    uint64_t key = size;
    for (size_t i = 0; i < size; i++) key = hash_pair(key, symbols[i]->hash);
    for (uint64_t id; (id = map_get(&c->support_by_hash, key)) != MAP_NONE; key++) {
        const term_support *found = c->supports.data[id];
        if (found->size == size && !memcmp(found->symbol, symbols, size * sizeof *symbols)) return found;
    }
    term_support *fresh = arena_alloc(&c->memory, sizeof *fresh + size * sizeof *symbols);
    fresh->size = (uint32_t)size;
    fresh->id = (uint32_t)c->supports.size;
    if (size) memcpy(fresh->symbol, symbols, size * sizeof *symbols);
    map_put(&c->support_by_hash, key, fresh->id);
    vec_push(&c->supports, fresh);
    return fresh;
}

const term_support *support_empty(terms *c) {
    return c->supports.size ? c->supports.data[0] : share(c, NULL, 0);
}

const term_support *support_single(terms *c, const term *symbol) {
    return share(c, &symbol, 1);
}

static const term_support *merge(terms *c, const term_support *a, const term_support *b) {
    const term **both = mem_alloc((a->size + b->size) * sizeof *both);
    size_t i = 0, j = 0, size = 0;
    while (i < a->size && j < b->size) {
        int order = compare_symbols(a->symbol[i], b->symbol[j]);
        both[size++] = order <= 0 ? a->symbol[i] : b->symbol[j];
        i += order <= 0;
        j += order >= 0;
    }
    while (i < a->size) both[size++] = a->symbol[i++];
    while (j < b->size) both[size++] = b->symbol[j++];
    const term_support *result = size == a->size ? a : size == b->size ? b : share(c, both, size);
    mem_free(both);
    return result;
}

const term_support *support_union(terms *c, const term_support *a, const term_support *b) {
    if (a == b || !b->size) return a;
    if (!a->size) return b;
    uint64_t low = a->id < b->id ? a->id : b->id, high = a->id < b->id ? b->id : a->id;
    uint64_t key = high << 32 | low, known = map_get(&c->support_unions, key);
    if (known != MAP_NONE) return c->supports.data[known];
    const term_support *result = merge(c, a, b);
    assert(result->size >= a->size && result->size >= b->size && result->size <= a->size + b->size);
    map_put(&c->support_unions, key, result->id);
    return result;
}
