/* A search in the order of context switches, then of steps, within the cost of what is known: the first
 * violation that it comes to is the cheapest. States are told apart by their hashes: two that look alike by
 * accident can only hide a smaller counterexample, never make one up. */
#include "base/hash.h"
#include "base/map.h"
#include "shrink/internal.h"

enum { MOST_NODES = 1 << 16 };

typedef struct node {
    state *at; /* NULL once it was expanded */
    uint32_t parent;
    path_step by;
    uint32_t switches, steps;
    uint64_t key; /* of the state */
} node;

typedef struct search {
    shrinker *k;
    VEC(node) nodes;
    VEC(uint32_t) heap; /* of open nodes, the cheapest first */
    map seen;           /* hash of an expanded state and its last thread -> the fewest steps to it so far */
    shrink_cost most;
} search;

/* --- the queue ------------------------------------------------------------------------------------------ */

/* Of equal ones the older comes first. */
static bool is_before(const search *s, uint32_t a, uint32_t b) {
    const node *x = &s->nodes.data[a], *y = &s->nodes.data[b];
    if (x->switches != y->switches) return x->switches < y->switches;
    return x->steps != y->steps ? x->steps < y->steps : a < b;
}

static void swap_entries(search *s, size_t a, size_t b) {
    uint32_t kept = s->heap.data[a];
    s->heap.data[a] = s->heap.data[b];
    s->heap.data[b] = kept;
}

static void queue_push(search *s, uint32_t index) {
    vec_push(&s->heap, index);
    for (size_t i = s->heap.size - 1; i && is_before(s, s->heap.data[i], s->heap.data[(i - 1) / 2]);
         i = (i - 1) / 2)
        swap_entries(s, i, (i - 1) / 2);
}

static uint32_t queue_pop(search *s) {
    uint32_t first = s->heap.data[0];
    s->heap.data[0] = vec_pop(&s->heap);
    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < s->heap.size; child++)
            if (is_before(s, s->heap.data[child], s->heap.data[least])) least = child;
        if (least == i) break;
        swap_entries(s, i, least);
        i = least;
    }
    assert(!s->heap.size || !is_before(s, s->heap.data[0], first)); /* nobody left costs less */
    return first;
}

/* --- states --------------------------------------------------------------------------------------------- */

static uint64_t identity_of(const state *s, transition last) {
    uint64_t h = hash_pair(state_hash(s, HASH_EXACT), last.thread);
    h = hash_pair(h, state_time(s)->hash);
    uint64_t conditions = 0; /* in any order */
    for (uint32_t i = 0; i < state_path_count(s); i++) conditions += hash_mix(state_path(s)[i]->hash);
    return hash_pair(h, conditions);
}

/* Somebody was there before, who had no more switches. If it had more steps, another look is worth while:
 * there is a limit to steps. */
static bool is_covered(const search *s, uint64_t key, uint32_t steps) {
    uint64_t known = map_get(&s->seen, key);
    return known != MAP_NONE && known <= steps;
}

static shrink_cost cost_after(const node *from, bool first, transition by) {
    bool switches = !first && is_switch(from->by.by, by);
    return (shrink_cost){from->switches + switches, from->steps + 1};
}

/* At least one more step has to come, unless it violates. */
static bool is_affordable(const search *s, shrink_cost c, bool violates) {
    c.steps += !violates;
    return costs_less(c, s->most) || (!violates && costs_at_most(c, s->most));
}

static void push_node(search *s, node n) {
    assert(!s->nodes.size || n.parent < s->nodes.size); /* parents come first */
    vec_push(&s->nodes, n);
    queue_push(s, (uint32_t)s->nodes.size - 1);
}

/* The successors of one transition; a violation is a node without a state. */
static void expand_by(search *s, uint32_t index, transition by) {
    shrinker *k = s->k;
    shrink_cost c = cost_after(&s->nodes.data[index], index == 0, by);
    successors list = {0};
    if (!is_affordable(s, c, true)) return;
    machine_step(k->m, s->nodes.data[index].at, by, &k->how, &list);
    for (size_t i = 0; i < list.size; i++) {
        const successor *to = &list.data[i];
        node n = {
            .parent = index, .by = to->step, .switches = (uint32_t)c.switches, .steps = (uint32_t)c.steps};
        bool violates = violation_is_reached(k->m, k->v, NULL, to);
        if (violates) {
            push_node(s, n);
        } else if (to->end == STEP_STOPPED && is_affordable(s, c, false) &&
                   !is_covered(s, n.key = identity_of(to->to, by), n.steps)) {
            n.at = state_share(to->to);
            push_node(s, n);
        }
    }
    successors_free(k->m, &list);
}

static void expand(search *s, uint32_t index) {
    const node n = s->nodes.data[index];
    transitions enabled = {0};
    if (!is_covered(s, n.key, n.steps)) {
        map_put(&s->seen, n.key, n.steps);
        machine_enabled(s->k->m, n.at, &enabled);
    }
    for (size_t i = 0; i < enabled.size && shrinker_may_step(s->k); i++) expand_by(s, index, enabled.data[i]);
    state_release(s->k->m, n.at);
    s->nodes.data[index].at = NULL;
    vec_free(&enabled);
}

static void write_path(const search *s, uint32_t index, path *out) {
    for (uint32_t i = index; i; i = s->nodes.data[i].parent) vec_push(out, s->nodes.data[i].by);
    assert(out->size == s->nodes.data[index].steps); /* as long as it was thought to be */
    for (size_t i = 0; i < out->size / 2; i++) {
        path_step kept = out->data[i];
        out->data[i] = out->data[out->size - 1 - i];
        out->data[out->size - 1 - i] = kept;
    }
}

search_end few_switches_search(shrinker *k, path *out) {
    search s = {.k = k, .most = shrink_cost_of(&k->v->path)};
    bool found = false;
    push_node(&s, (node){.at = machine_initial(k->m, k->how.stops)});
    while (s.heap.size && !found && s.nodes.size < MOST_NODES && k->steps < k->until) {
        uint32_t index = queue_pop(&s);
        found = s.nodes.data[index].at == NULL;
        if (found)
            write_path(&s, index, out);
        else
            expand(&s, index);
    }
    bool complete = !s.heap.size && k->steps < k->until;
    for (size_t i = 0; i < s.nodes.size; i++) state_release(k->m, s.nodes.data[i].at);
    vec_free(&s.nodes);
    vec_free(&s.heap);
    map_free(&s.seen);
    return found ? SEARCH_FINDS : complete ? SEARCH_FINDS_NOTHING : SEARCH_GIVES_UP;
}
