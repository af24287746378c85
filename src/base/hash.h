/* 64-bit hashing. Deterministic across runs: never fed with addresses. */
#ifndef HEDDLE_BASE_HASH_H
#define HEDDLE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Finaliser of splitmix64: a bijection that spreads every input bit over the word. */
static inline uint64_t hash_mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Order-dependent combination. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b) {
    return hash_mix(a * UINT64_C(0x9e3779b97f4a7c15) + b + UINT64_C(0x2545f4914f6cdd1d));
}

static inline uint64_t hash_bytes(const void *bytes, size_t length) {
    const unsigned char *p = bytes;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return hash_mix(h ^ length);
}

#endif
