// expect: safe
// expect: unsafe --property deadlock
// expect: safe --property deadlock -DLAST_IS_LEFT_HANDED
// expect: unsafe --property deadlock --engine search --order bfs --visited compact --chain 3
//
// Three dining philosophers who each take the left fork first can all hold one and wait for the other. One
// left-handed philosopher among them breaks the circle.

#include <pthread.h>
#include <stdint.h>

#define N 3

pthread_mutex_t fork_of[N];

void *philosopher(void *argument) {
    int me = (int)(intptr_t)argument;
    int first = me, second = (me + 1) % N;
#ifdef LAST_IS_LEFT_HANDED
    if (me == N - 1) {
        first = 0;
        second = me;
    }
#endif
    pthread_mutex_lock(&fork_of[first]);
    pthread_mutex_lock(&fork_of[second]);
    pthread_mutex_unlock(&fork_of[second]);
    pthread_mutex_unlock(&fork_of[first]);
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_of[i], 0);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], 0, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return 0;
}
