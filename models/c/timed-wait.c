// expect: safe
// expect: safe --property deadlock
// expect: unsafe -DTRUST_THE_CLOCK
//
// A wait with a time limit always ends, with or without a signal; who believes that the signal must have come
// errs.

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int ready;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t go = PTHREAD_COND_INITIALIZER;

void *waiter(void *argument) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    int error = 0;
    pthread_mutex_lock(&lock);
    while (!ready && error == 0)
        error = pthread_cond_timedwait(&go, &lock, &until);
#ifdef TRUST_THE_CLOCK
    assert(ready);
#else
    assert(ready || error == ETIMEDOUT);
#endif
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&go);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
