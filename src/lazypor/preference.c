/* Who goes next where nothing is planned. Any thread would do; a good choice makes executions share long
 * beginnings, since an execution costs only what it does not share with the one before: operations on cells
 * that nobody was seen to compete for go first, and threads that compete with each other go one after
 * another, so that dependent events stand close together near the end. */
#include "lazypor/internal.h"

#include "base/hash.h"

enum { GRANULE = 4, MOST_GRANULES = 16 }; /* bytes told apart; wider ranges are not looked at */

static void make_room(lazypor *x, uint32_t thread) {
    for (uint32_t t = (uint32_t)x->outlooks.size; t <= thread; t++)
        vec_push(&x->outlooks, ((outlook){.rival = t}));
}

/* The smallest of the threads that compete, directly or not, with this one. */
static uint32_t first_rival(const lazypor *x, uint32_t thread) {
    while (x->outlooks.data[thread].rival != thread) thread = x->outlooks.data[thread].rival;
    return thread;
}

static bool has_rivals(const lazypor *x, uint32_t thread) {
    return x->outlooks.data[thread].competes;
}

static uint32_t granules_end(const access *a) {
    uint32_t end = a->high / GRANULE + (a->high % GRANULE != 0);
    bool counts = a->kind <= ACCESS_UPDATE && end - a->low / GRANULE <= MOST_GRANULES;
    return counts ? end : a->low / GRANULE;
}

static void learn_contested(lazypor *x, const access *a) {
    for (uint32_t g = a->low / GRANULE; g < granules_end(a); g++) {
        uint64_t key = hash_pair(a->name, g);
        if (map_get(&x->contested, key) == MAP_NONE) map_put(&x->contested, key, 1);
    }
}

/* What was learned from these two need not be learned again. */
static bool is_remembered(lazypor *x, const action *a, const action *b) {
    uint64_t pair = (uint64_t)(a - x->actions.data + 1) << 32 | (uint64_t)(b - x->actions.data);
    uint64_t *slot = &x->learned_pairs[hash_mix(pair) % LEARNED_PAIRS];
    if (*slot == pair) return true;
    *slot = pair;
    return false;
}

void preference_learn(lazypor *x, const action *a, const action *b) {
    if (is_remembered(x, a, b)) return;
    for (uint32_t i = a->touched.begin; i < a->touched.end; i++)
        for (uint32_t k = b->touched.begin; k < b->touched.end; k++)
            if (access_conflict(&x->accesses.data[i], &x->accesses.data[k]))
                learn_contested(x, &x->accesses.data[i]);
    make_room(x, a->thread > b->thread ? a->thread : b->thread);
    uint32_t p = first_rival(x, a->thread), q = first_rival(x, b->thread);
    x->outlooks.data[p > q ? p : q].rival = p > q ? q : p;
    x->outlooks.data[a->thread].competes = x->outlooks.data[b->thread].competes = true;
}

void preference_moved(lazypor *x, uint32_t thread) {
    if (thread < x->outlooks.size) x->outlooks.data[thread].known = false;
}

static bool some_contested(const lazypor *x, const accesses *list) {
    for (size_t i = 0; i < list->size; i++) {
        const access *at = &list->data[i];
        for (uint32_t g = at->low / GRANULE; g < granules_end(at); g++)
            if (map_get(&x->contested, hash_pair(at->name, g)) != MAP_NONE) return true;
    }
    return false;
}

static bool is_contested(lazypor *x, const state *s, uint32_t thread) {
    make_room(x, thread);
    outlook *o = &x->outlooks.data[thread];
    if (!has_rivals(x, thread)) return false;
    if (!o->known || o->cells_known != x->contested.size) {
        o->contested = some_contested(x, operation_expect(x, s, thread));
        o->cells_known = x->contested.size;
        o->known = true;
    }
    return o->contested;
}

uint32_t preference_choose(lazypor *x, const node *n) {
    uint32_t best = n->enabled.data[0].thread, best_rival = NO_INDEX;
    for (size_t i = 0; i < n->enabled.size; i++) {
        uint32_t thread = n->enabled.data[i].thread;
        if (!is_contested(x, n->s, thread)) return thread;
        uint32_t rival = first_rival(x, thread);
        if (rival >= best_rival) continue;
        best = thread;
        best_rival = rival;
    }
    return best;
}
