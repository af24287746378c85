// expect: safe
// expect: unsafe -DNOT_ATOMIC
//
// SV-COMP's atomic sections, as brackets and as functions named __VERIFIER_atomic_...: nothing comes between
// the two halves of an update.

#include <assert.h>
#include <pthread.h>

#ifdef NOT_ATOMIC
#define BEGIN()
#define END()
#else
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define BEGIN() __VERIFIER_atomic_begin()
#define END() __VERIFIER_atomic_end()
#endif

int low, high;

static void __VERIFIER_atomic_compare(void) {
    assert(low == high);
}

void *update(void *argument) {
    BEGIN();
    low++;
    high++;
    END();
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, update, 0);
    pthread_create(&b, 0, update, 0);
    __VERIFIER_atomic_compare();
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(low == 2);
    return 0;
}
