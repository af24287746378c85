// expect: safe
// expect: unsafe -DBOTH_COUNT
//
// Two threads hand a ball to and fro for ever. No execution ends, but there are only a few states: the search
// with stored states finds a proof.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t left_may, right_may;
int ball; // 0 at the left, 1 at the right

void *left(void *argument) {
    for (;;) {
        sem_wait(&left_may);
        assert(ball == 0);
        ball = 1;
        sem_post(&right_may);
#ifdef BOTH_COUNT
        sem_post(&left_may);
#endif
    }
    return argument;
}

void *right(void *argument) {
    for (;;) {
        sem_wait(&right_may);
        assert(ball == 1);
        ball = 0;
        sem_post(&left_may);
    }
    return argument;
}

int main(void) {
    pthread_t a, b;
    sem_init(&left_may, 0, 1);
    sem_init(&right_may, 0, 0);
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
