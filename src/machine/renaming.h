/* Equality of symbolic parts up to a renaming of inputs (ESM): a bijection between the symbols of two states
 * under which all values and both path conditions become identical. Being a bijection between separate
 * namespaces is what makes it sound (α-equivalence). */
#ifndef HEDDLE_MACHINE_RENAMING_H
#define HEDDLE_MACHINE_RENAMING_H

#include "machine/pairs.h"

typedef struct renaming renaming;

renaming *renaming_create(terms *c);
void renaming_destroy(renaming *r);

/* Whether a renaming exists (found greedily: false may be a miss, true is exact). */
bool renaming_match(renaming *r, const value_pairs *pairs, const term *const *path_a, uint32_t count_a,
                    const term *const *path_b, uint32_t count_b);

#endif
