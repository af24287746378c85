// expect: unsafe --property assert
// expect: unsafe --engine search --property assert
// expect: unsafe --engine search --property assert --match ess
// expect: unsafe --engine cegar --property assert
// expect: unsafe --engine cegar --property assert --domain cartesian --por aware
// expect: unsafe --engine esst --property assert --por persistent+sleep
//
// Whether the semaphore lets the first thread pass depends on an input. Where it does not, the thread is blocked
// for ever, and only there the other thread fails.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

extern _Bool __VERIFIER_nondet_bool(void);

sem_t s;
int x;

void *pass(void *argument) {
    sem_wait(&s);
    return argument;
}

void *fail(void *argument) {
    assert(x != 5);
    return argument;
}

int main(void) {
    pthread_t first, second;
    unsigned free = __VERIFIER_nondet_bool();
    sem_init(&s, 0, free);
    x = 5 * (1 - free);
    pthread_create(&first, 0, pass, 0);
    pthread_create(&second, 0, fail, 0);
    return 0;
}
