#include "reduction/effects_graph.h"
#include "base/invariant.h"

typedef struct edge {
    uint32_t to, thread, next; /* next edge of the same node */
    effect touched;
} edge;

typedef struct graph_node {
    uint32_t first_edge;
    uint32_t stamp;
    bool open;
} graph_node;

struct effects_graph {
    uint32_t threads;
    VEC(graph_node) nodes;
    VEC(edge) edges;
    VEC(uint32_t) work;
    effect *reached; /* per thread */
    uint32_t stamp;
};

effects_graph *effects_graph_create(uint32_t threads) {
    effects_graph *g = mem_zero(1, sizeof *g);
    g->threads = threads;
    g->reached = mem_zero(threads, sizeof *g->reached);
    return g;
}

void effects_graph_destroy(effects_graph *g) {
    if (!g) return;
    for (size_t i = 0; i < g->edges.size; i++) effect_free(&g->edges.data[i].touched);
    for (uint32_t t = 0; t < g->threads; t++) effect_free(&g->reached[t]);
    mem_free(g->reached);
    vec_free(&g->nodes);
    vec_free(&g->edges);
    vec_free(&g->work);
    mem_free(g);
}

uint32_t effects_graph_add_node(effects_graph *g) {
    vec_push(&g->nodes, ((graph_node){NO_INDEX, 0, false}));
    return (uint32_t)(g->nodes.size - 1);
}

void effects_graph_add_edge(effects_graph *g, uint32_t from, uint32_t to, uint32_t thread,
                            const effect *touched) {
    assert(from < g->nodes.size && to < g->nodes.size && thread < g->threads);
    edge e = {.to = to, .thread = thread, .next = g->nodes.data[from].first_edge};
    effect_join(&e.touched, touched);
    vec_push(&g->edges, e);
    g->nodes.data[from].first_edge = (uint32_t)(g->edges.size - 1);
}

void effects_graph_set_open(effects_graph *g, uint32_t node, bool open) {
    assert(node < g->nodes.size);
    g->nodes.data[node].open = open;
}

static void visit(effects_graph *g, uint32_t node) {
    if (g->nodes.data[node].stamp == g->stamp) return;
    g->nodes.data[node].stamp = g->stamp;
    vec_push(&g->work, node);
}

bool effects_graph_reachable(effects_graph *g, uint32_t node, const effect **out) {
    for (uint32_t t = 0; t < g->threads; t++) effect_clear(&g->reached[t]);
    g->stamp++;
    assert(!g->work.size && node < g->nodes.size);
    bool incomplete = false;
    visit(g, node);
    while (g->work.size) {
        const graph_node *n = &g->nodes.data[vec_pop(&g->work)];
        incomplete |= n->open;
        for (uint32_t i = n->first_edge; i != NO_INDEX; i = g->edges.data[i].next) {
            effect_join(&g->reached[g->edges.data[i].thread], &g->edges.data[i].touched);
            visit(g, g->edges.data[i].to);
        }
    }
    *out = g->reached;
    return incomplete;
}
