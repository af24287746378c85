/* No thread is left out for ever: every cycle of the graph has a scheduling point that leaves nothing out.
 *
 * On a cycle some thread goes back to where it stood, so some step takes it no further in the order of its
 * program text: a backward step. Where such a step lies on a cycle of nodes that all leave something out, the
 * scheduling point before it takes the rest. So does one from which a step may go round inside itself, where
 * nobody else could go on. The cycles are those of the whole graph, covering included, when nothing else
 * waits, so neither the order of the search nor what covers what matters. */
#include "analysis/flow.h"
#include "cegar/internal.h"

/* --- order of the program text -------------------------------------------------------------------------- */

typedef struct walk_entry {
    uint32_t block, next;
} walk_entry;

/* Numbers the blocks such that only jumps that close loops lead to lower ones. */
static uint32_t *rank_blocks(const function *f) {
    size_t n = f->blocks.size;
    uint32_t *rank = mem_zero(n + 1, sizeof *rank);
    bool *seen = mem_zero(n + 1, sizeof *seen);
    VEC(walk_entry) open = {0};
    uint32_t left = (uint32_t)n;
    if (n) {
        vec_push(&open, ((walk_entry){0, 0}));
        seen[0] = true;
    }
    while (open.size) {
        walk_entry *top = &open.data[open.size - 1];
        uint32_t targets[2], count = block_targets(&f->blocks.data[top->block], targets);
        if (top->next == count) {
            rank[top->block] = --left;
            open.size--;
            continue;
        }
        uint32_t to = targets[top->next++];
        if (seen[to]) continue;
        seen[to] = true;
        vec_push(&open, ((walk_entry){to, 0}));
    }
    vec_free(&open);
    mem_free(seen);
    assert(!n || rank[0] == left); /* the entry is the first of those that are entered */
    return rank;
}

static void rank_functions(reduction *r, const program *p) {
    if (r->block_ranks) return;
    r->functions = p->functions.size;
    r->block_ranks = mem_zero(r->functions + 1, sizeof *r->block_ranks);
    for (size_t i = 0; i < r->functions; i++) r->block_ranks[i] = rank_blocks(&p->functions.data[i]);
}

void cycles_forget(reduction *r) {
    for (size_t i = 0; i < r->functions; i++) mem_free(r->block_ranks[i]);
    mem_free(r->block_ranks);
    vec_free(&r->stack_before);
    vec_free(&r->stack_after);
}

