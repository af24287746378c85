// expect: safe --property assert
//
// A pair of numbers under a read-write lock is replaced for ever, and never seen half new.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int left, right;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *replace(void *argument) {
    for (;;) {
        int n = __VERIFIER_nondet_int();
        pthread_rwlock_wrlock(&lock);
        left = n;
        right = n;
        pthread_rwlock_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, replace, 0);
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        assert(left == right);
        pthread_rwlock_unlock(&lock);
    }
}
