#include "base/hash.h"
#include "cegar/internal.h"
#include "partial/control.h"

void graph_open(graph *g, machine *m, search_order order) {
    *g = (graph){.machine = m, .order = order};
    g->known = substitution_create(machine_terms(m));
    if (order == ORDER_ERROR_DISTANCE) g->distances = analyses_distances(machine_analyses(m));
}

static void drop_node(graph *g, arg_node *n) {
    assert(g->live && n->s);
    g->live--;
    state_release(g->machine, n->s);
    n->s = NULL;
    if (n->went) {
        vec_free(&n->went->marks);
        vec_free(&n->went->conditions);
        mem_free(n->went);
    }
    n->went = NULL;
    vec_free(&n->covers);
    vec_free(&n->relied);
}

void graph_close(graph *g) {
    for (size_t i = 0; i < g->nodes.size; i++)
        if (g->nodes.data[i].s) drop_node(g, &g->nodes.data[i]);
    vec_free(&g->nodes);
    for (size_t i = 0; i < g->buckets.size; i++) vec_free(&g->buckets.data[i]);
    vec_free(&g->buckets);
    for (size_t i = 0; i < g->patterns.size; i++) {
        vec_free(&g->patterns.data[i].at);
        map_free(&g->patterns.data[i].nodes);
    }
    vec_free(&g->patterns);
    vec_free(&g->numbers);
    vec_free(&g->waiting);
    map_free(&g->by_control);
    map_free(&g->by_pattern);
    substitution_destroy(g->known);
    vec_free(&g->stack);
}

/* --- where nodes are found ------------------------------------------------------------------------------ */

static node_list *bucket_of(graph *g, uint64_t control) {
    uint64_t known = map_get(&g->by_control, control);
    if (known == MAP_NONE) {
        vec_push(&g->buckets, ((node_list){0}));
        known = g->buckets.size - 1;
        map_put(&g->by_control, control, known);
    }
    return &g->buckets.data[known];
}

static bool has_pattern(const graph *g, const constant_pattern *p) {
    size_t next = 0;
    for (uint32_t i = 0; i < g->numbers.size; i++) {
        if (!term_is_const(g->numbers.data[i])) continue;
        if (next == p->at.size || p->at.data[next++] != i) return false;
    }
    return next == p->at.size;
}

static uint64_t hash_of_pattern(const graph *g, uint64_t control) {
    uint64_t h = control;
    for (uint32_t i = 0; i < g->numbers.size; i++)
        if (term_is_const(g->numbers.data[i])) h = hash_pair(h, i);
    return h;
}

/* Patterns without nodes are in no bucket. */
static uint32_t pattern_of(graph *g, uint64_t control) {
    uint64_t key = hash_of_pattern(g, control), known = map_get(&g->by_pattern, key);
    while (known != MAP_NONE && !has_pattern(g, &g->patterns.data[known])) {
        key = hash_pair(key, 1);
        known = map_get(&g->by_pattern, key);
    }
    if (known == MAP_NONE) {
        constant_pattern fresh = {0};
        for (uint32_t i = 0; i < g->numbers.size; i++)
            if (term_is_const(g->numbers.data[i])) vec_push(&fresh.at, i);
        vec_push(&g->patterns, fresh);
        known = g->patterns.size - 1;
        map_put(&g->by_pattern, key, known);
    }
    if (!g->patterns.data[known].nodes.size) vec_push(bucket_of(g, control), (uint32_t)known);
    return (uint32_t)known;
}

static void leave_bucket(graph *g, uint64_t control, uint32_t pattern) {
    node_list *bucket = bucket_of(g, control);
    for (size_t i = 0; i < bucket->size; i++)
        if (bucket->data[i] == pattern) {
            bucket->data[i] = vec_last(bucket);
            bucket->size--;
            return;
        }
}

static bool constants_at(const graph *g, const constant_pattern *p, uint64_t *out) {
    return control_constants_at(&g->numbers, p->at.data, p->at.size, out);
}

static void make_findable(graph *g, uint32_t node) {
    assert(node < g->nodes.size && g->nodes.data[node].s);
    arg_node *n = &g->nodes.data[node];
    abstract_numbers(n->s, &g->numbers);
    n->pattern = pattern_of(g, n->control);
    constant_pattern *p = &g->patterns.data[n->pattern];
    constants_at(g, p, &n->constants);
    uint64_t others = map_get(&p->nodes, n->constants);
    n->next_alike = others == MAP_NONE ? NO_NODE : (uint32_t)others;
    map_put(&p->nodes, n->constants, node);
}

