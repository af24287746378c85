// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
//
// Readers and writers with a mutex and a semaphore: the first reader locks the writers out, the last one lets them in.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int readers;
int low, high; // equal unless a writer is at work
pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
sem_t room; // free for a writer or for the first reader; a semaphore, as another thread may release it

void *reader(void *argument) {
    pthread_mutex_lock(&count_lock);
    if (++readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&count_lock);
    assert(low == high);
    pthread_mutex_lock(&count_lock);
    if (--readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&count_lock);
    return argument;
}

void *writer(void *argument) {
    sem_wait(&room);
    low++;
    high++;
    sem_post(&room);
    return argument;
}

int main(void) {
    pthread_t a, b, w;
    sem_init(&room, 0, 1);
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(w, 0);
    assert(low == 1 && high == 1);
    return 0;
}
