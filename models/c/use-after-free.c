// expect: unsafe --property memory
// expect: safe --property memory -DJOIN_FIRST
//
// main frees the job as soon as it is told that the worker has started; the worker may still read it.

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct job {
    int size;
};

sem_t started;
int done;

void *worker(void *argument) {
    struct job *job = argument;
    sem_post(&started);
    done = job->size;
    return 0;
}

int main(void) {
    pthread_t thread;
    struct job *job = malloc(sizeof *job);
    job->size = 3;
    sem_init(&started, 0, 0);
    pthread_create(&thread, 0, worker, job);
    sem_wait(&started);
#ifdef JOIN_FIRST
    pthread_join(thread, 0);
    free(job);
#else
    free(job);
    pthread_join(thread, 0);
#endif
    return 0;
}
