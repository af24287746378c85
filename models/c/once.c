// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
//
// pthread_once: the routine has run exactly once, and completely, when any of the calls returns.

#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int low, high;

static void initialise(void) {
    low++;
    high++;
}

void *use(void *argument) {
    pthread_once(&once, initialise);
    assert(low == 1 && high == 1);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
