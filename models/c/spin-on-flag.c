// expect: safe
// expect: safe --property race
// expect: unsafe --property race -DPLAIN
//
// Waiting for a flag in a loop. With an atomic flag the data behind it is safe; with a plain one it is a
// race, even if nothing goes wrong when every step happens in some order.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef PLAIN
volatile int ready;
#else
atomic_int ready;
#endif
int data;

void *produce(void *argument) {
    data = 42;
    ready = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    while (!ready) {
    }
    assert(data == 42);
    pthread_join(thread, 0);
    return 0;
}
