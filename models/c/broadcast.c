// expect: safe
// expect: safe --property deadlock
// expect: safe --no-spurious-wakeups
// expect: unsafe --property deadlock -DWAKE=pthread_cond_signal
//
// A starting signal for two runners. A broadcast reaches both; with a mere signal one of them can be left
// behind.

#include <assert.h>
#include <pthread.h>

#ifndef WAKE
#define WAKE pthread_cond_broadcast
#endif

int started, runners;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t go = PTHREAD_COND_INITIALIZER;

void *run(void *argument) {
    pthread_mutex_lock(&lock);
    while (!started)
        pthread_cond_wait(&go, &lock);
    runners++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_mutex_lock(&lock);
    started = 1;
    WAKE(&go);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(runners == 2);
    return 0;
}
