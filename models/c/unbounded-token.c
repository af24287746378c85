// expect: safe --property assert
// expect: unsafe --property assert -DLOSSY
//
// A token with any number on it goes round between two threads; each adds one, and nothing is lost.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned token, first;
int turn;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *there(void *argument) {
    for (;;) {
        pthread_mutex_lock(&lock);
        if (turn == 1) {
#ifndef LOSSY
            token = token + 1;
#endif
            turn = 0;
        }
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t t;
    unsigned sent = 0;
    token = first = __VERIFIER_nondet_uint();
    pthread_create(&t, 0, there, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        if (turn == 0) {
            assert(token == first + sent);
            sent = sent + 1;
            turn = 1;
        }
        pthread_mutex_unlock(&lock);
    }
}
