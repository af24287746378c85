#include "clusters.h"

#include "base/bits.h"
#include "base/memory.h"

#include <string.h>

struct clusters {
    size_t threads;    /* 0: preemptive */
    uint32_t *of;      /* per thread: its cluster, which goes by its first thread */
    uint32_t *enabled; /* buffer, per cluster: how many of its threads are enabled in the present state */
};

/* --- once per program: who belongs together ------------------------------------------------------------- */

/* A segment is what a thread does from one scheduling point to the next, and these two relations between
 * segments are all that a reduction has to ask. `dependent` says that their order can make a difference:
 * data, lost and cancelled notifications, suspension, an assumption that hides a violation (program/effect.c
 * has the table with the reasons). `can_enable` says that one may wake the other. What is not in them takes
 * effect only when no thread can run any more: delayed notifications, channel updates, time. */
static bool segments_interact(const segments *all, uint32_t i, uint32_t j) {
    return bits_has(segment_row(all, all->dependent, i), j) ||
           bits_has(segment_row(all, all->can_enable, i), j) ||
           bits_has(segment_row(all, all->can_enable, j), i);
}

/* Everyone in the later cluster moves: it is this that makes belonging together transitive. It has to be. If
 * A meets B and B meets C, then C can change what B will do, and so what becomes of A. */
static void join_clusters(clusters *c, uint32_t thread, uint32_t other) {
    uint32_t one = c->of[thread], two = c->of[other];
    uint32_t stays = one < two ? one : two, goes = one < two ? two : one;
    for (size_t t = 0; t < c->threads; t++)
        if (c->of[t] == goes) c->of[t] = stays;
}

static void join_those_that_meet(clusters *c, const segments *all) {
    for (uint32_t i = 0; i < all->list.size; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t thread = all->list.data[i].thread, other = all->list.data[j].thread;
            if (c->of[thread] != c->of[other] && segments_interact(all, i, j))
                join_clusters(c, thread, other);
        }
}

static clusters *create_apart(size_t threads) {
    clusters *c = mem_zero(1, sizeof *c);
    c->threads = threads;
    c->of = mem_zero(threads + 1, sizeof *c->of);
    c->enabled = mem_zero(threads + 1, sizeof *c->enabled);
    for (uint32_t t = 0; t < threads; t++) c->of[t] = t;
    return c;
}

clusters *clusters_create(const machine *m) {
    const segments *all = machine_segments(m); /* the preemptive kernel has none */
    clusters *c = create_apart(all ? machine_program(m)->threads.size : 0);
    if (all) join_those_that_meet(c, all);
    return c;
}

void clusters_destroy(clusters *c) {
    if (!c) return;
    mem_free(c->of);
    mem_free(c->enabled);
    mem_free(c);
}

bool clusters_together(const clusters *c, uint32_t thread, uint32_t other) {
    return !c->threads || c->of[thread] == c->of[other];
}

/* --- in every state: which cluster goes on -------------------------------------------------------------- */

/* Any cluster would do. The one with the fewest enabled threads leaves the fewest ways to go. */
static uint32_t smallest_cluster(clusters *c, const transitions *enabled) {
    memset(c->enabled, 0, c->threads * sizeof *c->enabled);
    for (size_t i = 0; i < enabled->size; i++) c->enabled[c->of[enabled->data[i].thread]]++;
    uint32_t best = c->of[enabled->data[0].thread];
    for (size_t i = 1; i < enabled->size; i++) {
        uint32_t cluster = c->of[enabled->data[i].thread];
        if (c->enabled[cluster] < c->enabled[best]) best = cluster;
    }
    return best;
}

void clusters_choose(void *data, const state *s, const transitions *enabled, indices *out) {
    clusters *c = data;
    (void)s; /* a finer reduction would look at where the threads stand */
    uint32_t cluster = c->threads ? smallest_cluster(c, enabled) : NO_INDEX;
    for (uint32_t i = 0; i < enabled->size; i++)
        if (cluster == NO_INDEX || c->of[enabled->data[i].thread] == cluster) vec_push(out, i);
}
