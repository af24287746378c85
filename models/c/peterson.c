// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
// expect: safe --property deadlock --engine search --visited compact --chain 100
// expect: unknown --engine search --visited compact-unconfirmed
//
// Peterson's algorithm for two threads, each entering twice. With sequentially consistent atomics it gives
// mutual exclusion; the waiting loop writes nothing, so it is explored as a wait.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2], turn;
int inside;

void *enter(void *argument) {
    int me = argument != 0, other = 1 - me;
    for (int round = 0; round < 2; round++) {
        flag[me] = 1;
        turn = other;
        while (flag[other] && turn == other) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        flag[me] = 0;
    }
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
