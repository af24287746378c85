/* What the goals of a survey depend on, read off its steps: conditions under which a step ends in a goal or
 * writes a place that matters already, and what is written there. */
#ifndef HEDDLE_CEGAR_HARVEST_H
#define HEDDLE_CEGAR_HARVEST_H

#include "cegar/internal.h"

typedef struct harvest {
    term_list places, predicates;             /* that matter already, ... */
    term_list found_places, found_predicates; /* ... and that were found to matter since */
    map known;                                /* ids of all of them */
} harvest;

void harvest_free(harvest *h);
void harvest_copy(harvest *to, const harvest *from);

/* A step from an abstract state that nothing was forgotten of yet; `is_goal`: it ends in one. */
void harvest_look(harvest *h, machine *m, const state *from, const successor *s, bool is_goal);

/* What was found matters from now on. False: nothing was. */
bool harvest_take(harvest *h);

/* Everything that matters is kept. */
void harvest_keep(const harvest *h, precision *p);

#endif
