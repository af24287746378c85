/* Time passes as it likes: sleeping orders nothing, since every schedule is considered, and every clock
 * shows an unknown time. */
#include "models.h"

struct seconds_and_parts { /* timespec, timeval */
    long seconds, parts;
};

enum { CLOCKS = 12 };

static long unknown_long(const char *name) {
    return sizeof(long) == 8 ? (long)__heddle_input_64(name) : (long)__heddle_input_32(name);
}

unsigned sleep(unsigned seconds) {
    (void)seconds;
    return 0;
}

int usleep(unsigned microseconds) {
    (void)microseconds;
    return 0;
}

int nanosleep(const struct seconds_and_parts *duration, struct seconds_and_parts *remaining) {
    (void)duration, (void)remaining;
    return 0;
}

int clock_nanosleep(int clock, int flags, const struct seconds_and_parts *duration,
                    struct seconds_and_parts *remaining) {
    (void)clock, (void)flags, (void)duration, (void)remaining;
    return 0;
}

int sched_yield(void) {
    return 0;
}

CALLERS_ACCESS long time(long *result) {
    long now = unknown_long("time");
    if (result) *result = now;
    return now;
}

long clock(void) {
    return unknown_long("clock");
}

CALLERS_ACCESS static void unknown_time(struct seconds_and_parts *result, unsigned parts_per_second) {
    result->seconds = unknown_long("seconds");
    result->parts = (long)(__heddle_input_32("part of a second") % parts_per_second);
}

CALLERS_ACCESS int clock_gettime(int clock, struct seconds_and_parts *result) {
    if (clock < 0 || clock >= CLOCKS) return fail(EINVAL);
    unknown_time(result, 1000000000u);
    return 0;
}

CALLERS_ACCESS int timespec_get(struct seconds_and_parts *result, int base) {
    if (base != 1) return 0;
    unknown_time(result, 1000000000u);
    return base;
}

CALLERS_ACCESS int gettimeofday(struct seconds_and_parts *result, void *zone) {
    (void)zone;
    if (result) unknown_time(result, 1000000u);
    return 0;
}

/* Clocks of <chrono>, in nanoseconds. Programs add durations to what they show: 146 years are left for that.
 */
static long long unknown_nanoseconds(void) {
    return (long long)(__heddle_input_64("nanoseconds") >> 2);
}

/* This one never goes back, for no thread. */
long long _ZNSt6chrono3_V212steady_clock3nowEv(void) {
    static long long shown;
    __heddle_atomic_begin();
    long long now = unknown_nanoseconds();
    if (now < shown) now = shown;
    shown = now;
    __heddle_atomic_end();
    return now;
}

long long _ZNSt6chrono3_V212system_clock3nowEv(void) {
    return unknown_nanoseconds();
}
