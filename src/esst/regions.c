#include "esst/regions.h"

#include "base/hash.h"
#include "partial/abstract.h"

/* --- regions -------------------------------------------------------------------------------------------- */

uint32_t region_of(const state *s, const term *predicate) {
    uint32_t region = REGION_GLOBAL;
    for (uint32_t i = 0; i < predicate->support->size; i++) {
        uint32_t owner = abstract_owner(s, predicate->support->symbol[i]);
        if (owner == NO_INDEX) continue;
        assert(owner < state_thread_count(s));
        if (region != REGION_GLOBAL && region != owner) return REGION_GLOBAL;
        region = owner;
    }
    return region;
}

/* --- scopes --------------------------------------------------------------------------------------------- */

static uint64_t scope_of_region(const regions *r, const state *s, uint32_t region) {
    if (region == REGION_GLOBAL) return 0;
    return hash_pair(r->by_location ? abstract_location(s, region) : region, 7);
}

/* A program without threads is one region, with predicates of its own at each location. */
static bool is_alone(const regions *r, const state *s) {
    return r->threads_come && state_thread_count(s) == 1;
}

uint64_t regions_scope_for(void *data, const predicate_need *need) {
    const regions *r = data;
    if (is_alone(r, need->s)) return abstract_locations(need->s);
    uint32_t region = region_of(need->s, need->predicate);
    bool post_image = region == need->moved;
    /* What another thread's step makes of a region is not computed: if it matters it is common knowledge. */
    if (need->again || (!post_image && !need->left_alone)) region = REGION_GLOBAL;
    return scope_of_region(r, need->s, region);
}

size_t regions_scopes_in(void *data, const state *s, uint32_t moved, scope_list *out) {
    const regions *r = data;
    bool by_thread = moved < state_thread_count(s);
    if (is_alone(r, s)) {
        vec_push(out, abstract_locations(s));
        return 1;
    }
    vec_push(out, scope_of_region(r, s, REGION_GLOBAL));
    if (by_thread) vec_push(out, scope_of_region(r, s, moved));
    size_t decided = out->size;
    for (uint32_t t = 0; t < state_thread_count(s); t++)
        if (t != moved) vec_push(out, scope_of_region(r, s, t));
    assert(out->size == 1 + (size_t)state_thread_count(s)); /* the common region, and one of each */
    return decided;
}
