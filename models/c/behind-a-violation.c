// expect: unsafe --property memory
// expect: unsafe --property assert
// expect: unsafe --property assert --engine dpor --por source
// expect: unsafe --property assert --engine lazypor
// expect: unsafe --property assert --engine search --por none
// expect: unsafe --property assert --engine search --por ample
// expect: unsafe --property assert -DCREATED
// expect: unsafe --property assert -DCREATED --engine lazypor
// expect: unsafe --property assert -DCREATED --engine search
//
// One thread divides by zero, which ends it. Whoever has seen what it wrote before, or was created by it, goes on all the same.
#include <assert.h>
#include <pthread.h>

int written;

static void *divide(void *arg) {
    int zero = 0;
    (void)arg;
    written = 1;
    return (void *)(long)(1 / zero);
}

static void *fail(void *arg) {
    assert(arg);
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef CREATED
    int zero = 0;
    pthread_create(&thread, 0, fail, 0);
    return 1 / zero;
#else
    pthread_create(&thread, 0, divide, 0);
    if (written) fail(0);
    return 0;
#endif
}
