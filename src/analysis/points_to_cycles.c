#include "analysis/points_to_internal.h"

#include <string.h>

typedef struct visit {
    uint32_t node, pass; /* the next pass to look at */
} visit;

/* Tarjan's search for strongly connected components of the copies. */
typedef struct cycle_search {
    points_to *t;
    uint32_t *number,
        *lowest;        /* per node: order of discovery from 1 on, the earliest that it leads back to */
    uint32_t *noted_by; /* per node: the component whose copies lead there, NO_INDEX: none yet */
    bool *on_stack;
    uint32_t found;
    VEC(visit) path;
    VEC(uint32_t) stack;
} cycle_search;

/* Moves the passes of a member to the node that stands for its cycle; copies within the cycle, or to where
 * another member copies already, are dropped. */
static void take_passes(cycle_search *c, uint32_t into, uint32_t member) {
    points_to *t = c->t;
    uint32_t next = t->nodes[member].first_pass;
    if (member == into) t->nodes[into].first_pass = NO_INDEX;
    while (next != NO_INDEX) {
        uint32_t k = next;
        pass *p = &t->passes.data[k];
        next = p->next;
        if (p->kind == PASS_COPY) {
            p->other = standing_for(t, p->other);
            if (p->other == into || c->noted_by[p->other] == into) continue;
            c->noted_by[p->other] = into;
        }
        p->next = t->nodes[into].first_pass;
        t->nodes[into].first_pass = k;
    }
}

static void merge_cycle(cycle_search *c, const uint32_t *members, size_t count) {
    points_to *t = c->t;
    uint32_t into = members[0];
    for (size_t k = 1; k < count; k++) {
        assert(t->nodes[members[k]].merged_into == members[k]); /* only who stands for itself is searched */
        t->nodes[members[k]].merged_into = into;
    }
    for (size_t k = 0; k < count; k++) {
        const uint64_t *set = t->nodes[members[k]].set;
        take_passes(c, into, members[k]);
        for (size_t w = 0; k && set && w < t->words; w++) points_also_to(t, into, w, set[w]);
    }
    if (!t->nodes[into].set) return;
    memcpy(t->nodes[into].set + t->words, t->nodes[into].set, t->words * sizeof(uint64_t));
    points_to_enqueue(t, into);
}

static void leave_node(cycle_search *c, uint32_t n) {
    if (c->path.size) {
        uint32_t parent = vec_last(&c->path).node;
        if (c->lowest[n] < c->lowest[parent]) c->lowest[parent] = c->lowest[n];
    }
    if (c->lowest[n] != c->number[n]) return;
    size_t first = c->stack.size;
    do c->on_stack[c->stack.data[--first]] = false;
    while (c->stack.data[first] != n);
    if (c->stack.size - first > 1) merge_cycle(c, c->stack.data + first, c->stack.size - first);
    c->stack.size = first;
}

static void enter_node(cycle_search *c, uint32_t n) {
    c->number[n] = c->lowest[n] = ++c->found;
    c->on_stack[n] = true;
    vec_push(&c->stack, n);
    vec_push(&c->path, ((visit){n, c->t->nodes[n].first_pass}));
}

static void search_from(cycle_search *c, uint32_t root) {
    enter_node(c, root);
    while (c->path.size) {
        visit *v = &vec_last(&c->path);
        if (v->pass == NO_INDEX) {
            leave_node(c, vec_pop(&c->path).node);
            continue;
        }
        pass how = c->t->passes.data[v->pass];
        v->pass = how.next;
        if (how.kind != PASS_COPY) continue;
        uint32_t to = standing_for(c->t, how.other);
        if (!c->number[to])
            enter_node(c, to);
        else if (c->on_stack[to] && c->number[to] < c->lowest[v->node])
            c->lowest[v->node] = c->number[to];
    }
}

void points_to_merge_cycles(points_to *t) {
    cycle_search c = {.t = t};
    c.number = mem_zero(t->node_count, sizeof *c.number);
    c.lowest = mem_zero(t->node_count, sizeof *c.lowest);
    c.noted_by = mem_alloc(t->node_count * sizeof *c.noted_by);
    memset(c.noted_by, 0xff, t->node_count * sizeof *c.noted_by); /* NO_INDEX */
    c.on_stack = mem_zero(t->node_count, sizeof *c.on_stack);
    for (uint32_t n = 0; n < t->node_count; n++)
        if (!c.number[n] && standing_for(t, n) == n) search_from(&c, n);
    assert(!c.path.size && !c.stack.size); /* each is in a component now */
    mem_free(c.number);
    mem_free(c.lowest);
    mem_free(c.noted_by);
    mem_free(c.on_stack);
    vec_free(&c.path);
    vec_free(&c.stack);
}
