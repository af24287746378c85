// expect: safe --property deadlock
// expect: unsafe --property deadlock --blocked-at-exit
// expect: safe --property deadlock --blocked-at-exit -DDISMISS
//
// A worker still waits for work when the program ends. That is no deadlock unless asked for.

#include <pthread.h>
#include <stdbool.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
bool dismissed;

void *work(void *argument) {
    pthread_mutex_lock(&lock);
    while (!dismissed) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
#ifdef DISMISS
    pthread_mutex_lock(&lock);
    dismissed = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
#endif
    return 0;
}
