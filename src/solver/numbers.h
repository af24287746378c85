/* Sets of numbers of one width as few intervals. Not every set fits: then `too_many` is set and the contents
 * mean nothing. */
#ifndef HEDDLE_SOLVER_NUMBERS_H
#define HEDDLE_SOLVER_NUMBERS_H

#include "term/term.h"

enum { INTERVALS = 24 };

typedef struct interval {
    uint64_t low, high; /* both included */
} interval;

typedef struct number_set {
    interval part[INTERVALS]; /* ascending, disjoint, not adjacent */
    unsigned count;
    bool too_many;
} number_set;

number_set numbers_all(uint64_t mask);
/* So many from the first on, with 0 behind the mask; 0 < length <= mask. */
number_set numbers_circular(uint64_t first, uint64_t length, uint64_t mask);
number_set numbers_complement(const number_set *a, uint64_t mask);
number_set numbers_intersection(const number_set *a, const number_set *b);
number_set numbers_union(const number_set *a, const number_set *b, uint64_t mask);
number_set numbers_moved(const number_set *a, uint64_t distance, uint64_t mask); /* each n as n + distance */
number_set numbers_negated(const number_set *a, uint64_t mask);

/* The numbers of the narrower width whose extension is in the set. */
number_set numbers_before_extension(const number_set *a, unsigned width, unsigned narrow_width,
                                    bool is_signed);

#endif
