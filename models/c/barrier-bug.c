// expect: unsafe
//
// A barrier of one's own that counts arrivals and never starts again at zero: after the first round it lets
// everybody pass, and a fast thread is a round ahead of a slow one.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 2

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t complete = PTHREAD_COND_INITIALIZER;
int arrived;
int round_of[N];

static void meet(void) {
    pthread_mutex_lock(&lock);
    arrived++;
    if (arrived >= N)
        pthread_cond_broadcast(&complete);
    else
        while (arrived < N)
            pthread_cond_wait(&complete, &lock);
    pthread_mutex_unlock(&lock);
}

void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int round = 1; round <= 2; round++) {
        pthread_mutex_lock(&lock);
        round_of[me] = round;
        pthread_mutex_unlock(&lock);
        meet();
        pthread_mutex_lock(&lock);
        assert(round_of[1 - me] >= round);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return 0;
}
