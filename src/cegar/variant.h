/* Where another engine that abstracts does otherwise than cegar: which predicates count where. Graph, trace
 * examination, refinement and reduction are the same. */
#ifndef HEDDLE_CEGAR_VARIANT_H
#define HEDDLE_CEGAR_VARIANT_H

#include "explore/explorer.h"

typedef VEC(uint64_t) scope_list;

typedef struct predicate_need { /* a predicate whose truth excludes a path, if it is known in state s */
    const term *predicate;
    const state *s; /* after a step of thread `moved` */
    uint32_t moved;
    bool left_alone; /* the same predicate is known before that step, which changed nothing of it */
    bool again;      /* the same path was excluded before, and came back */
} predicate_need;

typedef struct cegar_variant {
    const explorer *explorer; /* whose name the outcome has */

    /* The scope that such a predicate is added to. */
    uint64_t (*scope_for)(void *data, const predicate_need *need);

    /* The scopes whose predicates count in s after a step of thread `moved`. Those of the first ones are
     * decided by the solver; of the others it is kept what the step left alone. Returns how many
     * the first are. */
    size_t (*scopes_in)(void *data, const state *s, uint32_t moved, scope_list *out);

    bool counts_roots; /* a node also is what a thread begins to run from: the root of its tree */
    void *data;
} cegar_variant;

void cegar_run_variant(machine *m, const explore_options *options, const cegar_variant *variant,
                       outcome *out);

#endif
