/* Arithmetic modulo powers of two. */
#ifndef HEDDLE_TERM_MODULAR_H
#define HEDDLE_TERM_MODULAR_H

#include <stdint.h>

/* The inverse of an odd number modulo 2^64, hence modulo every smaller power. */
static inline uint64_t odd_inverse(uint64_t odd) {
    uint64_t inverse = odd; /* right modulo 2^3; each round doubles the number of right bits */
    for (int round = 0; round < 5; round++) inverse *= 2 - odd * inverse;
    return inverse;
}

#endif
