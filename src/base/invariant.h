/* Invariants, written as assertions.
 *
 * `assert` is for what costs next to nothing: a comparison or two, at a place that is passed anyway.
 * `slow_assert` is for what goes over lists or computes something again; only builds with HEDDLE_CHECKS have
 * it. What is asserted never changes anything: the normal build has neither. */
#ifndef HEDDLE_BASE_INVARIANT_H
#define HEDDLE_BASE_INVARIANT_H

#include <assert.h>

#ifdef HEDDLE_CHECKS
#define slow_assert(holds) assert(holds)
#else
#define slow_assert(holds) ((void)(0 && (holds)))
#endif

/* Of a function or a variable that nobody needs but assertions. */
#define FOR_ASSERTIONS __attribute__((unused))

#endif
