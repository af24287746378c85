// expect: safe
// expect: unsafe -DSTANDS_STILL
// expect: unsafe -DMAY_BE_SET
// expect: safe -DTHREADS
// expect: unsafe -DTHREADS -DASKED_BEFORE
// expect: unknown -DTHREADS -DLOOP
// expect: unsafe -DTHREADS -DLOOP -DASKED_BEFORE
// expect: safe -DPROCESSOR
// expect: safe -DROUNDS
// expect: safe -DNANOSECONDS
// expect: safe --32
//
// A clock that nobody can set never goes back, whichever thread asks, but may stand still. Others may be set. Where
// threads ask in loops exploration does not remember what clocks showed: violations that need one that goes back are
// not confirmed.

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#ifdef MAY_BE_SET
#define CLOCK CLOCK_REALTIME
#else
#define CLOCK CLOCK_MONOTONIC
#endif

static bool is_before(struct timespec a, struct timespec b) {
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec shown;

static void *look(void *unused) {
    struct timespec now;
#ifdef ASKED_BEFORE
    clock_gettime(CLOCK, &now);
#endif
    pthread_mutex_lock(&mutex);
#ifndef ASKED_BEFORE
    clock_gettime(CLOCK, &now);
#endif
    assert(!is_before(now, shown));
    shown = now;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
#if defined THREADS
    pthread_t threads[2];
#ifdef LOOP
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, look, NULL);
#else
    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
#endif
#elif defined PROCESSOR
    clock_t before = clock();
    assert(before <= clock());
#elif defined NANOSECONDS
    look(NULL);
    long before = shown.tv_sec * 1000000000L + shown.tv_nsec;
    look(NULL);
    assert(shown.tv_sec * 1000000000L + shown.tv_nsec - before >= 0);
#elif defined ROUNDS
    for (int k = 0; k < 5; k++)
        look(NULL);
#else
    struct timespec before, after;
    clock_gettime(CLOCK, &before);
    clock_gettime(CLOCK, &after);
    assert(0 <= after.tv_nsec && after.tv_nsec <= 999999999);
#ifdef STANDS_STILL
    assert(is_before(before, after));
#else
    assert(!is_before(after, before));
#endif
#endif
    return 0;
}
