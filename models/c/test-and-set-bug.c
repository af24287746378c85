// expect: unsafe
//
// A spin lock that tests and sets in two steps.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int busy;
int inside;

void *enter(void *argument) {
    while (busy) {
    }
    busy = 1;
    inside++;
    assert(inside == 1);
    inside--;
    busy = 0;
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
