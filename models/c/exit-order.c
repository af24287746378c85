// expect: unsafe
//
// exit ends the whole program, but only from its moment on: the worker can have failed before.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int stage;

void *worker(void *argument) {
    assert(stage == 1);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    stage = 1;
    exit(0);
}
