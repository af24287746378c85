// expect: unsafe
// expect: unsafe --property race
//
// The queue with semaphores, but the free places are counted one too high: the producer overtakes the
// consumer and overwrites what it has not read.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define PLACES 2
#define ITEMS 3

int place[PLACES];
sem_t places_free, places_used;

void *produce(void *argument) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&places_free);
        place[i % PLACES] = i * i;
        sem_post(&places_used);
    }
    return argument;
}

int main(void) {
    pthread_t producer;
    sem_init(&places_free, 0, PLACES + 1);
    sem_init(&places_used, 0, 0);
    pthread_create(&producer, 0, produce, 0);
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&places_used);
        assert(place[i % PLACES] == i * i);
        sem_post(&places_free);
    }
    pthread_join(producer, 0);
    return 0;
}
