// Variables of different threads lie on different stacks, and on the same one only if a thread was given the
// stack of one that is over.
// expect: safe
// expect: safe --engine search
// expect: safe --engine dpor
// expect: unsafe -DONE_BEHIND_THE_OTHER
// expect: unsafe -DONE_BEHIND_THE_OTHER --engine search
// expect: unknown -DDETACHED
// expect: unknown -DDETACHED --engine search
// expect: unknown -DDETACHED --engine dpor
// expect: safe -DHEAP
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) left;

static void *first(void *argument) {
    int variable = 1;
    left = &variable;
    return argument;
}

static void *second(void *argument) {
    int variable = 2;
    int *seen = left;
    assert(seen != &variable);
#ifdef HEAP // a stack is no heap memory
    int *block = malloc(sizeof *block);
    assert(seen != block);
    free(block);
#endif
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
#ifdef ONE_BEHIND_THE_OTHER
    pthread_join(a, NULL);
    pthread_create(&b, NULL, second, NULL);
#elif defined DETACHED
    pthread_detach(a);
    pthread_create(&b, NULL, second, NULL);
#else
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
#endif
    pthread_join(b, NULL);
    return 0;
}
