/* Persistent sets of threads for preemptive programs: which of the enabled threads are enough to go on with.
 *
 * A set is closed under two rules. A thread that can go on brings in every thread that may ever touch (itself
 * or through threads it creates; reads and writes told apart) what its next step touches. A thread that
 * cannot brings in whoever may let it go on: writers of the cell it waits for, the thread it joins. What the
 * next step touches is found by executing it; what threads may ever touch is analysis/future.h. Both hold for
 * every state that a partly unknown one stands for.
 *
 * The ignoring problem on cycles is the explorer's to solve. */
#ifndef HEDDLE_REDUCTION_THREAD_SETS_H
#define HEDDLE_REDUCTION_THREAD_SETS_H

#include "machine/machine.h"
#include "reduction/relevance.h"

typedef struct thread_sets thread_sets;

thread_sets *thread_sets_create(machine *m, unsigned stops); /* where steps stop: stop_set */
void thread_sets_destroy(thread_sets *p);

/* The smallest closed set that holds `taken` (bit i: transition i of `enabled`; 0: that begins with any one
 * thread), as such bits. At most 64 transitions. `matters` NULL: every object does. `relied` gets the objects
 * that had to be left out of account for it, without duplicates. */
uint64_t thread_sets_compute(thread_sets *p, const state *s, const transitions *enabled, uint64_t taken,
                             const relevance *matters, object_list *relied);

/* What the next step of a thread touches, as far as others could notice. False: not known, or it
 * cannot go on. */
bool thread_sets_next_effect(thread_sets *p, const state *s, uint32_t thread, effect *out);

#endif
