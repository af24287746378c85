// expect: unsafe
// expect: unsafe --property race
// expect: safe -DLOCKED
// expect: safe --property race -DLOCKED
// traces: 2 -DLOCKED
//
// The smallest race: two threads increase a counter by a read and a write.

#include <assert.h>
#include <pthread.h>

int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *increase(void *argument) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    counter++;
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increase, 0);
    pthread_create(&b, 0, increase, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