static int compare_numbers(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

/* A total order of stacks in which a step without loops goes up. */
static bool goes_further(const reduction *r, const call_sites *from, const call_sites *to) {
    for (size_t k = 0; k < from->size && k < to->size; k++) {
        const call_site *a = &from->data[k], *b = &to->data[k];
        int order = compare_numbers(a->function, b->function);
        if (!order)
            order =
                compare_numbers(r->block_ranks[a->function][a->block], r->block_ranks[b->function][b->block]);
        if (!order) order = compare_numbers(a->index, b->index);
        if (order) return order < 0;
    }
    return to->size < from->size; /* returned */
}

/* --- components ----------------------------------------------------------------------------------------- */

typedef struct tarjan_entry {
    uint32_t node, next_child;
    bool cover_done;
} tarjan_entry;

typedef bool (*node_filter)(const arg_node *n);

typedef struct components {
    const graph *g;
    node_filter counts;
    uint32_t *number, *low; /* 0: not seen */
    uint32_t *component;    /* 0: none yet, or alone */
    uint32_t last_number, last_component;
    VEC(tarjan_entry) open;
    VEC(uint32_t) stack;
} components;

static bool is_inside_step(const arg_node *n) {
    return state_is_inside_step(n->s);
}

static bool leaves_something_out(const arg_node *n) {
    return is_inside_step(n) || !n->expanded || n->partly;
}

static bool counts(const components *c, uint32_t node) {
    const arg_node *n = &c->g->nodes.data[node];
    return n->s && c->counts(n);
}

static void enter(components *c, uint32_t node) {
    c->number[node] = c->low[node] = ++c->last_number;
    vec_push(&c->stack, node);
    vec_push(&c->open, ((tarjan_entry){node, c->g->nodes.data[node].first_child, false}));
}

static void close_component(components *c, uint32_t root) {
    bool alone = c->stack.data[c->stack.size - 1] == root;
    uint32_t node;
    c->last_component += !alone;
    do {
        node = vec_pop(&c->stack);
        c->component[node] = alone ? NO_NODE : c->last_component;
    } while (node != root);
}

static uint32_t next_of(tarjan_entry *e, const graph *g) {
    if (e->next_child != NO_NODE) {
        uint32_t child = e->next_child;
        e->next_child = g->nodes.data[child].next_sibling;
        return child;
    }
    if (e->cover_done) return NO_NODE;
    e->cover_done = true;
    return g->nodes.data[e->node].covered_by;
}

static void find_components_from(components *c, uint32_t start) {
    enter(c, start);
    while (c->open.size) {
        tarjan_entry *e = &c->open.data[c->open.size - 1];
        uint32_t node = e->node, to = next_of(e, c->g);
        if (to != NO_NODE) {
            if (!counts(c, to)) continue;
            if (!c->number[to])
                enter(c, to);
            else if (!c->component[to] && c->number[to] < c->low[node])
                c->low[node] = c->number[to];
            continue;
        }
        if (c->low[node] == c->number[node]) close_component(c, node);
        c->open.size--;
        if (!c->open.size) break;
        uint32_t above = c->open.data[c->open.size - 1].node;
        if (c->low[node] < c->low[above]) c->low[above] = c->low[node];
    }
}

static void components_find(components *c, const graph *g, node_filter filter) {
    size_t n = g->nodes.size;
    *c = (components){.g = g, .counts = filter};
    c->number = mem_zero(n + 1, sizeof *c->number);
    c->low = mem_zero(n + 1, sizeof *c->low);
    c->component = mem_zero(n + 1, sizeof *c->component);
    for (uint32_t i = 0; i < n; i++)
        if (counts(c, i) && !c->number[i]) find_components_from(c, i);
    assert(!c->open.size && !c->stack.size); /* each is in a component now */
}

static void components_free(components *c) {
    mem_free(c->number);
    mem_free(c->low);
    mem_free(c->component);
    vec_free(&c->open);
    vec_free(&c->stack);
}

static bool is_on_cycle(const components *c, uint32_t node) {
    return c->component[node] && c->component[node] != NO_NODE;
}

/* --- the rule ------------------------------------------------------------------------------------------- */

typedef struct step_walk { /* along the pieces of the steps from a scheduling point */
    const graph *g;
    const components *c;
    uint32_t *stamp, now;
    VEC(uint32_t) open;
} step_walk;

static void walk_to(step_walk *w, uint32_t node) {
    if (node == NO_NODE || w->stamp[node] == w->now) return;
    w->stamp[node] = w->now;
    vec_push(&w->open, node);
}

static void walk_on(step_walk *w, uint32_t node) {
    const arg_node *n = &w->g->nodes.data[node];
    for (uint32_t child = n->first_child; child != NO_NODE; child = w->g->nodes.data[child].next_sibling)
        walk_to(w, child);
    walk_to(w, n->covered_by);
}

static bool is_backward_step(reduction *r, const state *from, const arg_node *to) {
    uint32_t thread = to->by.thread;
    if (thread >= state_thread_count(from) || thread >= state_thread_count(to->s)) return true;
    state_stack(from, thread, &r->stack_before);
    state_stack(to->s, thread, &r->stack_after);
    return !goes_further(r, &r->stack_before, &r->stack_after);
}

/* Whether a step from the scheduling point goes round inside itself (c: cycles inside steps), or is a
 * backward one on a cycle (c: others). */
static bool step_closes_cycle(reduction *r, step_walk *w, uint32_t from, bool inside) {
    bool closes = false;
    w->now++;
    vec_clear(&w->open);
    walk_on(w, from);
    while (w->open.size && !closes) {
        uint32_t node = vec_pop(&w->open);
        const arg_node *n = &w->g->nodes.data[node];
        if (inside) {
            closes = is_inside_step(n) && is_on_cycle(w->c, node);
        } else if (w->c->component[node] != w->c->component[from]) {
            continue;
        } else if (!is_inside_step(n)) {
            closes = is_backward_step(r, w->g->nodes.data[from].s, n);
        }
        if (is_inside_step(n)) walk_on(w, node);
    }
    return closes;
}

static bool take_rest_where_steps_close_cycles(cegar *x, bool inside) {
    components c;
    components_find(&c, &x->graph, inside ? is_inside_step : leaves_something_out);
    step_walk w = {.g = &x->graph, .c = &c};
    w.stamp = mem_zero(x->graph.nodes.size + 1, sizeof *w.stamp);
    bool found = false;
    for (uint32_t i = 0; i < x->graph.nodes.size && c.last_component; i++) {
        arg_node *n = &x->graph.nodes.data[i];
        if (!n->s || !n->partly || is_inside_step(n) || (!inside && !is_on_cycle(&c, i))) continue;
        if (!step_closes_cycle(x->reduction, &w, i, inside)) continue;
        n->wants_rest = found = true;
        graph_queue(&x->graph, i);
    }
    mem_free(w.stamp);
    vec_free(&w.open);
    components_free(&c);
    return found;
}

bool cycles_take_the_rest(cegar *x) {
    if (!x->reduction || !x->reduction->sets || !x->options->proviso) return false;
    rank_functions(x->reduction, machine_program(x->machine));
    return take_rest_where_steps_close_cycles(x, true) || take_rest_where_steps_close_cycles(x, false);
}
