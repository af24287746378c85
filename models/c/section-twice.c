// expect: safe --property race --engine dpor
// expect: unsafe --property race --engine dpor -DBEHIND
//
// A section writes one cell twice, and hands on with the second write what it did in between. An attempt to lock that
// fails makes declared orders matter; with BEHIND the data are written behind the section.

#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int flag, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *unused) {
    __VERIFIER_atomic_begin();
    flag = 1;
#ifndef BEHIND
    data = 1;
#endif
    flag = 2;
    __VERIFIER_atomic_end();
#ifdef BEHIND
    data = 1;
#endif
    pthread_mutex_lock(&lock);
    return unused;
}

static void *receiver(void *unused) {
    int seen;
    pthread_mutex_trylock(&lock);
    __VERIFIER_atomic_begin();
    seen = flag;
    __VERIFIER_atomic_end();
    if (seen) data = 2;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(b, NULL);
    return 0;
}
