// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
//
// pthread_rwlock_t: two readers and a writer that keeps two cells equal.

#include <assert.h>
#include <pthread.h>

int low, high;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *argument) {
    pthread_rwlock_rdlock(&lock);
    assert(low == high);
    pthread_rwlock_unlock(&lock);
    return argument;
}

void *writer(void *argument) {
    pthread_rwlock_wrlock(&lock);
    low = 7;
    high = 7;
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b, w;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(w, 0);
    pthread_rwlock_destroy(&lock);
    return 0;
}
