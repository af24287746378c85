// expect: unsafe --property memory
// expect: safe --property memory -DLOCKED
//
// The index is tested and used in two steps; the other thread moves it in between, beyond the array.

#include <pthread.h>

#define SIZE 3

int buffer[SIZE], used = SIZE - 1;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *append(void *argument) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    if (used < SIZE) {
        buffer[used] = 1;
        used++;
    }
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, append, 0);
    pthread_create(&b, 0, append, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
