// expect: safe
// expect: unsafe --property race
//
// A race on some schedules only: if the writer's critical section comes first, the lock orders its write of
// `data` before the read. If the reader's comes first, nothing does.

#include <pthread.h>

int data, sections;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *argument) {
    data = 1;
    pthread_mutex_lock(&lock);
    sections++;
    pthread_mutex_unlock(&lock);
    return argument;
}

void *reader(void *argument) {
    pthread_mutex_lock(&lock);
    sections++;
    pthread_mutex_unlock(&lock);
    int copy = data;
    (void)copy;
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
