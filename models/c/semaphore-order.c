// expect: safe
// expect: safe --property deadlock
// expect: safe --property race
// traces: 1
//
// Semaphores that make three threads act in turn: first, second, third.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t second_may, third_may;
int step;

void *first(void *argument) {
    assert(step == 0);
    step = 1;
    sem_post(&second_may);
    return argument;
}

void *second(void *argument) {
    sem_wait(&second_may);
    assert(step == 1);
    step = 2;
    sem_post(&third_may);
    return argument;
}

int main(void) {
    pthread_t a, b;
    int left;
    sem_init(&second_may, 0, 0);
    sem_init(&third_may, 0, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&a, 0, first, 0);
    sem_wait(&third_may);
    assert(step == 2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    sem_getvalue(&third_may, &left);
    assert(left == 0 && sem_trywait(&third_may) != 0);
    return 0;
}
