"""Clocks and sleep."""


def fill(table):
    row = table.row
    table.include("time.h", "sys/time.h", "unistd.h", "sched.h", "stdlib.h")

    @row("sleep", ("return 0", "return seconds + 1"))
    def sleep(c):
        c.exact("sleep(0)")
        c.exact_errno()

    @row("usleep", ("return 0", "return 1"))
    def usleep(c):
        c.exact(f"usleep({c.pick(0, 1, 9)})")
        c.exact_errno()

    def duration(c):
        """Short, or none at all."""
        return c.pick(f"{{0, {c.number(0, 99)}}}", "{0, 1000000000}", "{0, -1}", "{-1, 0}", f"{{0, {c.number(0, 99)}}}")

    @row("nanosleep", ("? 0", "? 1"), cases=12)
    def nanosleep(c):
        c.line(f"struct timespec t = {duration(c)}, left = {{5, 6}};")
        c.exact(f"nanosleep(&t, {c.pick('0', '&left')})")
        c.exact("left.tv_sec * 10 + left.tv_nsec")
        c.exact_errno()

    @row("clock_nanosleep", ("? 0", "? 1"), cases=24)
    def clock_nanosleep(c):
        c.line(f"struct timespec t = {duration(c)}, left = {{5, 6}};")
        c.exact(f"clock_nanosleep({c.pick(0, 1, 3, 4, 5, 6, 7, 10, 11, 12, 99, -1)}, {c.pick('0', 'TIMER_ABSTIME')}, &t, {c.pick('0', '&left')})")
        c.exact("left.tv_sec * 10 + left.tv_nsec")
        c.exact_errno()

    @row("sched_yield", ("return 0", "return 1"))
    def sched_yield(c):
        c.exact("sched_yield()")

    @row("time", ("*result = now", "*result = now + 1"))
    def time(c):
        c.line("time_t t = 0, r = time(&t);")
        c.possible("r")
        c.promise("t == r && t >= 0")
        c.possible("time(0)")

    @row("clock", ("now < last, last, now", "now < last, now, last"), cases=2)
    def clock(c):
        c.line("clock_t r = clock(), s = clock();")
        c.possible("r")
        c.promise("0 <= r && r <= s")

    @row("clock_gettime", ("time_of(clock)", "unknown_time(NANOSECONDS)"), cases=6)
    def clock_gettime(c):
        clock = (1, 0, 2, 4, 5, 11)[c.index % 6]
        c.line("struct timespec t = {-1, -1}, later = {-1, -1};")
        c.exact(f"clock_gettime({clock}, &t)")
        if clock not in (0, 5, 11):  # which may be set
            c.exact(f"clock_gettime({clock}, &later)")
            c.promise("t.tv_sec < later.tv_sec || (t.tv_sec == later.tv_sec && t.tv_nsec <= later.tv_nsec)")
            c.possible("later.tv_nsec")
        c.possible("t.tv_sec")
        c.possible("t.tv_nsec")
        c.promise("0 <= t.tv_nsec && t.tv_nsec < 1000000000")
        c.exact(f"clock_gettime({c.pick(99, 1000, 10, 12, -1)}, &t)")
        c.exact_errno()

    # Of each pair the first, asked before, never shows more than the second.
    def fill_order(name, pairs, *mutant):
        @row(f"clock_gettime.{name}", mutant, cases=len(pairs))
        def clocks_in_order(c):
            first, second = pairs[c.index % len(pairs)]
            c.line("struct timespec a, b;")
            c.exact(f"clock_gettime({first}, &a)")
            c.exact(f"clock_gettime({second}, &b)")
            c.promise("a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec <= b.tv_nsec)")

    fill_order("since_boot", [(1, 7)], "boot_time", "plus(monotonic_time(),", "plus(later_time(CLOCK_RAW, 0),")
    fill_order("tick_and_boot", [(6, 7)], "boot_time", "plus(monotonic_time(),", "plus(later_time(CLOCK_RAW, 0),")
    fill_order("only_boot", [(7, 7)], "boot_time", "later_time(CLOCK_BOOTTIME, 0)", "unknown_time(NANOSECONDS)")
    fill_order("coarse", [(6, 1)], "coarse_time", "monotonic_time()", "later_time(CLOCK_RAW, 0)")
    fill_order("only_coarse", [(6, 6)], "coarse_time", "later_time(CLOCK_MONOTONIC_COARSE, 0)", "unknown_time(NANOSECONDS)")
    fill_order("processor", [(3, 2)], "process_time", "later_time(CLOCK_THREAD, 0)", "later_time(CLOCK_RAW, 0)")
    fill_order("only_thread", [(3, 3)], "thread_time", "later_time(CLOCK_THREAD, __heddle_self())", "unknown_time(NANOSECONDS)")

    @row("timespec_get", ("return base", "return base + 1"))
    def timespec_get(c):
        c.line("struct timespec t = {-1, -1};")
        c.exact("timespec_get(&t, TIME_UTC)")
        c.possible("t.tv_sec")
        c.promise("0 <= t.tv_nsec && t.tv_nsec < 1000000000")
        c.exact(f"timespec_get(&t, {c.pick(0, -1, 77)})")

    @row("gettimeofday", ("zone[1] = 0", "zone[0]"))
    def gettimeofday(c):
        c.line("struct timeval t = {-1, -1};")
        c.line("struct timezone zone = {3, 4};")
        c.exact(f"gettimeofday(&t, {c.pick('0', '&zone')})")
        c.exact("zone.tz_minuteswest * 10 + zone.tz_dsttime")
        c.possible("t.tv_sec")
        c.promise("0 <= t.tv_usec && t.tv_usec < 1000000")

    @row("_ZNSt6chrono3_V212steady_clock3nowEv", ("now = shown", "now = 0"), "long long steady_now(void) __asm__(\"_ZNSt6chrono3_V212steady_clock3nowEv\");\n", cases=1)
    def steady_clock(c):
        c.line("long long a = steady_now(), b = steady_now();")
        c.possible("a")
        c.promise("a <= b")

    @row("_ZNSt6chrono3_V212system_clock3nowEv", ("unknown_nanoseconds()", "-1"), "long long system_now(void) __asm__(\"_ZNSt6chrono3_V212system_clock3nowEv\");\n")
    def system_clock(c):
        c.line("long long a = system_now();")
        c.possible("a")
