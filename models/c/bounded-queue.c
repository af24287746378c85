// expect: safe
// expect: safe --property deadlock
// expect: safe --property race
//
// A queue of two places with a mutex and two condition variables. One producer, one consumer; every item
// arrives once and in order.

#include <assert.h>
#include <pthread.h>

#define PLACES 2
#define ITEMS 3

int place[PLACES], used, first;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int item) {
    pthread_mutex_lock(&lock);
    while (used == PLACES)
        pthread_cond_wait(&not_full, &lock);
    place[(first + used) % PLACES] = item;
    used++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    pthread_mutex_lock(&lock);
    while (used == 0)
        pthread_cond_wait(&not_empty, &lock);
    int item = place[first];
    first = (first + 1) % PLACES;
    used--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

void *produce(void *argument) {
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return argument;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    for (int i = 1; i <= ITEMS; i++)
        assert(get() == i);
    pthread_join(producer, 0);
    assert(used == 0);
    return 0;
}
