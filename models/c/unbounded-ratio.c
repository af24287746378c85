// expect: safe --property assert
// expect: unsafe --property assert -DEARLY
//
// Three wheels for every axle, however many are delivered: counters that never repeat, in a fixed ratio.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned wheels, axles;

static void *deliver(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        wheels += 3;
#ifdef EARLY
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
#endif
        axles++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, deliver, 0);
    pthread_create(&second, 0, deliver, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(wheels == 3 * axles);
        pthread_mutex_unlock(&lock);
    }
}
