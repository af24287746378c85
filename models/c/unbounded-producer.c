// expect: safe --property assert
// expect: unsafe --property assert -DUNGUARDED
//
// Produced and consumed without end, never more than four at a time.
#include <assert.h>
#include <pthread.h>

int stock;
unsigned produced, consumed;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *produce(void *argument) {
    for (;;) {
        pthread_mutex_lock(&lock);
#ifndef UNGUARDED
        if (stock < 4)
#endif
        {
            stock++;
            produced++;
        }
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(stock >= 0 && stock <= 4);
        if (stock > 0) {
            stock--;
            consumed++;
        }
        pthread_mutex_unlock(&lock);
    }
}
