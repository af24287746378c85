// expect: unsafe --property assert
// expect: unsafe --engine search --property assert
// expect: unsafe --engine search --property assert --match ess
// expect: unsafe --engine cegar --property assert
// expect: unsafe --engine cegar --property assert --por aware
//
// A state that stands for several: where `again` is 0 the first thread ends, where it is not it goes round for
// ever, undisturbed. That the former get on says nothing about the latter, and only there the other thread
// fails. A reduction that follows the first thread alone must not be content with half of the states.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

int again, own, other;

void *go_round(void *argument) {
    while (again) own = 0;
    return argument;
}

void *fail(void *argument) {
    assert(other != 5);
    return argument;
}

int main(void) {
    pthread_t first, second;
    again = __VERIFIER_nondet_bool();
    other = 5 * again;
    pthread_create(&first, 0, go_round, 0);
    pthread_create(&second, 0, fail, 0);
    return 0;
}
