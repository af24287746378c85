// expect: safe
// expect: unsafe -DTWICE
// expect: unsafe -DTWICE --property misuse
// expect: unsafe -DTWICE --property assert
// expect: unsafe -DDETACH_TWICE
// expect: unsafe -DJOIN_DETACHED
// expect: unsafe -DJOIN_DETACHED -DFOR_EVER
// expect: unsafe -DATTRIBUTE
// expect: unsafe -DTWO_JOINERS --engine dpor
// expect: unsafe -DTWO_JOINERS --engine search
// expect: unsafe -DTWO_JOINERS --engine lazypor
// expect: unsafe -DDETACHES_ITSELF --engine dpor
// expect: unsafe -DDETACHES_ITSELF --engine search
// expect: safe -DDETACHES_ITSELF --property deadlock
// note: misuse of the library
//
// A thread is joined or detached once. Doing it again is undefined; where misuses are not asked for, glibc may say
// that it is an error, so that an assertion on the result fails.

#include <assert.h>
#include <pthread.h>

static int done;

static void *work(void *argument) {
    done = 1;
#ifdef DETACHES_ITSELF
    pthread_detach(pthread_self());
#endif
#ifdef FOR_EVER
    for (;;) __atomic_load_n(&done, __ATOMIC_SEQ_CST);
#endif
    return argument;
}

static void *join(void *thread) {
    pthread_join(*(pthread_t *)thread, NULL);
    return NULL;
}

int main(void) {
    pthread_t worker;
    pthread_attr_t *attributes = NULL;
#ifdef ATTRIBUTE
    pthread_attr_t detached;
    attributes = &detached;
    pthread_attr_init(attributes);
    pthread_attr_setdetachstate(attributes, PTHREAD_CREATE_DETACHED);
#endif
    pthread_create(&worker, attributes, work, &done);
#ifdef TWO_JOINERS
    pthread_t joiner;
    pthread_create(&joiner, NULL, join, &worker);
#else
    (void)join;
#endif
#if defined DETACH_TWICE || defined JOIN_DETACHED
    assert(pthread_detach(worker) == 0);
#endif
#ifdef DETACH_TWICE
    assert(pthread_detach(worker) == 0);
#else
    void *result = NULL;
    int error = pthread_join(worker, &result);
#ifndef DETACHES_ITSELF
    assert(error == 0);
#endif
    assert(error || (done == 1 && result == &done));
#ifdef TWICE
    assert(pthread_join(worker, NULL) == 0);
#endif
#endif
#ifdef TWO_JOINERS
    pthread_join(joiner, NULL);
#endif
    return 0;
}
