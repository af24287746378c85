/* Recent models. A conjunction that an old model satisfies needs no solver. */
#ifndef HEDDLE_SOLVER_MODELS_H
#define HEDDLE_SOLVER_MODELS_H

#include "base/map.h"
#include "term/term.h"

enum { MODELS_KEPT = 64, MODELS_TRIED = 16 };

typedef struct model {
    valuation *values;
    map truth; /* id of a condition -> whether it holds, for those asked so far */
} model;

typedef struct models {
    model kept[MODELS_KEPT];
    size_t newest, count;
} models;

void models_free(models *m);

/* Takes the valuation over and answers with its place. */
const valuation *models_add(models *m, valuation *values);

/* A kept model of all conditions, newest first, or NULL. Only models that know the last condition's first
 * symbol are tried: others belong to unrelated queries. */
const valuation *models_find(models *m, terms *c, const term *const *conditions, size_t count);

#endif
