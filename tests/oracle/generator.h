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
    PROFILE_LISTING,  /* the listings of [1] in docs/algorithms.md, edited at random */
    PROFILE_MIXED,    /* everything, with inputs */
    PROFILE_CUT,      /* paths that end early: assumptions and implicit checks, many assertions */
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
    uint8_t assign, update, branch, loop, wait, wait_many, timeout, wait_time, notify, notify_after, cancel,
        suspend, request, check, assume, call, stop, heap;
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

/* --- shared by the files that make programs ------------------------------------------------------------- */

static inline uint32_t below(maker *m, uint32_t n) {
    return random_below(&m->random, n);
}
static inline bool chance(maker *m, uint32_t percent) {
    return random_chance(&m->random, percent);
}

flavour flavour_of(profile which);
bool may_be_wrong(maker *m); /* an index or divisor */

/* make_expression.c: expressions over what `body` can see */
uint32_t make_number(maker *m, int32_t n);
uint32_t make_binary(maker *m, tiny_operator op, uint32_t a, uint32_t b);
uint32_t make_global(maker *m, uint32_t body, unsigned depth); /* a scalar or an element */
uint32_t make_leaf(maker *m, uint32_t body, unsigned depth);
uint32_t make_value(maker *m, uint32_t body, unsigned depth);
uint32_t make_condition(maker *m, uint32_t body);
uint32_t make_delay(maker *m, uint32_t body);
bool is_variable(const maker *m, uint32_t expr);
int32_t find_local(maker *m, uint32_t body, bool pointer); /* -1: there is none */
uint32_t make_pointer(maker *m, uint32_t body);            /* a pointer variable, or TINY_NONE */
tiny_type pointed_type(const maker *m, uint32_t body, uint32_t pointer);
uint32_t value_globals(const maker *m); /* pointers come behind them */

/* make_statement.c: random statements behind a given one; inside endless loops values must stay bounded */
uint32_t make_statement(maker *m, uint32_t before, unsigned depth, bool endless);
void make_list(maker *m, uint32_t before, unsigned count, unsigned depth, bool endless);
void fill_some_wait(maker *m, uint32_t statement, uint32_t body); /* turns it into a wait */

/* generator.c, listings.c, mutate.c: whole programs */
void make_thread(maker *m);
unsigned listing_count(void);
void make_listing(maker *m, unsigned which); /* one of the listings as it stands */
void mutate(maker *m);                       /* one random edit */

#endif
