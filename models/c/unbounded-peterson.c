// expect: safe --property assert
// expect: unsafe --property assert -DSWAPPED
//
// Peterson's algorithm for two threads that never stop and count how often they were in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int inside;
unsigned visits[2];

static void enter(int me) {
    int other = 1 - me;
    for (;;) {
#ifdef SWAPPED
        turn = other;
        wants[me] = 1;
#else
        wants[me] = 1;
        turn = other;
#endif
        while (wants[other] && turn == other) {
        }
        inside++;
        assert(inside == 1);
        visits[me]++;
        inside--;
        wants[me] = 0;
    }
}

void *first(void *argument) {
    enter(0);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    enter(1);
    return 0;
}
