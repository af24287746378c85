/* What the two files of the points-to analysis share. Not for others. */
#ifndef HEDDLE_ANALYSIS_POINTS_TO_INTERNAL_H
#define HEDDLE_ANALYSIS_POINTS_TO_INTERNAL_H

#include "analysis/points_to.h"
#include "base/map.h"

/* What happens to the objects that a node points to. */
typedef enum {
    PASS_COPY,  /* `other` points to them, too */
    PASS_LOAD,  /* `other` points to whatever their content does */
    PASS_STORE, /* their content points to whatever `other` does */
    PASS_CALL,  /* those that are functions are called (or started as threads) by site `other` */
} pass_kind;

typedef struct pass {
    uint8_t kind; /* pass_kind */
    uint32_t other, next;
} pass;

typedef struct node {
    uint64_t *set; /* NULL: empty; the second half is what has not been passed on yet */
    uint32_t first_pass;
    uint32_t merged_into; /* itself, or on the way to the node that stands for it */
    bool queued;
} node;

typedef struct site {
    uint32_t function;
    const instruction *i;
} site;

/* Nodes: one per abstract object that points to it alone; the content of each; the result of each function;
 * the results of threads, taken as one; registers; a buffer for each COPY. */
struct points_to {
    const program *p;
    size_t objects, words;
    uint32_t first_function; /* functions are the last abstract objects */
    map places;
    uint32_t thread_results;
    uint32_t *first_register; /* node, per function */
    uint32_t next_buffer;
    bool *reached; /* per function */
    VEC(uint32_t) functions_to_read;
    node *nodes;
    size_t node_count;
    VEC(pass) passes;
    VEC(site) sites;
    VEC(uint32_t) queue;
    size_t queue_head;
    uint32_t last_from, last_to; /* the newest edge */
    size_t next_merge;           /* number of passes at which cycles are looked for next */
    uint64_t *scratch;
    arena memory; /* of the sets */
};

static inline uint32_t standing_for(const points_to *t, uint32_t n) {
    while (t->nodes[n].merged_into != n) n = t->nodes[n].merged_into;
    return n;
}

void points_also_to(points_to *t, uint32_t n, size_t word, uint64_t bits);
void points_to_enqueue(points_to *t, uint32_t n); /* its news are to be passed on */

/* --- points_to_cycles.c --------------------------------------------------------------------------------- */

/* Nodes that copy to each other in a cycle have equal sets: they become one. */
void points_to_merge_cycles(points_to *t);

#endif
