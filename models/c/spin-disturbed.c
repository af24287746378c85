// expect: unsafe
// expect: unsafe --engine search
//
// A loop that finds everything as it was after a round did not necessarily go through a round that would repeat:
// here the gate was closed and opened again in between. The spinner must not be put to sleep.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

int gate = 5, passed, last;

void *spinner(void *unused) {
    while (gate != 0)
        passed = 1;
    assert(last != 2);
    return unused;
}

static void close_gate(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(passed == 0);
    gate = 0;
    __VERIFIER_atomic_end();
}

static void open_gate(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(passed == 1);
    passed = 0;
    gate = 5;
    __VERIFIER_atomic_end();
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spinner, 0);
    for (int round = 0; round < 2; round++) {
        close_gate();
        open_gate();
    }
    close_gate();
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(passed == 1);
    last = 2;
    __VERIFIER_atomic_end();
    return 0;
}
