// expect: unsafe
// expect: unsafe --property race
//
// Readers and writers where every reader that leaves opens the room, not only the last one: a writer comes in
// while another reader is still reading.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int readers;
int low, high;
pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
sem_t room;

void *reader(void *argument) {
    pthread_mutex_lock(&count_lock);
    if (++readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&count_lock);
    assert(low == high);
    pthread_mutex_lock(&count_lock);
    --readers;
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
    return 0;
}
