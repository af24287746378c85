// expect: unsafe
//
// A failing assumption ends its own path only: B may have run before. A reduction that lets A go first and
// prune the schedule would hide B's error.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int x;

void *a(void *argument) {
    __VERIFIER_assume(x > 0);
    return argument;
}

void *b(void *argument) {
    assert(x > 0);
    return argument;
}

int main(void) {
    pthread_t first, second;
    x = __VERIFIER_nondet_int();
    pthread_create(&first, 0, a, 0);
    pthread_create(&second, 0, b, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
