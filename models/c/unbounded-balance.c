// expect: safe --property assert
// expect: unsafe --property assert -DUNLOCKED
//
// Two clerks transfer any amounts between two accounts, for ever; an auditor finds the same sum whenever she looks.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned here = 600, there = 400;

static void *clerk(void *unused) {
    for (;;) {
        unsigned amount = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&lock);
        here -= amount;
#ifdef UNLOCKED
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
#endif
        there += amount;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, clerk, 0);
    pthread_create(&second, 0, clerk, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(here + there == 1000);
        pthread_mutex_unlock(&lock);
    }
}
