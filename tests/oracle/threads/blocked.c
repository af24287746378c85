#include "blocked.h"

#include "base/memory.h"

/* Greatest fixed points: what is true of a state as long as it is true of all that follow. */

static uint32_t that_still_wait(const blocked_node *n, const uint32_t *edges, size_t count,
                                const uint32_t *wait) {
    uint32_t left = n->ends ? 0 : n->waits;
    for (uint32_t e = n->first_edge; e < n->end_edge; e++)
        if (edges[e] < count) left &= wait[edges[e]];
    return left;
}

static bool stays_frozen(const blocked_node *nodes, const blocked_node *n, const uint32_t *edges,
                         size_t count, const bool *frozen) {
    bool stays = n->plain && !n->ends;
    for (uint32_t e = n->first_edge; e < n->end_edge && stays; e++)
        stays = edges[e] < count && frozen[edges[e]] && nodes[edges[e]].memory == n->memory;
    return stays;
}

blocked_answer blocked_for_ever(const blocked_node *nodes, size_t count, const uint32_t *edges) {
    blocked_answer answer = {0};
    uint32_t *wait = mem_alloc((count + 1) * sizeof *wait);
    bool *frozen = mem_alloc((count + 1) * sizeof *frozen);
    for (size_t k = 0; k < count; k++) {
        wait[k] = nodes[k].waits;
        frozen[k] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = count; k-- > 0;) {
            uint32_t left = that_still_wait(&nodes[k], edges, count, wait);
            bool stays = frozen[k] && stays_frozen(nodes, &nodes[k], edges, count, frozen);
            changed |= left != wait[k] || stays != frozen[k];
            wait[k] = left;
            frozen[k] = stays;
        }
    }
    for (size_t k = 0; k < count; k++) {
        answer.possible |= wait[k] != 0;
        answer.certain |= wait[k] != 0 && frozen[k];
    }
    mem_free(wait);
    mem_free(frozen);
    return answer;
}
