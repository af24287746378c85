// expect: unsafe -DOBJECT=1
// expect: unsafe -DOBJECT=2
// expect: unsafe -DOBJECT=3
// expect: unsafe -DOBJECT=4
// expect: unsafe -DOBJECT=5
// expect: unsafe -DOBJECT=5 --32
// expect: unsafe -DOBJECT=6
// expect: unsafe -DOBJECT=7
// expect: safe -DOBJECT=1 --property assert
// expect: safe -DOBJECT=2 --property assert
// expect: safe -DOBJECT=3 --property assert
// expect: safe -DOBJECT=4 --property assert
// expect: safe -DOBJECT=5 --property assert
// expect: safe -DOBJECT=7 --property assert
// expect: safe
//
// Use after destruction: a misuse, though glibc goes on as if nothing had happened with most of them. The barrier that
// is destroyed (6) was freed before.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#ifndef OBJECT
#define OBJECT 0
#endif

int main(void) {
    static pthread_cond_t condition;
    static pthread_rwlock_t lock;
    static pthread_spinlock_t spin;
    static pthread_attr_t attributes;
    pthread_barrier_t *barrier = malloc(sizeof *barrier);
    sem_t semaphore;
    int error = 0;
    pthread_barrier_init(barrier, NULL, 1);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    pthread_attr_init(&attributes);

    if (OBJECT == 6) free(barrier);
    pthread_barrier_destroy(barrier);
    pthread_cond_destroy(&condition);
    pthread_rwlock_destroy(&lock);
    pthread_spin_destroy(&spin);
    sem_destroy(&semaphore);
    pthread_attr_destroy(&attributes);

    if (OBJECT == 1) error = pthread_cond_signal(&condition);
    if (OBJECT == 2) error = pthread_rwlock_rdlock(&lock);
    if (OBJECT == 3) error = pthread_spin_lock(&spin);
    if (OBJECT == 4) error = sem_wait(&semaphore);
    if (OBJECT == 5) error = pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD;
    if (OBJECT == 7) error = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
    assert(error == 0);
    return 0;
}
