// expect: unsafe --property race
// expect: safe --property race --memory-model sc -DEXCLUSIVE
//
// Locks of readers order readers and writers, not one reader and another, also if they hold it one after the
// other: the relaxed flag makes sure of that here.

#include <pthread.h>
#include <stdatomic.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int record;
atomic_int done;

#ifdef EXCLUSIVE
#define TAKE() pthread_rwlock_wrlock(&lock)
#else
#define TAKE() pthread_rwlock_rdlock(&lock)
#endif

void *changer(void *unused) {
    TAKE();
    record = 1;
    pthread_rwlock_unlock(&lock);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, changer, NULL);
    if (atomic_load_explicit(&done, memory_order_relaxed)) {
        TAKE();
        seen = record;
        pthread_rwlock_unlock(&lock);
    }
    return seen < 0;
}
