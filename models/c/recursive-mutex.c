// expect: safe
// expect: safe --property deadlock
// expect: safe --property race
// expect: unsafe --property deadlock -DKIND=PTHREAD_MUTEX_NORMAL
//
// A function that takes a lock calls another one that takes it too. The mutex must be recursive; a normal one
// blocks its own holder for ever.

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

#ifndef KIND
#define KIND PTHREAD_MUTEX_RECURSIVE
#endif

pthread_mutex_t lock;
int counter;

static void increase(void) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
}

static void increase_twice(void) {
    pthread_mutex_lock(&lock);
    int before = counter;
    increase();
    increase();
    assert(counter == before + 2);
    pthread_mutex_unlock(&lock);
}

void *work(void *argument) {
    increase_twice();
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, KIND);
    pthread_mutex_init(&lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4);
    pthread_mutex_destroy(&lock);
    return 0;
}
