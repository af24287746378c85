// expect: safe --property assert
// expect: unsafe --property assert -DRACY
//
// A ticket lock of two threads that never stop. Tickets grow for ever (and begin again at 0); what matters is
// how far they are apart.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next, now;
int inside;

static unsigned draw(void) {
#ifdef RACY
    unsigned mine = next;
    next = mine + 1;
    return mine;
#else
    return atomic_fetch_add(&next, 1);
#endif
}

static void *worker(void *unused) {
    for (;;) {
        unsigned mine = draw();
        while (now != mine) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        now++;
    }
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, worker, NULL);
    worker(NULL);
}
