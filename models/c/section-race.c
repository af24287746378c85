// expect: safe --property race
// expect: safe --property race --engine search
// expect: unsafe --property race -DOUTSIDE
// expect: unsafe --property race --engine search -DOUTSIDE
//
// Atomic sections exclude each other, but not an access outside of them.

#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

int counter;

void *worker(void *unused) {
    __VERIFIER_atomic_begin();
    counter++;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __VERIFIER_atomic_begin();
    counter++;
    __VERIFIER_atomic_end();
#ifdef OUTSIDE
    counter = 3;
#endif
    pthread_join(t, 0);
    return 0;
}
