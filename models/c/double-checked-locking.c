// expect: safe
// expect: safe --property race
//
// Double-checked locking with an atomic pointer: the object is complete before its address can be seen, and
// made only once.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    int size;
};

_Atomic(struct settings *) shared;
int made;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *settings(void) {
    struct settings *s = shared;
    if (s)
        return s;
    pthread_mutex_lock(&lock);
    s = shared;
    if (!s) {
        s = malloc(sizeof *s);
        s->size = 42;
        made++;
        shared = s;
    }
    pthread_mutex_unlock(&lock);
    return s;
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
    assert(made == 1);
    free(shared);
    return 0;
}
