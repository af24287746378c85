/* Which static objects matter at present to an explorer that abstracts: those that some state of it says
 * something about. While nothing at all is known of an object, steps that meet only there can change places:
 * whoever reads it finds any value, whatever the other one wrote. The set only ever grows. */
#ifndef HEDDLE_REDUCTION_RELEVANCE_H
#define HEDDLE_REDUCTION_RELEVANCE_H

#include "base/bits.h"
#include "program/effect.h"

typedef VEC(uint32_t) object_list;

typedef struct relevance {
    uint64_t *matters; /* bit per static object */
    uint32_t objects;
    uint32_t version;   /* grows with the set */
    bool all_are_plain; /* no access orders memory, and effects do not say that they are plain */
} relevance;

/* Cells that order memory (locks, atomics) always matter, as does whatever has no name of its own. */
static inline bool relevance_ignores(const relevance *r, const access *a) {
    return r && a->kind <= ACCESS_UPDATE && a->name < r->objects && (a->plain || r->all_are_plain) &&
           !bits_has(r->matters, a->name);
}

/* Effects that conflict even so. */
static inline bool relevance_conflict(const relevance *r, const effect *a, const effect *b) {
    for (size_t i = 0; i < a->size; i++) {
        if (relevance_ignores(r, &a->data[i])) continue;
        for (size_t j = 0; j < b->size; j++)
            if (!relevance_ignores(r, &b->data[j]) && access_conflict(&a->data[i], &b->data[j])) return true;
    }
    return false;
}

#endif
