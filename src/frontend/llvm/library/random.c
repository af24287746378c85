/* Random numbers. Those of rand and random are unknown, but the same seed gives the same sequence again; the
 * two are one generator, as in glibc. A program that never says a seed, or says one once, needs no memory of
 * it (__heddle_seeds). drand48 and lrand48 are what POSIX says: a sequence of 48 bits. */
#include "models.h"

enum { MOST_SEEDS = 4, MOST_NUMBERS = 32 };

struct sequence {
    unsigned seed;
    unsigned length; /* of what is known */
    int comes_again; /* it was begun more than once */
    int numbers[MOST_NUMBERS];
};

static struct sequence sequences[MOST_SEEDS] = {{.seed = 1}}; /* as if srand(1) had been called */
static unsigned sequence_count = 1, running, at;
static int has_seed, drew_without;

static int unknown_number(void) {
    return (int)(__heddle_input_32("rand") & 0x7fffffffu);
}

/* The next number of the sequence that runs. */
static int next_number(void) {
    struct sequence *s = &sequences[running];
    if (at == MOST_NUMBERS) {
        if (s->comes_again) __heddle_unsupported("more than 32 random numbers with a seed that comes again");
        return unknown_number();
    }
    if (at == s->length) s->numbers[s->length++] = unknown_number();
    return s->numbers[at++];
}

int rand(void) {
    if (__heddle_seeds == SEEDS_NONE) return unknown_number();
    if (__heddle_seeds == SEEDS_ONCE) {
        if (!has_seed) drew_without = 1;
        return unknown_number();
    }
    __heddle_atomic_begin();
    int number = next_number();
    __heddle_atomic_end();
    return number;
}

long random(void) {
    return rand();
}

static void begin_sequence(unsigned seed) {
    unsigned k = 0;
    while (k < sequence_count && sequences[k].seed != seed) k++;
    if (k == MOST_SEEDS) __heddle_unsupported("more than 4 seeds of random numbers");
    if (k < sequence_count) {
        sequences[k].comes_again = 1;
    } else {
        sequences[k].seed = seed;
        sequence_count++;
    }
    running = k;
    at = 0;
}

void srand(unsigned seed) {
    if (seed == 0) seed = 1; /* glibc */
    if (__heddle_seeds == SEEDS_ONCE) {
        if (drew_without && seed == 1) __heddle_unsupported("srand(1) after rand");
        has_seed = 1;
        return;
    }
    __heddle_atomic_begin();
    begin_sequence(seed);
    __heddle_atomic_end();
}

void srandom(unsigned seed) {
    srand(seed);
}

/* Here a seed is a number of the caller's, and all that comes of it is a function of it. Exploration knows
 * that of the first few calls only, and only if the program makes no more: to remember calls costs states.
 * Violations are confirmed with numbers that are a function, whoever remembers them. */
enum { MOST_REMEMBERED = 16 };

struct from_seed {
    unsigned seed, next, number;
};

static struct from_seed remembered[MOST_REMEMBERED];
static unsigned remembered_count;

static void recall(struct from_seed *now) {
    __heddle_atomic_begin();
    for (unsigned k = 0; k < remembered_count; k++) {
        const struct from_seed *then = &remembered[k];
        _Bool again = then->seed == now->seed;
        now->next = __heddle_select_32(again, then->next, now->next);
        now->number = __heddle_select_32(again, then->number, now->number);
    }
    if (remembered_count < MOST_REMEMBERED) remembered[remembered_count++] = *now;
    __heddle_atomic_end();
}

CALLERS_ACCESS int rand_r(unsigned *seed) {
    struct from_seed now = {.seed = *seed};
    now.next = __heddle_input_32_of("seed", now.seed);
    now.number = __heddle_input_32_of("rand", now.seed) & 0x7fffffffu;
    if (__heddle_few_rand_r) recall(&now);
    *seed = now.next;
    return (int)now.number;
}

static unsigned long long sequence48;
static int has_seed48;

static unsigned long long next48(void) {
    return sequence48 = (sequence48 * 0x5deece66dull + 0xb) & 0xffffffffffffull;
}

long lrand48(void) {
    return has_seed48 ? (long)(next48() >> 17) : unknown_number();
}

double drand48(void) {
    if (!has_seed48) __heddle_unsupported("drand48 without a seed");
    return (double)next48() * 0x1p-48;
}

void srand48(long seed) {
    sequence48 = (unsigned long long)(unsigned)seed << 16 | 0x330e;
    has_seed48 = 1;
}
