// expect: unsafe --property deadlock
// expect: unsafe --property deadlock --engine search
// expect: unsafe --property deadlock --engine search --order bfs
// expect: unsafe --property deadlock --engine search --visited compact
// expect: safe --property deadlock -DIN_ORDER
// expect: unsafe --property deadlock -DONE_WORKER
// expect: safe --property deadlock -DONE_WORKER -DRELEASES
// expect: safe --property deadlock -DONE_WORKER -DRELEASES --engine search --order bfs
// expect: unsafe --property deadlock -DONE_WORKER -DRELEASES -DREQUESTS=3
// expect: unsafe --property deadlock -DPOLLS
// expect: safe --property deadlock -DPOLLS -DRELEASES
// expect: safe --property deadlock -DPOLLS -DENDS
//
// A server goes on for ever, as its requests will have it, while its workers are blocked, or one of them polls a
// variable: for ever, unless some request helps. With REQUESTS=3 the helpful one never comes.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

#ifndef REQUESTS
#define REQUESTS 6
#endif

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;
unsigned request;

void *first(void *unused) {
#if defined(POLLS)
    while (!ready) ;
#else
    pthread_mutex_lock(&a);
#ifndef ONE_WORKER
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
#endif
    pthread_mutex_unlock(&a);
#endif
    return unused;
}

void *second(void *unused) {
#ifdef IN_ORDER
    return first(unused);
#else
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
#endif
}

static void serve(void) {
    switch (request) {
    case 1: // looks at the lock, and leaves it as it was
        if (!pthread_mutex_trylock(&b)) pthread_mutex_unlock(&b);
        break;
    case 5:
#ifdef ENDS
        exit(0);
#endif
#ifdef RELEASES
        ready = 1;
#ifdef ONE_WORKER
        pthread_mutex_unlock(&a);
        pthread_mutex_lock(&a);
#endif
#endif
        break;
    }
}

int main(void) {
    pthread_t one, other;
#ifdef ONE_WORKER
    pthread_mutex_lock(&a);
#endif
    pthread_create(&one, 0, first, 0);
#if !defined(ONE_WORKER) && !defined(POLLS)
    pthread_create(&other, 0, second, 0);
#endif
    for (;;) {
        request = __VERIFIER_nondet_uint() % REQUESTS;
        serve();
    }
}
