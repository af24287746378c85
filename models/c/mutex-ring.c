// expect: safe
// expect: safe --property deadlock
// expect: safe --property race
//
// A token that goes round three threads. The one who may act is said by a number under a lock; everybody
// is woken after each turn.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 3
#define ROUNDS 1

int turn, acted;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

void *station(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        while (turn != me)
            pthread_cond_wait(&moved, &lock);
        assert(acted == round * N + me);
        acted++;
        turn = (turn + 1) % N;
        pthread_cond_broadcast(&moved);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], 0, station, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    assert(acted == N * ROUNDS);
    return 0;
}
