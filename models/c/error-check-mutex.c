// expect: safe
// expect: safe --property deadlock
//
// An error-checking mutex tells its holder that it has it, and others that they have not.

#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

void *other(void *argument) {
    assert(pthread_mutex_unlock(&lock) == EPERM);
    int error = pthread_mutex_trylock(&lock);
    assert(error == 0 || error == EBUSY);
    if (error == 0)
        assert(pthread_mutex_unlock(&lock) == 0);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    assert(pthread_mutex_unlock(&lock) == 0);
    pthread_join(thread, 0);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return 0;
}
