// expect: unsafe --property overflow
// expect: safe --property overflow -DHALVE_FIRST
//
// A signed overflow that depends on the schedule: if the threads run one after the other in the right order,
// the value is halved before it is doubled.

#include <limits.h>
#include <pthread.h>

int value = INT_MAX - 1;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *halve(void *argument) {
    pthread_mutex_lock(&lock);
    value = value / 2;
    pthread_mutex_unlock(&lock);
    return argument;
}

void *twice(void *argument) {
    pthread_mutex_lock(&lock);
    value = value * 2;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, halve, 0);
#ifdef HALVE_FIRST
    pthread_join(a, 0);
#endif
    pthread_create(&b, 0, twice, 0);
#ifndef HALVE_FIRST
    pthread_join(a, 0);
#endif
    pthread_join(b, 0);
    return 0;
}
