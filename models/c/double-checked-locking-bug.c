// expect: unsafe
// expect: unsafe --property race
//
// Double-checked locking that publishes the object before it is filled: who comes by the first check sees an
// empty one.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct settings {
    int size;
};

struct settings *shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *settings(void) {
    if (!shared) {
        pthread_mutex_lock(&lock);
        if (!shared) {
            shared = calloc(1, sizeof *shared);
            shared->size = 42;
        }
        pthread_mutex_unlock(&lock);
    }
    return shared;
}

void *use(void *argument) {
    assert(settings()->size == 42);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(shared);
    return 0;
}
