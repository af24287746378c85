// expect: safe
// expect: unsafe -DOTHER_SEED
// expect: unsafe -DNO_SEED
// expect: unsafe -DSTATE
// expect: unsafe -DNULL_STATE
// expect: unsafe -DSHARED --property race
// expect: unknown -DMANY
//
// The same seed gives the same random numbers again, and nothing else is known of them. rand_r keeps its seed
// where the caller says, and changes it.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned state = 1;

void *draw(void *unused) {
    (void)rand_r(&state);
    return unused;
}

int main(void) {
#if defined STATE
    (void)rand_r(&state);
    assert(state == 1);
#elif defined NULL_STATE
    return rand_r(NULL) == 7;
#elif defined SHARED
    pthread_t thread;
    pthread_create(&thread, NULL, draw, NULL);
    (void)rand_r(&state);
    pthread_join(thread, NULL);
#elif defined NO_SEED
    assert(rand() == rand());
#elif defined MANY
    for (unsigned i = 0; i < 9; i++)
        srand(i);
#else
    srand(42);
    int a = rand(), b = rand();
#ifdef OTHER_SEED
    srand(43);
#else
    srand(42);
#endif
    assert(rand() == a && rand() == b);
    srand(1);
    assert(rand() >= 0);
#endif
    return 0;
}
