// expect: unsafe
// expect: unsafe --engine cegar
// expect: unsafe --engine cegar --por none --blocks large
// expect: unsafe --engine esst
// expect: unsafe --engine search --stops loops
//
// The section of one thread is never completed. That must not hide what the other thread does, whose steps
// have nothing to do with it.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

int x, y, z;

void *never(void *a) {
    __VERIFIER_atomic_begin();
    y = 1;
    if (__VERIFIER_nondet_int())
        z = 1;
    else
        z = 2;
    __VERIFIER_assume(z == 3);
    __VERIFIER_atomic_end();
    return a;
}

void *other(void *a) {
    x = 1;
    assert(x == 0);
    return a;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, never, 0);
    pthread_create(&u, 0, other, 0);
    return 0;
}
