// expect: unsafe
// expect: unsafe --property race
//
// The first attempt at mutual exclusion by flags: each thread looks at the other's flag before it raises its
// own, so both can find the way free.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int wants[2];
int inside;

void *enter(void *argument) {
    int me = (int)(intptr_t)argument, other = 1 - me;
    while (wants[other]) {
    }
    wants[me] = 1;
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enter, (void *)0);
    pthread_create(&b, 0, enter, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
