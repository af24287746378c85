// expect: unsafe --property assert
// expect: unsafe --engine cegar --property assert
// expect: unsafe --engine cegar --property assert --blocks small
// expect: unsafe --engine cegar --property assert --blocks large
//
// One thread spins on a flag that nobody raises. Nobody disturbs it either, so a reduction that follows it
// alone goes round and never comes to the other thread, which fails.
#include <assert.h>
#include <pthread.h>

int raised, other;

void *spin(void *argument) {
    while (raised != 1) {
    }
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    assert(other);
    return 0;
}
