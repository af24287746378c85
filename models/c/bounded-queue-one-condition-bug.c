// expect: safe
// expect: unsafe --property deadlock
//
// Producers and consumers wait on the same condition variable and wake one waiter only. With one place, two
// producers and two consumers, a signal can wake a thread of the wrong side, which waits again: it is lost.

#include <assert.h>
#include <pthread.h>

int used;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *produce(void *argument) {
    pthread_mutex_lock(&lock);
    while (used == 1)
        pthread_cond_wait(&changed, &lock);
    used = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

void *consume(void *argument) {
    pthread_mutex_lock(&lock);
    while (used == 0)
        pthread_cond_wait(&changed, &lock);
    assert(used == 1);
    used = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t producers[2], consumers[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&consumers[i], 0, consume, 0);
        pthread_create(&producers[i], 0, produce, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(producers[i], 0);
        pthread_join(consumers[i], 0);
    }
    return 0;
}
