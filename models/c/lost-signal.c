// expect: safe
// expect: unsafe --property deadlock
//
// A wait without a condition that it could test: if the signal comes first, it is lost and the wait never
// ends.

#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t go = PTHREAD_COND_INITIALIZER;

void *waiter(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&go, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&go);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
