// expect: unsafe
//
// Two consumers that test the queue once (`if`) instead of until it holds (`while`): between the signal and
// the awakening of one consumer the other one takes the item.

#include <assert.h>
#include <pthread.h>

int used;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

void *produce(void *argument) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        used++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

void *consume(void *argument) {
    pthread_mutex_lock(&lock);
    if (used == 0)
        pthread_cond_wait(&not_empty, &lock);
    assert(used > 0);
    used--;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t producer, a, b;
    pthread_create(&a, 0, consume, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_create(&producer, 0, produce, 0);
    pthread_join(producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
