#include "common/campaign.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

campaign campaign_begin(void) {
    return (campaign){.seed = 1, .count = UINT64_MAX, .profile = -1, .output = "."};
}

void campaign_end(campaign *c) {
    for (size_t i = 0; i < c->reasons.size; i++) mem_free(c->reasons.data[i].text);
    vec_free(&c->reasons);
}

/* --- options -------------------------------------------------------------------------------------------- */

int campaign_number(const char *name, const char *(*name_of)(int number), int count) {
    for (int k = 0; k < count; k++)
        if (!strcmp(name, name_of(k))) return k;
    return -1;
}

static bool take_flag(campaign *c, const char *option) {
    if (!strcmp(option, "--keep-going"))
        c->keep_going = true;
    else if (!strcmp(option, "--show"))
        c->show = true;
    else
        return false;
    return true;
}

static bool take_option(campaign *c, const char *option, const char *value, const campaign_options *more) {
    if (!strcmp(option, "--seed"))
        c->seed = strtoull(value, NULL, 10);
    else if (!strcmp(option, "--count"))
        c->count = strtoull(value, NULL, 10);
    else if (!strcmp(option, "--time") || !strcmp(option, "--seconds")) /* the name that fuzzers use */
        c->seconds = strtod(value, NULL);
    else if (!strcmp(option, "--output"))
        c->output = value;
    else if (!strcmp(option, "--profile"))
        c->profile = campaign_number(value, more->profile_name, more->profiles);
    else
        return false;
    return strcmp(option, "--profile") || c->profile >= 0 || !strcmp(value, "all");
}

bool campaign_take(campaign *c, int argc, char **argv, const campaign_options *more, void *driver) {
    for (int i = 1; i < argc; i++) {
        if (take_flag(c, argv[i]) || (more->take_flag && more->take_flag(driver, argv[i]))) continue;
        if (i + 1 >= argc) return false;
        if (!take_option(c, argv[i], argv[i + 1], more) && !more->take_option(driver, argv[i], argv[i + 1]))
            return false;
        i++;
    }
    return true;
}

/* --- one program after the other ------------------------------------------------------------------------ */

void campaign_run(const campaign *c, uint64_t usual, bool (*test)(void *driver, uint64_t seed),
                  void *driver) {
    uint64_t count = c->seconds <= 0 && c->count == UINT64_MAX ? usual : c->count;
    double started = clock_wall();
    for (uint64_t k = 0; k < count; k++) {
        if (c->seconds > 0 && clock_wall() - started > c->seconds) break;
        if (!test(driver, c->seed + k)) break;
    }
}

/* --- reasons -------------------------------------------------------------------------------------------- */

void campaign_count_reason(campaign *c, const char *text, size_t length, uint64_t seed) {
    for (size_t i = 0; i < c->reasons.size; i++)
        if (strlen(c->reasons.data[i].text) == length && !strncmp(c->reasons.data[i].text, text, length)) {
            c->reasons.data[i].times++;
            return;
        }
    campaign_reason r = {mem_alloc(length + 1), 1, seed};
    memcpy(r.text, text, length);
    r.text[length] = 0;
    vec_push(&c->reasons, r);
}

void campaign_print_reasons(const campaign *c, const char *before) {
    for (size_t i = 0; i < c->reasons.size; i++)
        printf("%s%s: %llu times, first with seed %llu\n", before, c->reasons.data[i].text,
               (unsigned long long)c->reasons.data[i].times, (unsigned long long)c->reasons.data[i].seed);
}
