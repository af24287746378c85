// expect: safe
// expect: unknown -DSTALE
// expect: unknown -DSMALLER
// expect: unknown -DELSEWHERE
// expect: unknown -DDETACHED
// expect: unsafe -DSAME
//
// The identity of a thread that was joined may be given to one that is created later. A counterexample never uses one
// again, so what fails only then is unknown. Threads that live at the same time have different identities, and nobody
// has main's. Where another thread joins than the one that creates, or threads are detached, which of the two comes
// first is left open, and so is the answer.

#include <assert.h>
#include <pthread.h>

static pthread_t last, main_thread;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *remember(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
#if defined(ELSEWHERE) || defined(DETACHED)
    assert(!last || !pthread_equal(last, pthread_self()));
#endif
    assert(!pthread_equal(main_thread, pthread_self()));
    last = pthread_self();
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *run_one(void *unused) {
    pthread_t inner;
    pthread_create(&inner, NULL, remember, NULL);
    pthread_join(inner, NULL);
    return unused;
}

int main(void) {
    main_thread = pthread_self();
    pthread_t one, two;
#ifdef DETACHED
    pthread_create(&one, NULL, remember, NULL);
    pthread_detach(one);
#elif defined(ELSEWHERE)
    pthread_create(&one, NULL, run_one, NULL);
#else
    pthread_create(&one, NULL, remember, NULL);
    pthread_join(one, NULL);
    assert(pthread_equal(one, last));
#endif
    pthread_create(&two, NULL, remember, NULL);
#ifdef STALE
    assert(!pthread_equal(one, two));
#endif
#ifdef SMALLER
    assert(one < two || two < one);
#endif
#ifdef SAME
    assert(pthread_equal(one, two));
#endif
    pthread_join(two, NULL);
#ifdef ELSEWHERE
    pthread_join(one, NULL);
#endif
    (void)run_one;
    return 0;
}
