/* Time passes as it likes: sleeping orders nothing, since every schedule is considered, and every clock
 * shows an unknown time. Clocks that nobody can set never go back, for no thread. Exploration remembers what
 * they showed if a program does not ask often (__heddle_few_clocks); violations are confirmed with
 * times that never go back in any case (explore/laws.h). */
#include "models.h"

struct seconds_and_parts { /* timespec, timeval */
    long seconds, parts;
};

/* Numbers of clocks on Linux. Those of processes are negative, others come from devices. */
enum {
    CLOCK_MONOTONIC = 1,
    CLOCK_PROCESS = 2,
    CLOCK_THREAD = 3,
    CLOCK_RAW = 4,
    CLOCK_MONOTONIC_COARSE = 6,
    CLOCK_BOOTTIME = 7,
    CLOCK_REALTIME_ALARM = 8,
    CLOCK_BOOTTIME_ALARM = 9,
    CLOCK_GONE = 10,
    CLOCKS = 12,
    SUSPENDED = CLOCKS, /* how long the machine was, which nobody can ask for */
    OF_OTHERS,          /* what threads other than main have had of the processor, likewise */
    ALL_CLOCKS
};

enum { NANOSECONDS = 1000000000, MICROSECONDS = 1000000 };

/* Time since 1970 or since the machine was started: the kernel has signed nanoseconds in 64 bits. */
static long unknown_seconds(const char *name) {
    if (sizeof(long) == 4) return (long)(__heddle_input_32(name) >> 1);
    return (long)(__heddle_input_64(name) >> 31);
}

unsigned sleep(unsigned seconds) {
    (void)seconds;
    return 0;
}

/* glibc takes a million and more, too. */
int usleep(unsigned microseconds) {
    (void)microseconds;
    return 0;
}

CALLERS_ACCESS static int is_duration(const struct seconds_and_parts *t) {
    long seconds = t->seconds, parts = t->parts;
    return seconds >= 0 && parts >= 0 && parts < NANOSECONDS;
}

/* Nothing interrupts it, so `remaining` is never written. */
CALLERS_ACCESS int nanosleep(const struct seconds_and_parts *duration, struct seconds_and_parts *remaining) {
    (void)remaining;
    return is_duration(duration) ? 0 : fail(EINVAL);
}

