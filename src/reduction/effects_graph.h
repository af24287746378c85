/* The visited part of the state space with its effects but without its states (Alg 9 of [1] in
 * docs/algorithms.md).
 *
 * When stateful dynamic reduction meets a visited state it does not execute what follows, so it asks this
 * graph what would have been touched until the end of the delta cycle. Edges carry the thread that ran and
 * what it touched; edges of the scheduler end a delta cycle and are not stored. */
#ifndef HEDDLE_REDUCTION_EFFECTS_GRAPH_H
#define HEDDLE_REDUCTION_EFFECTS_GRAPH_H

#include "program/effect.h"

typedef struct effects_graph effects_graph;

effects_graph *effects_graph_create(uint32_t threads);
void effects_graph_destroy(effects_graph *g);

uint32_t effects_graph_add_node(effects_graph *g);
void effects_graph_add_edge(effects_graph *g, uint32_t from, uint32_t to, uint32_t thread,
                            const effect *touched);
void effects_graph_set_open(effects_graph *g, uint32_t node, bool open); /* still being explored */

/* Everything touched on paths from `node` within the delta cycle, joined per thread: (*out)[thread], valid
 * until the next call; `threads` entries. True if some node on the way is still open: then the
 * answer is incomplete. */
bool effects_graph_reachable(effects_graph *g, uint32_t node, const effect **out);

#endif
