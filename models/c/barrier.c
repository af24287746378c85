// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
//
// Two phases with a barrier between them: in the second one each thread reads what its neighbour wrote in the
// first. One thread of each round is told that it is the serial one.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 2

pthread_barrier_t barrier;
int written[N], serial;

void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    written[me] = me + 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    assert(written[(me + 1) % N] == (me + 1) % N + 1);
    pthread_barrier_wait(&barrier);
    assert(serial == 1);
    return 0;
}

int main(void) {
    pthread_t thread[N];
    pthread_barrier_init(&barrier, 0, N);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
