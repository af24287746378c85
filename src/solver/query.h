/* A query taken apart: the conjuncts of its conditions, each once, and which of them hang
 * together by symbols. */
#ifndef HEDDLE_SOLVER_QUERY_H
#define HEDDLE_SOLVER_QUERY_H

#include "term/term.h"

typedef struct conjunct {
    const term *t;
    size_t owner;     /* index of the condition it comes from */
    size_t component; /* see slice_components */
} conjunct;

typedef VEC(conjunct) conjunct_list;

/* Numbers attached to terms that all vanish at once. */
typedef struct marks {
    VEC(uint32_t) stamp, number;
    uint32_t now;
} marks;

void marks_forget(marks *m);
void marks_put(marks *m, const term *t, uint32_t number);
bool marks_get(const marks *m, const term *t, uint32_t *number);
void marks_free(marks *m);

/* Adds the conjuncts of one condition that are not yet marked in `seen`, and marks them with their place in
 * the list. Answers false when the conjunction is now plainly contradictory: a false conjunct or a pair a,
 * !a. Then `clash` are the owners of the contradiction (twice the same for a false conjunct). */
bool query_add(conjunct_list *list, marks *seen, const term *condition, size_t owner, size_t clash[2]);

/* Numbers the components of the graph whose nodes are the conjuncts and whose edges are shared symbols, in
 * the order of their first conjunct. Returns how many there are. With `slicing` off everything
 * is one component. */
size_t slice_components(conjunct_list *list, marks *scratch, bool slicing);

#endif
