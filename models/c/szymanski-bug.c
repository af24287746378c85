// expect: unsafe
//
// Szymanski's algorithm without the last wait: among those behind the closed door nobody goes first.

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
    inside++;
    assert(inside == 1);
    inside--;
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
