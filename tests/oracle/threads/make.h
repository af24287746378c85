/* Random trees. The same seed and profile give the same program on every machine. */
#ifndef HEDDLE_TESTS_ORACLE_THREADS_MAKE_H
#define HEDDLE_TESTS_ORACLE_THREADS_MAKE_H

#include "base/hash.h"
#include "tree.h"

typedef enum profile {
    PROFILE_DATA,     /* globals, arrays, branches, loops */
    PROFILE_LOCKS,    /* mutexes, also in the wrong order */
    PROFILE_SIGNALS,  /* condition variables and semaphores */
    PROFILE_ATOMICS,  /* compare-and-swap, fetch-and-add, spin loops */
    PROFILE_SECTION,  /* atomic sections with assumptions and assertions in them */
    PROFILE_MEMORY,   /* heap, published locals, pointers, indices that may be wrong */
    PROFILE_INPUTS,   /* unknown values in indices, conditions and lock words */
    PROFILE_CUT,      /* executions that end early: assumptions, exit, abort, many assertions */
    PROFILE_NESTED,   /* threads that create and join threads, results, calls */
    PROFILE_LIBRARY,  /* read-write locks, barriers, once, spin locks, recursive and checking mutexes */
    PROFILE_CALLS,    /* recursion, pointers to functions, copies of arrays and structures */
    PROFILE_C11,      /* _Atomic variables, compare-exchange, weak and strong */
    PROFILE_SPIN,     /* loops that change something and put it back, and who looks at that */
    PROFILE_SYMBOLIC, /* unknown values wherever they can be */
    PROFILE_MIXED,
    PROFILES
} profile;

const char *profile_name(profile p);

typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t dice_next(dice *d) {
    return hash_mix(d->state += UINT64_C(0x9e3779b97f4a7c15));
}

typedef struct taste { /* weights of statements */
    uint8_t assign, change, branch, spin, loop, rounds, lock, trylock, wait, signal, semaphore, create,
        section, fetch, exchange, cas, load, store, assume, assert, leave, input, call, heap, point, rwlock,
        barrier, once, copy, hook, blink, look;
    uint8_t element, follow; /* per cent of places */
    uint8_t kinds;           /* per cent of mutexes that are not normal */
    uint8_t c11;             /* per cent of globals that are _Atomic */
    uint8_t endless;         /* per cent of spin loops without exit */
    uint8_t hazard;          /* per cent of indices and pointers that may be wrong */
} taste;

typedef struct maker { /* a program in the making */
    program_tree *p;
    dice random;
    taste taste;
    uint32_t body;
    unsigned loops;
    bool in_section;
} maker;

void make_tree(uint64_t seed, profile which, program_tree *out); /* `out` holds nothing yet */

/* --- shared by the files that make programs ------------------------------------------------------------- */

static inline uint32_t below(maker *m, uint32_t n) {
    return (uint32_t)(dice_next(&m->random) >> 33) % n;
}
static inline bool chance(maker *m, uint32_t percent) {
    return below(m, 100) < percent;
}

uint32_t make_number(maker *m, int32_t n);
uint32_t make_local(maker *m); /* a number local of the body */
uint32_t make_place(maker *m); /* a number in shared memory, mostly */
uint32_t make_value(maker *m, unsigned depth);
uint32_t make_condition(maker *m);
uint32_t make_pointer(maker *m);
uint32_t make_pointer_variable(maker *m);

void make_list(maker *m, uint32_t before, unsigned count, unsigned depth);

#endif
