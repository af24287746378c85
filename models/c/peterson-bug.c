// expect: unsafe
//
// Peterson's algorithm with its two first writes swapped: both threads can give way before either has raised
// its flag, and both enter.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2], turn;
int inside;

void *enter(void *argument) {
    int me = argument != 0, other = 1 - me;
    turn = other;
    flag[me] = 1;
    while (flag[other] && turn == other) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    flag[me] = 0;
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
