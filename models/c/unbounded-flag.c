// expect: safe --property assert
// expect: unsafe --property assert -DEARLY
//
// A number is written before the flag that says so, again and again with other numbers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

atomic_int full, number, twice;

void *write(void *argument) {
    for (;;) {
        int n = __VERIFIER_nondet_int();
        while (full) {
        }
#ifdef EARLY
        full = 1;
#endif
        number = n;
        twice = n;
        full = 1;
    }
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write, 0);
    for (;;) {
        if (!full) continue;
        int a = number, b = twice;
        assert(a == b);
        full = 0;
    }
}
