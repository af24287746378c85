/* What every driver of an oracle does: programs from one seed to the next until the time or the number is up,
 * the options that all of them take, and why answers were unknown. Knows nothing of programs. */
#ifndef HEDDLE_TESTS_ORACLE_CAMPAIGN_H
#define HEDDLE_TESTS_ORACLE_CAMPAIGN_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct campaign_reason {
    char *text;
    uint64_t times, seed; /* of the first program with it */
} campaign_reason;

typedef struct campaign {
    uint64_t seed, count; /* UINT64_MAX: not told */
    double seconds;       /* 0: no limit */
    int profile;          /* -1: all in turn */
    const char *output;   /* folder for disagreements */
    bool keep_going, show;
    VEC(campaign_reason) reasons;
} campaign;

campaign campaign_begin(void);
void campaign_end(campaign *c);

typedef struct campaign_options { /* of one driver, beside those of all; NULL: none */
    bool (*take_flag)(void *driver, const char *option);
    bool (*take_option)(void *driver, const char *option, const char *value);
    const char *(*profile_name)(int number);
    int profiles;
} campaign_options;

/* False: there is something wrong with an argument. */
bool campaign_take(campaign *c, int argc, char **argv, const campaign_options *more, void *driver);

/* The number below `count` that has this name, or -1. */
int campaign_number(const char *name, const char *(*name_of)(int number), int count);

/* Calls `test` with one seed after the other, as often as told or `usual` times if nothing was told, until it
 * says no. */
void campaign_run(const campaign *c, uint64_t usual, bool (*test)(void *driver, uint64_t seed), void *driver);

/* Why an answer was unknown: the first `length` characters. */
void campaign_count_reason(campaign *c, const char *text, size_t length, uint64_t seed);
void campaign_print_reasons(const campaign *c, const char *before);

#endif
