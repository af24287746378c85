// expect: unsafe
//
// The bakery without telling that one is drawing a number. A customer who has read the numbers but not yet
// written its own is passed over; it then comes in with the same number and the smaller index.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

atomic_int number[N];
int inside;

void *customer(void *argument) {
    int me = (int)(intptr_t)argument, other = 1 - me;
    int mine = number[other] + 1;
    number[me] = mine;
    for (;;) {
        int others = number[other];
        if (others == 0 || others > mine || (others == mine && me < other))
            break;
    }
    inside++;
    assert(inside == 1);
    inside--;
    number[me] = 0;
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], 0, customer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return 0;
}
