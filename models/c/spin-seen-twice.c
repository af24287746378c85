// expect: unsafe
// expect: unsafe --engine dpor
// expect: unsafe --engine lazypor
// expect: unsafe --engine search --por none --match ceq
// expect: unsafe --engine search --por ample
// expect: unsafe -DTRY
// expect: unsafe -DTRY --engine dpor
// expect: unsafe -DTRY --engine search
// expect: safe -DONCE
//
// A loop that changes a cell and puts it back, over and over. Others can see the change in more than one of its rounds, so that a round
// which ends where it began is not always one too many.
#include <assert.h>
#include <pthread.h>

#ifdef TRY
pthread_mutex_t mutex;
int flag;

static void *poll(void *arg) {
    (void)arg;
    int found = 0;
    while (!found) {
        pthread_mutex_lock(&mutex);
        found = flag;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static int is_taken(void) {
    int error = pthread_mutex_trylock(&mutex);
    if (!error) pthread_mutex_unlock(&mutex);
    return error != 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, poll, 0);
    int first = is_taken(), second = is_taken(), third = is_taken(), fourth = is_taken(), fifth = is_taken();
    assert(!(first && !second && third && !fourth && fifth));
    return 0;
}
#else
int cell = 1;

static void *blink(void *arg) {
    (void)arg;
    while (cell < 2) {
#ifndef ONCE
        cell = 0;
#endif
        cell = 1;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, blink, 0);
    if (cell == 0 && cell == 1 && cell == 0 && cell == 1 && cell == 0) assert(0);
    return 0;
}
#endif
