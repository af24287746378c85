/* Commuting updates and waiting do not go together. Two updates may each block a thread that waits for the
 * cell while both together let it go on; no reversal of one race then shows the order in which it went first.
 * So updates of a cell that is waited for are taken as writes, which are ordered. Which cells these are is
 * only seen while exploring; when updates of such a cell were already taken as commuting,
 * all starts again. */
#include "base/hash.h"
#include "dpor/internal.h"

enum { MOST_RESTARTS = 4, GRANULE = 8, MOST_GRANULES = 8 };

static bool is_exact(const access *a) {
    return a->name != ACCESS_ANY && a->low < a->high &&
           (a->high - 1) / GRANULE - a->low / GRANULE < MOST_GRANULES;
}

static uint64_t key_of(const access *a, uint32_t granule) {
    return hash_pair(a->name, granule);
}

static bool is_in(const map *cells, const access *a) {
    for (uint32_t g = a->low / GRANULE; g <= (a->high - 1) / GRANULE; g++)
        if (map_get(cells, key_of(a, g)) != MAP_NONE) return true;
    return false;
}

static void put_in(map *cells, const access *a) {
    for (uint32_t g = a->low / GRANULE; g <= (a->high - 1) / GRANULE; g++) map_put(cells, key_of(a, g), 1);
}

static void nothing_commutes_any_more(dpor *x) {
    if (x->nothing_commutes) return;
    x->nothing_commutes = true;
    x->again |= x->updated.size > 0;
}

void note_awaited(dpor *x, const effect *cells) {
    for (size_t i = 0; i < cells->size; i++) {
        const access *a = &cells->data[i];
        if (a->kind != ACCESS_READ) continue;
        if (!is_exact(a)) {
            nothing_commutes_any_more(x);
            continue;
        }
        put_in(&x->awaited, a);
        if (!is_in(&x->updated, a)) continue;
        if (++x->restarts > MOST_RESTARTS) x->nothing_commutes = true;
        x->again = true;
    }
}

/* Where declared orders matter to races, an update that acquires knows what happened before those that it
 * came after. */
static bool looks_back(const dpor *x, const access *a) {
    return x->orders_matter && a->sync & SYNC_ACQUIRES;
}

void note_touched(dpor *x, const state *s, uint32_t thread, effect *touched) {
    if (may_wait(x, s, thread)) note_awaited(x, touched);
    for (size_t i = 0; i < touched->size; i++) {
        access *a = &touched->data[i];
        if (a->kind != ACCESS_UPDATE) continue;
        if (x->nothing_commutes || !is_exact(a) || is_in(&x->awaited, a) || looks_back(x, a))
            a->kind = ACCESS_WRITE;
        else
            put_in(&x->updated, a);
    }
}
