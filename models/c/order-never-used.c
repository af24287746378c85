// expect: safe
// expect: safe --engine dpor
// expect: safe --engine lazypor
// expect: safe --engine search
// expect: unknown -DUSED
//
// An access with a weaker order that no execution comes to, although an execution that is put together from the
// pieces of others would, and one in which the numbers may be any.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

#ifdef USED
#define FIRST 3
#else
#define FIRST 2
#endif

atomic_int step, told, other;
int seen;

void *looks(void *unused) {
    told = FIRST;
    __VERIFIER_atomic_begin();
    if (step < 5 && told != 2) seen = atomic_load_explicit(&other, memory_order_relaxed);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t looker;
    pthread_create(&looker, 0, looks, 0);
    step = 1;
    step = 2;
    assert(told == 0 || told == FIRST);
    pthread_join(looker, 0);
    return 0;
}
