// expect: unsafe
// expect: safe --no-spurious-wakeups
//
// A wait that is not in a loop is right only as long as nothing but a signal ends it. POSIX allows more.

#include <assert.h>
#include <pthread.h>

int ready;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t go = PTHREAD_COND_INITIALIZER;

void *waiter(void *argument) {
    pthread_mutex_lock(&lock);
    if (!ready)
        pthread_cond_wait(&go, &lock);
    assert(ready);
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
