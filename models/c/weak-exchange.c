// expect: safe
// expect: safe --property race
// expect: unsafe -DONCE
// expect: safe --no-spurious-wakeups -DONCE
//
// A weak compare-and-exchange may fail although the value is the expected one: who tries only once must not
// rely on it, not even without any other thread.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets;

static void *draw(void *unused) {
    int seen = tickets;
    while (!atomic_compare_exchange_weak(&tickets, &seen, seen + 1)) {
    }
    return unused;
}

int main(void) {
    draw(NULL);
#ifdef ONCE
    int seen = 1;
    assert(atomic_compare_exchange_weak(&tickets, &seen, 2));
#else
    pthread_t a, b;
    pthread_create(&a, NULL, draw, NULL);
    pthread_create(&b, NULL, draw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(tickets == 3);
#endif
}
