// expect: safe
// expect: safe --property deadlock
// expect: safe --property race
//
// Three dining philosophers and a butler, a semaphore that lets only two of them sit down at a time. Each
// fork is in one hand at most.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#define N 3

pthread_mutex_t fork_of[N];
int holder[N];
sem_t seats;

static void take(int fork, int me) {
    pthread_mutex_lock(&fork_of[fork]);
    assert(holder[fork] == 0);
    holder[fork] = me + 1;
}

static void put_back(int fork) {
    holder[fork] = 0;
    pthread_mutex_unlock(&fork_of[fork]);
}

void *philosopher(void *argument) {
    int me = (int)(intptr_t)argument;
    sem_wait(&seats);
    take(me, me);
    take((me + 1) % N, me);
    put_back((me + 1) % N);
    put_back(me);
    sem_post(&seats);
    return 0;
}

int main(void) {
    pthread_t thread[N];
    sem_init(&seats, 0, N - 1);
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_of[i], 0);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], 0, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return 0;
}
