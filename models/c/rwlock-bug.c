// expect: unsafe
// expect: unsafe --property race
//
// Two threads increase a counter while they hold the lock for reading only.

#include <assert.h>
#include <pthread.h>

int counter;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *increase(void *argument) {
    pthread_rwlock_rdlock(&lock);
    counter++;
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increase, 0);
    pthread_create(&b, 0, increase, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
