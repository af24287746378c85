/* Fixed-size bit sets over 64-bit words; the caller owns the words. */
#ifndef HEDDLE_BASE_BITS_H
#define HEDDLE_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BITS_WORDS(n) (((n) + 63) / 64)

static inline bool bits_has(const uint64_t *set, size_t i) {
    return set[i / 64] >> i % 64 & 1;
}
static inline void bits_add(uint64_t *set, size_t i) {
    set[i / 64] |= UINT64_C(1) << i % 64;
}
static inline void bits_remove(uint64_t *set, size_t i) {
    set[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* Adds all of `from`; tells whether `set` changed. */
static inline bool bits_join(uint64_t *set, const uint64_t *from, size_t words) {
    uint64_t changed = 0;
    for (size_t w = 0; w < words; w++) {
        changed |= from[w] & ~set[w];
        set[w] |= from[w];
    }
    return changed != 0;
}

static inline bool bits_meet(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t w = 0; w < words; w++)
        if (a[w] & b[w]) return true;
    return false;
}

static inline size_t bits_count(const uint64_t *set, size_t words) {
    size_t n = 0;
    for (size_t w = 0; w < words; w++) n += (size_t)__builtin_popcountll(set[w]);
    return n;
}

#endif
