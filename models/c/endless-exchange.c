// expect: safe --property deadlock
// note: no execution reaches the end of the program
// expect: safe --property deadlock --engine search
// expect: unsafe --property deadlock -DONE_WAY
//
// Two threads hand a place to and fro for ever: each of them is blocked again and again, and always freed.
// With -DONE_WAY nobody tells main that the place is free again.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int full;

void *empty(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (!full) pthread_cond_wait(&filled, &mutex);
        full = 0;
#ifndef ONE_WAY
        pthread_cond_signal(&emptied);
#endif
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, empty, 0);
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (full) pthread_cond_wait(&emptied, &mutex);
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
}
