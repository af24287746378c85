// expect: unsafe --all
// expect: unsafe --all --engine dpor
// expect: unsafe --all --engine lazypor
// expect: unsafe --all --engine search
//
// With --all a step goes on behind an assertion that fails in the middle of it, and what comes there belongs to it as much as what
// comes before: both assertions are violated, the second one if main's update of `first` loses that of the section.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assert(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int first, second, third;

static void *flip(void *arg) {
    (void)arg;
    third ^= 1;
    return 0;
}

static void *both(void *arg) {
    (void)arg;
    if (third || 1) second = 1;
    __VERIFIER_atomic_begin();
    third += 1;
    __VERIFIER_assert(0);
    first = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, flip, 0);
    pthread_create(&two, 0, both, 0);
    second += -3;
    first += 0;
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(!(first == 0 && second == -3 && third == 0));
    return 0;
}
