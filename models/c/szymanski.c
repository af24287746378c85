// expect: safe
// expect: safe --property race
//
// Szymanski's algorithm for two threads: a waiting room with two doors. 1: wants in, 2: waits for others to
// come in, 3: stands in the door, 4: the door behind is closed.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int stage[2];
int inside;

void *enter(void *argument) {
    int me = (int)(intptr_t)argument, other = 1 - me;
    stage[me] = 1;
    while (stage[other] >= 3) {
    }
    stage[me] = 3;
    if (stage[other] == 1) {
        stage[me] = 2;
        while (stage[other] != 4) {
        }
    }
    stage[me] = 4;
    if (me == 1)
        while (stage[other] >= 2) {
        }
    inside++;
    assert(inside == 1);
    inside--;
    if (me == 0)
        for (;;) {
            int others = stage[other];
            if (others < 2 || others > 3)
                break;
        }
    stage[me] = 0;
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
