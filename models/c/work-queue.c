// expect: safe
// expect: safe --property race
//
// A list of jobs, each a function and its argument; two workers take them from a shared index. Every job is
// done once.

#include <assert.h>
#include <pthread.h>

struct job {
    void (*run)(int *);
    int *result;
};

int results[3];

static void add_one(int *result) {
    *result += 1;
}

static void add_ten(int *result) {
    *result += 10;
}

const struct job jobs[3] = {{add_one, &results[0]}, {add_ten, &results[1]}, {add_one, &results[2]}};
int next_job;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const struct job *take(void) {
    const struct job *job = 0;
    pthread_mutex_lock(&lock);
    if (next_job < 3)
        job = &jobs[next_job++];
    pthread_mutex_unlock(&lock);
    return job;
}

void *worker(void *argument) {
    for (const struct job *job; (job = take());)
        job->run(job->result);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(results[0] == 1 && results[1] == 10 && results[2] == 1);
    return 0;
}
