#include "base/hash.h"
#include "lazypor/internal.h"

static uint64_t action_hash(const lazypor *x, const action *a) {
    uint64_t h = hash_pair(a->thread, (uint64_t)a->own << 1 | a->touched.everything);
    for (uint32_t i = a->touched.begin; i < a->touched.end; i++) {
        const access *at = &x->accesses.data[i];
        uint64_t what =
            (uint64_t)at->name << 32 | (uint64_t)at->plain << 16 | (uint64_t)at->op << 8 | at->kind;
        h = hash_pair(hash_pair(h, what), (uint64_t)at->low << 32 | at->high);
    }
    return h;
}

static bool accesses_equal(const access *a, const access *b) {
    return a->kind == b->kind && a->op == b->op && a->plain == b->plain && a->name == b->name &&
           a->low == b->low && a->high == b->high;
}

static bool actions_equal(const lazypor *x, const action *a, const action *b) {
    uint32_t count = a->touched.end - a->touched.begin;
    bool same = a->thread == b->thread && a->own == b->own &&
                a->touched.everything == b->touched.everything && b->touched.end - b->touched.begin == count;
    for (uint32_t i = 0; same && i < count; i++)
        same =
            accesses_equal(&x->accesses.data[a->touched.begin + i], &x->accesses.data[b->touched.begin + i]);
    return same;
}

uint32_t action_intern(lazypor *x, action a) {
    assert(a.touched.begin <= a.touched.end && a.touched.end <= x->accesses.size);
    assert(a.own <= a.touched.end - a.touched.begin);
    uint64_t hash = action_hash(x, &a), known = map_get(&x->action_index, hash);
    uint32_t before = known == MAP_NONE ? NO_INDEX : (uint32_t)known;
    for (uint32_t i = before; i != NO_INDEX; i = x->alike.data[i]) {
        if (!actions_equal(x, &x->actions.data[i], &a)) continue;
        if (x->actions.data[i].touched.begin != a.touched.begin) x->accesses.size = a.touched.begin;
        return i;
    }
    uint32_t index = (uint32_t)x->actions.size;
    vec_push(&x->actions, a);
    vec_push(&x->alike, before);
    map_put(&x->action_index, hash, index);
    return index;
}
