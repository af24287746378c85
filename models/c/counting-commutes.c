// expect: safe
// expect: safe --property race
// traces: 1
//
// Three threads count without looking at what was there: additions commute, so all their orders are one execution.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int events;
static int flags;

static void *count(void *bit) {
    events += 2;
    atomic_fetch_sub(&events, 1);
    __atomic_fetch_or(&flags, *(int *)bit, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    static int bits[] = {1, 2, 4};
    pthread_t threads[3];
    for (int k = 0; k < 3; k++) pthread_create(&threads[k], NULL, count, &bits[k]);
    for (int k = 0; k < 3; k++) pthread_join(threads[k], NULL);
    assert(events == 3 && flags == 7);
}
