// expect: safe --property assert
// expect: unsafe --property assert -DNO_CHECK
//
// A ring buffer of four places between two threads, with counters that grow for ever: what was put in less what was
// taken out is never more than there is room for.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PLACES = 4 };
atomic_uint put, taken;

static void *producer(void *unused) {
    for (;;) {
#ifndef NO_CHECK
        while (put - taken == PLACES) {
        }
#endif
        put++;
        assert(put - taken <= PLACES);
    }
    return unused;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, NULL, producer, NULL);
    for (;;) {
        while (put == taken) {
        }
        taken++;
    }
}
