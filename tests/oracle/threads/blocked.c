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

static bool stays_whole(const blocked_node *n, const uint32_t *edges, size_t count, const bool *whole) {
    bool stays = !n->cut;
    for (uint32_t e = n->first_edge; e < n->end_edge && stays; e++)
        stays = edges[e] >= count || whole[edges[e]];
    return stays;
}

blocked_answer blocked_for_ever(const blocked_node *nodes, size_t count, const uint32_t *edges) {
    blocked_answer answer = {0};
    uint32_t *wait = mem_alloc((count + 1) * sizeof *wait);
    bool *whole = mem_alloc((count + 1) * sizeof *whole);
    for (size_t k = 0; k < count; k++) {
        wait[k] = nodes[k].waits;
        whole[k] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = count; k-- > 0;) {
            uint32_t left = that_still_wait(&nodes[k], edges, count, wait);
            bool stays = whole[k] && stays_whole(&nodes[k], edges, count, whole);
            changed |= left != wait[k] || stays != whole[k];
            wait[k] = left;
            whole[k] = stays;
        }
    }
    for (size_t k = 0; k < count; k++) {
        answer.possible |= wait[k] != 0;
        answer.certain |= wait[k] != 0 && whole[k];
    }
    mem_free(wait);
    mem_free(whole);
    return answer;
}

/* Bits that hold in all states that can come. */
static void keep_while_all_do(const blocked_node *nodes, size_t count, const uint32_t *edges, uint64_t *set) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = count; k-- > 0;) {
            uint64_t left = nodes[k].ends ? 0 : set[k];
            for (uint32_t e = nodes[k].first_edge; e < nodes[k].end_edge; e++)
                if (edges[e] < count) left &= set[edges[e]];
            changed |= left != set[k];
            set[k] = left;
        }
    }
}

/* Bits that hold in some state that can come. */
static void add_if_some_does(const blocked_node *nodes, size_t count, const uint32_t *edges, uint64_t *set) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = count; k-- > 0;) {
            uint64_t more = set[k];
            for (uint32_t e = nodes[k].first_edge; e < nodes[k].end_edge; e++)
                if (edges[e] < count) more |= set[edges[e]];
            changed |= more != set[k];
            set[k] = more;
        }
    }
}

blocked_answer rounds_for_ever(const blocked_node *nodes, size_t count, const uint32_t *edges,
                               uint64_t waits) {
    blocked_answer answer = {0};
    uint64_t *stays = mem_alloc((count + 1) * sizeof *stays), *again = mem_alloc((count + 1) * sizeof *again),
             *cut = mem_alloc((count + 1) * sizeof *cut);
    for (size_t k = 0; k < count; k++) {
        stays[k] = nodes[k].stays;
        again[k] = nodes[k].looks;
        cut[k] = nodes[k].cut;
    }
    keep_while_all_do(nodes, count, edges, stays);
    add_if_some_does(nodes, count, edges, again);
    keep_while_all_do(nodes, count, edges, again);
    add_if_some_does(nodes, count, edges, cut);
    for (size_t k = 0; k < count; k++) {
        answer.possible |= stays[k] != 0;
        answer.certain |= (stays[k] & again[k] & waits) != 0 && !cut[k];
    }
    mem_free(stays);
    mem_free(again);
    mem_free(cut);
    return answer;
}