static void make_unfindable(graph *g, uint32_t node) {
    const arg_node *n = &g->nodes.data[node];
    map *nodes = &g->patterns.data[n->pattern].nodes;
    assert(map_get(nodes, n->constants) != MAP_NONE);
    uint32_t at = (uint32_t)map_get(nodes, n->constants);
    if (at == node) {
        if (n->next_alike == NO_NODE)
            map_remove(nodes, n->constants);
        else
            map_put(nodes, n->constants, n->next_alike);
        if (!nodes->size) leave_bucket(g, n->control, n->pattern);
        return;
    }
    while (g->nodes.data[at].next_alike != node) {
        at = g->nodes.data[at].next_alike;
        assert(at != NO_NODE);
    }
    g->nodes.data[at].next_alike = n->next_alike;
}

/* --- how far it is to a check --------------------------------------------------------------------------- */

static uint32_t distance_of(graph *g, const state *s) {
    uint32_t best = DISTANCE_NONE;
    for (uint32_t t = 0; t < state_thread_count(s) && g->distances; t++) {
        thread_status status = state_thread_status(s, t);
        if (status == THREAD_UNBORN || status == THREAD_ENDED || status == THREAD_STUCK ||
            status == THREAD_DRAWING)
            continue;
        state_stack(s, t, &g->stack);
        uint32_t d = distances_to_check(g->distances, g->stack.data, g->stack.size);
        if (d < best) best = d;
    }
    return best;
}

/* --- nodes ---------------------------------------------------------------------------------------------- */

uint32_t graph_add(graph *g, state *s, uint32_t parent, transition by, step_way *went, uint32_t version) {
    uint32_t id = (uint32_t)g->nodes.size;
    arg_node n = {.s = s,
                  .parent = parent,
                  .first_child = NO_NODE,
                  .next_sibling = NO_NODE,
                  .covered_by = NO_NODE,
                  .by = by,
                  .went = went,
                  .version = version,
                  .distance = distance_of(g, s),
                  .control = abstract_control_hash(s)};
    if (parent != NO_NODE) {
        assert(parent < id && g->nodes.data[parent].s); /* so that there are no cycles */
        arg_node *p = &g->nodes.data[parent];
        n.next_sibling = p->first_child;
        n.depth = p->depth + 1;
        p->first_child = id;
    }
    vec_push(&g->nodes, n);
    g->live++;
    assert(g->live <= g->nodes.size);
    make_findable(g, id);
    return id;
}

size_t graph_live(const graph *g) {
    return g->live;
}

/* --- covering ------------------------------------------------------------------------------------------- */

typedef struct comparison {
    graph *g;
    bool substitutes;
} comparison;

/* The old state must leave open whatever it says otherwise than the new one. */
static bool old_leaves_open(void *data, value in_new, value in_old) {
    comparison *c = data;
    if (term_is_const(in_old.bits)) return false;
    if (!term_is_symbol(in_old.bits) || !term_is_const(in_new.bits)) return false;
    substitution_set(c->g->known, in_old.bits, in_new.bits);
    c->substitutes = true;
    return true;
}

static bool implies(graph *g, const state *s, const term *t, bool substitute) {
    if (state_assumes(s, t)) return true;
    if (substitute) t = substitution_apply(g->known, t);
    if (term_is_const(t)) return term_is_true(t);
    if (state_assumes(s, t)) return true;
    if (!state_path_count(s)) return false;
    const term *not = term_not(machine_terms(g->machine), t);
    return solver_check_extension(machine_solver(g->machine), state_path(s), state_path_count(s), not ) ==
           SOLVER_UNSAT;
}

static bool says_no_more(graph *g, const state *s, const state *old) {
    comparison c = {g, false};
    if (!abstract_same_control(s, old)) return false;
    substitution_clear(g->known);
    if (!abstract_each_difference(s, old, old_leaves_open, &c)) return false;
    for (uint32_t i = 0; i < state_path_count(old); i++)
        if (!implies(g, s, state_path(old)[i], c.substitutes)) return false;
    return true;
}

