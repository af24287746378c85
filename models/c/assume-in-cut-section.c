// expect: safe
// expect: safe --engine cegar
// expect: safe --engine cegar --por none --blocks large
// expect: safe --engine esst
// expect: safe --engine search --stops loops
//
// An assumption fails inside an atomic section, behind a loop and a branch at which engines cut steps into
// pieces: nothing of the section has happened then, and nobody sees its first half.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

int looped, branched;

void *loop(void *a) {
    int i = 3;
    __VERIFIER_atomic_begin();
    looped = 1;
    while (i > 0) i--;
    __VERIFIER_assume(i);
    __VERIFIER_atomic_end();
    return a;
}

void *branch(void *a) {
    int i;
    __VERIFIER_atomic_begin();
    branched = 1;
    if (__VERIFIER_nondet_int())
        i = 1;
    else
        i = 2;
    __VERIFIER_assume(i == 3);
    __VERIFIER_atomic_end();
    return a;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, loop, 0);
    pthread_create(&u, 0, branch, 0);
    assert(looped == 0);
    assert(branched == 0);
    return 0;
}
