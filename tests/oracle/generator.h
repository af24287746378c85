/* Random tiny programs. The same seed and profile give the same program on every machine. */
#ifndef HEDDLE_TESTS_ORACLE_GENERATOR_H
#define HEDDLE_TESTS_ORACLE_GENERATOR_H

#include "tiny.h"

typedef enum profile {
    PROFILE_CONCRETE, /* events and data, no inputs */
    PROFILE_SYMBOLIC, /* the same with inputs */
    PROFILE_TIMING,   /* delays, time-outs, limits, @time */
    PROFILE_SUSPEND,  /* suspend and resume */
    PROFILE_UPDATE,   /* channel updates */
    PROFILE_MEMORY,   /* arrays, pointers, functions, implicit checks */
    PROFILE_LISTING,  /* the listings of the first source document, edited at random */
    PROFILE_MIXED,    /* everything, with inputs */
    PROFILES
} profile;

const char *profile_name(profile p);

typedef struct random_source {
    uint64_t state;
} random_source;

uint64_t random_next(random_source *r);
uint32_t random_below(random_source *r, uint32_t n); /* n > 0 */
bool random_chance(random_source *r, uint32_t percent);

/* What statements and expressions are made of: likelihoods, as weights. */
typedef struct flavour {
    uint8_t assign, update, branch, loop, wait, wait_many, timeout, wait_time, notify, notify_after, cancel, suspend, request, check, assume,
        call, stop;
    uint8_t input, element, pointed, time; /* per cent of expression leaves */
    uint8_t hazard;                        /* per cent of indices and divisors that may be wrong */
} flavour;

typedef struct maker { /* a program in the making */
    tiny_program *p;
    random_source random;
    flavour taste;
    bool limited; /* every start has a limit, so @time may be used */
} maker;

void generate(uint64_t seed, profile which, tiny_program *out); /* `out` holds nothing yet */

/* --- shared with listings.c and mutate.c --------------------------------------------------------------------------------- */

flavour flavour_of(profile which);
uint32_t make_condition(maker *m, uint32_t body);
/* A random statement behind `before`; inside endless loops values must stay bounded. */
uint32_t make_statement(maker *m, uint32_t before, unsigned depth, bool endless);
void make_thread(maker *m);
void make_listing(maker *m);  /* one of the listings as it stands */
void mutate(maker *m);        /* one random edit */

#endif
