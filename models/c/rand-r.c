// expect: safe -DSAME
// expect: unsafe -DOTHER
// expect: safe -DTHREADS
// expect: unsafe -DSTANDS_STILL
// expect: unknown -DLOOP
// expect: unsafe -DLOOP_OTHER
//
// What rand_r gives, and the seed that it leaves, are a function of the seed, and nothing else is known of them. In
// loops exploration does not remember seeds: what needs different numbers from the same one is not confirmed.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int drawn[3];
unsigned left[3];

void draw(int k, unsigned seed) {
    drawn[k] = rand_r(&seed);
    drawn[k] ^= rand_r(&seed);
    left[k] = seed;
}

void *first(void *unused) {
    draw(0, 42);
    return unused;
}

void *second(void *unused) {
    draw(1, 42);
    return unused;
}

int main(void) {
#if defined SAME
    draw(0, 42);
    draw(1, 42);
    assert(drawn[0] == drawn[1] && left[0] == left[1]);
#elif defined OTHER
    draw(0, 42);
    draw(1, 43);
    assert(drawn[0] == drawn[1]);
#elif defined THREADS
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(drawn[0] == drawn[1] && left[0] == left[1]);
#elif defined STANDS_STILL
    draw(0, 42);
    assert(left[0] != 42);
#elif defined LOOP
    for (int k = 0; k < 3; k++)
        draw(k, k % 2);
    assert(drawn[0] == drawn[2]);
#elif defined LOOP_OTHER
    for (int k = 0; k < 3; k++)
        draw(k, k % 2);
    assert(drawn[0] != drawn[2] || drawn[0] == drawn[1]);
#endif
    return 0;
}
