// expect: safe
// expect: safe --property race
// traces: 1
//
// Arguments, results and identities of threads: through return, through pthread_exit from a nested call, and a
// thread that makes another one and waits for it.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(intptr_t result) {
    pthread_exit((void *)result);
}

void *child(void *argument) {
    if (argument)
        leave((intptr_t)argument * 2);
    return (void *)7;
}

void *parent(void *argument) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, child, argument);
    assert(!pthread_equal(thread, pthread_self()));
    pthread_join(thread, &result);
    return (void *)((intptr_t)result + 1);
}

int main(void) {
    pthread_t a, b;
    void *x, *y;
    pthread_create(&a, 0, parent, (void *)20);
    pthread_create(&b, 0, parent, 0);
    assert(!pthread_equal(a, b));
    pthread_join(a, &x);
    pthread_join(b, &y);
    assert((intptr_t)x == 41 && (intptr_t)y == 8);
    return 0;
}