typedef struct waking {
    uint32_t node;
    uint64_t threads;
} waking;

/* These threads no longer sleep at the node. In the middle of a step it is only behind it that they can go
 * on, and at a covered node where that is covered. */
static void wake(graph *g, uint32_t node, uint64_t threads) {
    VEC(waking) open = {0};
    vec_push(&open, ((waking){node, threads}));
    while (open.size) {
        waking w = vec_pop(&open);
        arg_node *n = &g->nodes.data[w.node];
        w.threads &= n->sleep;
        if (!w.threads) continue;
        n->sleep &= ~w.threads;
        if (n->covered_by != NO_NODE) {
            vec_push(&open, ((waking){n->covered_by, w.threads}));
        } else if (!state_is_inside_step(n->s)) {
            if (n->expanded) graph_queue(g, w.node);
        } else {
            for (uint32_t c = n->first_child; c != NO_NODE; c = g->nodes.data[c].next_sibling)
                vec_push(&open, ((waking){c, w.threads}));
        }
    }
    vec_free(&open);
}

/* What is not taken from a node is taken from whoever covers it. */
FOR_ASSERTIONS static bool sleeps_least(const graph *g, uint32_t covering) {
    const arg_node *n = &g->nodes.data[covering];
    for (size_t i = 0; i < n->covers.size; i++) {
        const arg_node *covered = &g->nodes.data[n->covers.data[i]];
        if (covered->covered_by == covering && n->sleep & ~covered->sleep) return false;
    }
    return true;
}

static bool try_chain(graph *g, uint32_t node, uint32_t first) {
    arg_node *n = &g->nodes.data[node];
    for (uint32_t k = first; k != NO_NODE; k = g->nodes.data[k].next_alike) {
        arg_node *old = &g->nodes.data[k];
        if (k == node || old->covered_by != NO_NODE) continue;
        g->attempts++;
        if (!says_no_more(g, n->s, old->s)) continue;
        assert(n->covered_by == NO_NODE && old->s); /* what covers is itself not covered */
        wake(g, k, old->sleep & ~n->sleep);
        n->covered_by = k;
        vec_push(&old->covers, node);
        slow_assert(sleeps_least(g, k));
        return true;
    }
    return false;
}

bool graph_cover(graph *g, uint32_t node) {
    const arg_node *n = &g->nodes.data[node];
    const node_list *bucket = bucket_of(g, n->control);
    abstract_numbers(n->s, &g->numbers);
    for (size_t i = 0; i < bucket->size; i++) {
        const constant_pattern *p = &g->patterns.data[bucket->data[i]];
        uint64_t constants;
        if (!constants_at(g, p, &constants)) continue;
        uint64_t first = map_get(&p->nodes, constants);
        if (first != MAP_NONE && try_chain(g, node, (uint32_t)first)) return true;
    }
    return false;
}

static bool has_control_of(const arg_node *n, const state *s) {
    return n->covered_by == NO_NODE && abstract_same_control(s, n->s);
}

void graph_find_alike(graph *g, const state *s, node_list *out) {
    uint64_t known = map_get(&g->by_control, abstract_control_hash(s));
    if (known == MAP_NONE) return;
    const node_list *bucket = &g->buckets.data[known];
    abstract_numbers(s, &g->numbers);
    for (size_t i = 0; i < bucket->size; i++) {
        const constant_pattern *p = &g->patterns.data[bucket->data[i]];
        uint64_t constants, first;
        if (!constants_at(g, p, &constants)) continue;
        first = map_get(&p->nodes, constants);
        for (uint32_t k = first == MAP_NONE ? NO_NODE : (uint32_t)first; k != NO_NODE;
             k = g->nodes.data[k].next_alike)
            if (has_control_of(&g->nodes.data[k], s)) vec_push(out, k);
    }
}

/* --- what waits ----------------------------------------------------------------------------------------- */

/* Nearest to a check first, of these the youngest. */
static bool comes_first(const void *data, uint32_t a, uint32_t b) {
    const graph *g = data;
    uint32_t of_a = g->nodes.data[a].distance, of_b = g->nodes.data[b].distance;
    return of_a != of_b ? of_a < of_b : a > b;
}

void graph_queue(graph *g, uint32_t node) {
    if (g->nodes.data[node].waiting) return;
    g->nodes.data[node].waiting = true;
    if (g->order == ORDER_ERROR_DISTANCE)
        heap_push(&g->waiting, node, comes_first, g);
    else
        vec_push(&g->waiting, node);
}