CALLERS_ACCESS int clock_nanosleep(int clock, int flags, const struct seconds_and_parts *duration,
                                   struct seconds_and_parts *remaining) {
    (void)flags, (void)remaining;
    if (clock < -1) __heddle_unsupported("clock_nanosleep with the clock of a process");
    if (clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
        __heddle_unsupported("clock_nanosleep with an alarm");
    if (clock < 0 || clock >= CLOCKS || clock == CLOCK_THREAD || clock == CLOCK_GONE) return EINVAL;
    if (clock >= CLOCK_RAW && clock < CLOCK_BOOTTIME) return EOPNOTSUPP;
    return is_duration(duration) ? 0 : EINVAL;
}

int sched_yield(void) {
    return 0;
}

CALLERS_ACCESS long time(long *result) {
    long now = unknown_seconds("time");
    __heddle_print(PRINT_HANDED, now);
    if (result) *result = now;
    return now;
}

/* --- clocks that may be set ----------------------------------------------------------------------------- */

/* Greater numbers become the last part of a second, so that order is kept. */
static long part_of_second(unsigned drawn, unsigned parts_per_second) {
    return (long)__heddle_select_32(drawn < parts_per_second, drawn, parts_per_second - 1);
}

static struct seconds_and_parts unknown_time(unsigned parts_per_second) {
    struct seconds_and_parts now = {.seconds = unknown_seconds("seconds")};
    now.parts = part_of_second(__heddle_input_32("part of a second"), parts_per_second);
    return now;
}

/* --- clocks that never go back -------------------------------------------------------------------------- */

/* How often: a loop that asks would never come back to a state, and long sums are hard to compare. */
enum { MOST_SUMS = 4, MOST_REMEMBERED = 16 };

struct shown {
    struct seconds_and_parts last;
    unsigned often;
};

/* NULL: nobody remembers it. Each thread has a clock of its own. */
static struct shown *memory_of(int clock, thread_number thread) {
    static struct shown shown[ALL_CLOCKS], shown_to[MOST_THREADS];
    if (clock != CLOCK_THREAD) return &shown[clock];
    return thread < MOST_THREADS ? &shown_to[thread] : NULL;
}

/* Sums, so that what programs compute of two times differs by what has passed, and no solver has to find that
 * out. The sum of all stays within what clocks can show. */
static void add_what_passed(struct shown *s) {
    const long most = sizeof(long) == 4 ? 0x7fffffff - 2 * MOST_REMEMBERED : (long)(1ull << 33);
    long passed = (long)__heddle_input_word_between("seconds passed", 0,
                                                    (unsigned long)(most + s->often - s->last.seconds));
    long part = part_of_second(__heddle_input_32("part of a second passed"), NANOSECONDS);
    long carry = s->last.parts + part >= NANOSECONDS;
    s->last.seconds += passed + carry;
    s->last.parts += part - carry * NANOSECONDS;
    s->often++;
}

static struct seconds_and_parts not_before(struct seconds_and_parts last, struct seconds_and_parts drawn) {
    struct seconds_and_parts now;
    _Bool back =
        (drawn.seconds < last.seconds) | ((drawn.seconds == last.seconds) & (drawn.parts < last.parts));
    now.seconds = (long)__heddle_select_word(back, (unsigned long)last.seconds, (unsigned long)drawn.seconds);
    now.parts = (long)__heddle_select_word(back, (unsigned long)last.parts, (unsigned long)drawn.parts);
    return now;
}

static struct seconds_and_parts drawn_later(int clock, thread_number thread) {
    unsigned whose = clock == CLOCK_THREAD ? (unsigned)thread * ALL_CLOCKS : 0;
    struct seconds_and_parts now = {.seconds = unknown_seconds("seconds")};
    unsigned part =
        __heddle_input_32_after("part of a second", whose + (unsigned)clock, (unsigned long)now.seconds);
    now.parts = part_of_second(part, NANOSECONDS);
    return now;
}

static struct seconds_and_parts later_time(int clock, thread_number thread) {
    struct shown *s = __heddle_few_clocks ? memory_of(clock, thread) : NULL;
    if (!s) return drawn_later(clock, thread);
    __heddle_atomic_begin();
    struct seconds_and_parts now;
    if (s->often < MOST_SUMS) {
        add_what_passed(s);
        now = s->last;
    } else {
        now = not_before(s->last, drawn_later(clock, thread));
        if (s->often < MOST_REMEMBERED) {
            s->last = now;
            s->often++;
        }
    }
    __heddle_atomic_end();
    return now;
}

/* --- clocks that tell of each other --------------------------------------------------------------------- */

/* Bits of __heddle_clocks. */
enum {
    MONOTONIC = 1 << CLOCK_MONOTONIC,
    COARSE = 1 << CLOCK_MONOTONIC_COARSE,
    SINCE_BOOT = 1 << CLOCK_BOOTTIME | 1 << CLOCK_BOOTTIME_ALARM,
    STEADY = CLOCKS_STEADY
};

static _Bool is_asked(unsigned some) {
    return (__heddle_clocks & some) != 0;
}

/* Within what clocks can show: else sums of nanoseconds would overflow that never do. */
static struct seconds_and_parts plus(struct seconds_and_parts a, struct seconds_and_parts b) {
    const long most = sizeof(long) == 4 ? 0x3fffffff : (long)(1ull << 32);
    long carry = a.parts + b.parts >= NANOSECONDS;
    __heddle_assume(a.seconds < most && b.seconds < most);
    return (struct seconds_and_parts){a.seconds + b.seconds + carry, a.parts + b.parts - carry * NANOSECONDS};
}

static struct seconds_and_parts earlier_of(struct seconds_and_parts a, struct seconds_and_parts b) {
    struct seconds_and_parts later = not_before(a, b);
    _Bool is_b = (later.seconds == b.seconds) & (later.parts == b.parts);
    return (struct seconds_and_parts){
        (long)__heddle_select_word(is_b, (unsigned long)a.seconds, (unsigned long)b.seconds),
        (long)__heddle_select_word(is_b, (unsigned long)a.parts, (unsigned long)b.parts)};
}

static struct seconds_and_parts monotonic_time(void) {
    return later_time(CLOCK_MONOTONIC, 0);
}

/* The monotonic clock and how long the machine was suspended. */
static struct seconds_and_parts boot_time(void) {
    if (!is_asked(MONOTONIC | COARSE | STEADY)) return later_time(CLOCK_BOOTTIME, 0);
    __heddle_atomic_begin();
    struct seconds_and_parts now = plus(monotonic_time(), later_time(SUSPENDED, 0));
    __heddle_atomic_end();
    return now;
}

/* What the monotonic clock has shown at its last tick. */
static struct seconds_and_parts coarse_time(void) {
    if (!is_asked(MONOTONIC | SINCE_BOOT | STEADY)) return later_time(CLOCK_MONOTONIC_COARSE, 0);
    __heddle_atomic_begin();
    struct seconds_and_parts now = earlier_of(later_time(CLOCK_MONOTONIC_COARSE, 0), monotonic_time());
    __heddle_atomic_end();
    return now;
}

/* What main has had of the processor, and what the others have had. */
static struct seconds_and_parts process_time(void) {
    if (!is_asked(1 << CLOCK_THREAD)) return later_time(CLOCK_PROCESS, 0);
    __heddle_atomic_begin();
    struct seconds_and_parts now = plus(later_time(CLOCK_THREAD, 0), later_time(OF_OTHERS, 0));
    __heddle_atomic_end();
    return now;
}

static struct seconds_and_parts thread_time(void) {
    if (__heddle_self() && is_asked(1 << CLOCK_PROCESS))
        __heddle_unsupported("CLOCK_THREAD_CPUTIME_ID of a thread beside CLOCK_PROCESS_CPUTIME_ID");
    return later_time(CLOCK_THREAD, __heddle_self());
}

static struct seconds_and_parts time_of(int clock) {
    switch (clock) {
    case CLOCK_MONOTONIC: return monotonic_time();
    case CLOCK_MONOTONIC_COARSE: return coarse_time();
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM: return boot_time();
    case CLOCK_PROCESS: return process_time();
    case CLOCK_THREAD: return thread_time();
    case CLOCK_RAW: return later_time(CLOCK_RAW, 0);
    default: return unknown_time(NANOSECONDS);
    }
}

/* Of the processor that the process has had, approximately: no other clock tells of it. */
static unsigned long drawn_ticks(void) {
    if (sizeof(long) == 4) return __heddle_input_32_after("clock", 0, 0) >> 1;
    return (unsigned long)(__heddle_input_64_after("clock", 0, 0) >> 1);
}

long clock(void) {
    static unsigned long last;
    static unsigned often;
    if (!__heddle_few_clocks) return (long)drawn_ticks();
    __heddle_atomic_begin();
    unsigned long now = drawn_ticks();
    now = __heddle_select_word(now < last, last, now);
    if (often < MOST_REMEMBERED) {
        often++;
        last = now;
    }
    __heddle_atomic_end();
    return (long)now;
}

/* --- asking --------------------------------------------------------------------------------------------- */

CALLERS_ACCESS static void hand_out(struct seconds_and_parts *result, struct seconds_and_parts now) {
    __heddle_print(PRINT_HANDED, now.seconds, now.parts);
    *result = now;
}

/* Only computers with a clock that wakes them up have. */
static _Bool has_alarms(void) {
    return __heddle_input_32_of("clocks that wake the computer up", 0) & 1;
}

CALLERS_ACCESS int clock_gettime(int clock, struct seconds_and_parts *result) {
    if (clock < -1) __heddle_unsupported("clock_gettime with the clock of a process");
    if (clock < 0 || clock >= CLOCKS || clock == CLOCK_GONE) return fail(EINVAL);
    if ((clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM) && !has_alarms())
        return fail(EINVAL);
    hand_out(result, time_of(clock));
    return 0;
}

CALLERS_ACCESS int timespec_get(struct seconds_and_parts *result, int base) {
    if (base != 1) return 0;
    hand_out(result, unknown_time(NANOSECONDS));
    return base;
}

/* Zones are 0, wherever one is. */
CALLERS_ACCESS int gettimeofday(struct seconds_and_parts *result, int *zone) {
    if (result) hand_out(result, unknown_time(MICROSECONDS));
    if (zone) zone[0] = zone[1] = 0;
    return 0;
}

/* Clocks of <chrono>, in nanoseconds. Programs add durations to what they show: 146 years are
 * left for that. */
static long long unknown_nanoseconds(void) {
    return (long long)(__heddle_input_64("nanoseconds") >> 2);
}

/* CLOCK_MONOTONIC. */
long long _ZNSt6chrono3_V212steady_clock3nowEv(void) {
    static long long shown;
    if (is_asked(MONOTONIC | COARSE | SINCE_BOOT)) {
        const long most = sizeof(long) == 4 ? 0x7fffffff : (long)(1ull << 32);
        struct seconds_and_parts now = monotonic_time();
        __heddle_assume(now.seconds < most);
        return (long long)now.seconds * NANOSECONDS + now.parts;
    }
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
