// expect: safe
// expect: safe -DEXIT
// expect: unsafe -DTOO_LATE
//
// What runs at the end: handlers of atexit, then functions with the attribute destructor, those of a high
// priority number first.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;

__attribute__((destructor(200))) static void last(void) {
    assert(done++ == 2);
}

__attribute__((destructor(300))) static void first(void) {
    assert(done++ == 1);
}

static void handler(void) {
    assert(done++ == 0);
}

__attribute__((constructor)) static void begin(void) {
    atexit(handler);
}

#ifdef TOO_LATE
__attribute__((destructor)) static void check(void) {
    assert(done == 3);
}
#endif

static void *leave(void *unused) {
#ifdef EXIT
    exit(0);
#endif
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, leave, NULL);
    pthread_join(t, NULL);
    return 0;
}
