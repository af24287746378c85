// expect: safe
// expect: unsafe -DSUSPENDED
// expect: safe -DCOARSE
// expect: unsafe -DCOARSE -DLAST_TICK
// expect: safe -DPROCESSOR
// expect: unsafe -DPROCESSOR -DOTHERS
// expect: unknown -DPROCESSOR -DOF_THREAD
// expect: safe --32
//
// Some clocks tell of each other. CLOCK_BOOTTIME is CLOCK_MONOTONIC and how long the machine was suspended;
// CLOCK_MONOTONIC_COARSE is what CLOCK_MONOTONIC showed at its last tick; main has had no more of the processor than
// the whole process.

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static struct timespec ask(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now;
}

static bool is_before(struct timespec a, struct timespec b) {
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

static struct timespec of_thread;

static void *work(void *unused) {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &of_thread);
    return unused;
}

int main(void) {
#if defined COARSE
#ifdef LAST_TICK
    struct timespec before = ask(CLOCK_MONOTONIC);
    assert(!is_before(ask(CLOCK_MONOTONIC_COARSE), before));
#else
    struct timespec before = ask(CLOCK_MONOTONIC_COARSE);
    assert(!is_before(ask(CLOCK_MONOTONIC), before));
#endif
#elif defined PROCESSOR
#ifdef OF_THREAD
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
#else
    work(NULL);
#endif
    struct timespec of_process = ask(CLOCK_PROCESS_CPUTIME_ID);
#ifdef OTHERS
    assert(!is_before(of_thread, of_process));
#else
    assert(!is_before(of_process, of_thread));
#endif
#elif defined SUSPENDED
    struct timespec since_boot = ask(CLOCK_BOOTTIME);
    assert(!is_before(ask(CLOCK_MONOTONIC), since_boot));
#else
    struct timespec monotonic = ask(CLOCK_MONOTONIC);
    assert(!is_before(ask(CLOCK_BOOTTIME), monotonic));
#endif
    return 0;
}
