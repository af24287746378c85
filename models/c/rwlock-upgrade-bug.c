// expect: safe
// expect: unsafe --property deadlock
//
// A reader that wants to become a writer without letting go of the lock waits for itself, and nobody else gets
// the lock for writing either.

#include <pthread.h>

int counter;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *increase_if_small(void *argument) {
    pthread_rwlock_rdlock(&lock);
    if (counter < 10) {
        pthread_rwlock_wrlock(&lock);
        counter++;
    }
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increase_if_small, 0);
    pthread_create(&b, 0, increase_if_small, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