static bool still_waits(const graph *g, uint32_t node) {
    return g->nodes.data[node].s && g->nodes.data[node].waiting;
}

/* 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...: short and long ones have about the same share of all. */
static uint64_t luby(uint64_t index) {
    uint64_t size = 1, number = 1;
    while (size < index + 1) size = 2 * size + 1, number *= 2;
    while (size - 1 != index) {
        size = (size - 1) / 2;
        number /= 2;
        index %= size;
    }
    return number;
}

/* Depth first goes on from the oldest node now and then: what a violation needs may have been decided wrongly
 * near the root, and all that is below is explored first. */
static bool dive_ends(graph *g) {
    enum { SHORTEST_DIVE = 4 };
    if (g->dived++ < SHORTEST_DIVE * luby(g->dives)) return false;
    g->dives++;
    g->dived = 0;
    return true;
}

void graph_end_dive(graph *g) {
    g->dived = UINT32_MAX;
}

static uint32_t take_waiting(graph *g) {
    if (g->order == ORDER_ERROR_DISTANCE) return heap_pop(&g->waiting, comes_first, g);
    bool dives = g->order == ORDER_DFS && !dive_ends(g);
    return dives ? vec_pop(&g->waiting) : g->waiting.data[g->first_waiting++];
}

uint32_t graph_next(graph *g) {
    uint32_t found = NO_NODE;
    while (found == NO_NODE && g->waiting.size > g->first_waiting) {
        uint32_t node = take_waiting(g);
        if (still_waits(g, node)) found = node;
    }
    assert(found == NO_NODE || g->nodes.data[found].covered_by == NO_NODE);
    if (found != NO_NODE) g->nodes.data[found].waiting = false;
    return found;
}

/* --- pruning -------------------------------------------------------------------------------------------- */

static void stop_covering_by(graph *g, uint32_t cover, uint32_t covered) {
    arg_node *n = &g->nodes.data[cover];
    for (size_t i = n->covers.size; i-- > 0;)
        if (n->covers.data[i] == covered) {
            vec_remove(&n->covers, i);
            return;
        }
}

/* Whoever was covered by a node that goes is explored itself, or covered by another one. */
static void remove_below(graph *g, uint32_t top) {
    VEC(uint32_t) open = {0}, gone = {0}, free_again = {0};
    for (uint32_t c = g->nodes.data[top].first_child; c != NO_NODE; c = g->nodes.data[c].next_sibling)
        vec_push(&open, c);
    g->nodes.data[top].first_child = NO_NODE;
    while (open.size) {
        uint32_t node = vec_pop(&open);
        vec_push(&gone, node);
        for (uint32_t c = g->nodes.data[node].first_child; c != NO_NODE; c = g->nodes.data[c].next_sibling)
            vec_push(&open, c);
    }
    for (size_t i = 0; i < gone.size; i++) {
        uint32_t node = gone.data[i], cover = g->nodes.data[node].covered_by;
        if (cover != NO_NODE) stop_covering_by(g, cover, node);
        for (size_t k = 0; k < g->nodes.data[node].covers.size; k++)
            vec_push(&free_again, g->nodes.data[node].covers.data[k]);
        vec_clear(&g->nodes.data[node].covers);
        make_unfindable(g, node);
    }
    for (size_t i = 0; i < gone.size; i++) drop_node(g, &g->nodes.data[gone.data[i]]);
    for (size_t i = 0; i < free_again.size; i++) {
        uint32_t node = free_again.data[i];
        if (!g->nodes.data[node].s) continue;
        g->nodes.data[node].covered_by = NO_NODE;
        if (!graph_cover(g, node)) graph_queue(g, node);
    }
    vec_free(&open);
    vec_free(&gone);
    vec_free(&free_again);
}

void graph_begin_again(graph *g, uint32_t node) {
    remove_below(g, node);
    if (!node) { /* only the root is left */
        g->nodes.size = 1;
        g->waiting.size = g->first_waiting = 0;
        g->nodes.data[0].waiting = false;
    }
    arg_node *n = &g->nodes.data[node];
    n->expanded = n->wants_rest = n->wants_more = n->partly = false;
    graph_queue(g, node);
}
