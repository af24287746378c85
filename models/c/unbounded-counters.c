// expect: safe --property assert
// expect: safe --engine cegar --property assert --domain cartesian
// expect: unsafe --property assert -DFORGETFUL
//
// Two counters grow in step under a lock, for ever: only that they are equal is worth knowing.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

unsigned in, out;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *count(void *argument) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        in++;
#ifndef FORGETFUL
        out++;
#endif
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(in == out);
        pthread_mutex_unlock(&lock);
    }
}
