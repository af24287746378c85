// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
//
// Dekker's algorithm for two threads: who does not have the turn takes back its wish while the other one is
// interested.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int wants[2], turn;
int inside;

void *enter(void *argument) {
    int me = (int)(intptr_t)argument, other = 1 - me;
    wants[me] = 1;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me) {
            }
            wants[me] = 1;
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = other;
    wants[me] = 0;
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
