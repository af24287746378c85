#include "solver/models.h"

#include "base/invariant.h"

static void drop(model *old) {
    valuation_destroy(old->values);
    map_free(&old->truth);
    old->values = NULL;
}

void models_free(models *m) {
    for (size_t i = 0; i < MODELS_KEPT; i++) drop(&m->kept[i]);
    *m = (models){0};
}

const valuation *models_add(models *m, valuation *values) {
    assert(values && m->count <= MODELS_KEPT);
    m->newest = (m->newest + 1) % MODELS_KEPT;
    if (m->count < MODELS_KEPT) m->count++;
    drop(&m->kept[m->newest]);
    m->kept[m->newest].values = values;
    return values;
}

static bool holds(model *candidate, terms *c, const term *condition) {
    uint64_t known = map_get(&candidate->truth, condition->id);
    if (known == MAP_NONE) {
        known = term_evaluate(c, condition, candidate->values);
        map_put(&candidate->truth, condition->id, known);
    }
    assert(known <= 1);
    slow_assert(known == term_evaluate(c, condition, candidate->values));
    return known;
}

/* From the back: the newest condition is the one most likely to fail. */
static bool satisfies_all(model *candidate, terms *c, const term *const *conditions, size_t count) {
    while (count)
        if (!holds(candidate, c, conditions[--count])) return false;
    return true;
}

const valuation *models_find(models *m, terms *c, const term *const *conditions, size_t count) {
    assert(count && conditions[count - 1]->support->size);
    const term *witness = conditions[count - 1]->support->symbol[0];
    size_t tried = 0;
    for (size_t i = 0; i < m->count && tried < MODELS_TRIED; i++) {
        model *candidate = &m->kept[(m->newest + MODELS_KEPT - i) % MODELS_KEPT];
        uint64_t value;
        if (!valuation_get(candidate->values, witness, &value)) continue;
        tried++;
        if (satisfies_all(candidate, c, conditions, count)) return candidate->values;
    }
    return NULL;
}
