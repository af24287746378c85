/* Persistent sets of preemptive programs: one thread is enough if no other thread can ever touch what its
 * next step touches.
 *
 * The step itself is executed to see exactly what it touches; what the others may do from where they stand is
 * the static over-approximation of analysis/future.h. If no thread is enough, all enabled ones are taken. */
#ifndef HEDDLE_REDUCTION_AMPLE_H
#define HEDDLE_REDUCTION_AMPLE_H

#include "analysis/analyses.h"
#include "machine/machine.h"

typedef struct ample ample;

ample *ample_create(machine *m, unsigned stops); /* where steps stop: stop_set */
void ample_destroy(ample *a);

/* Index in `enabled` of a transition that is enough on its own from s, or NO_INDEX. A thread that has several
 * there is never enough with one of them. */
uint32_t ample_find(ample *a, const state *s, const transitions *enabled);

#endif
