// expect: safe
// note: data race between
// expect: safe --engine dpor
// note: race-unasked.c:28 and
// expect: safe --engine search
// note: data race between
// expect: safe -DFAILED_ATTEMPT --engine dpor
// note: data race between
// expect: safe -DFAILED_ATTEMPT --jobs 1
// note: race-unasked.c:36
// expect: safe -DORDERED
// note: none
// expect: unsafe --property race
// expect: unsafe --property race -DFAILED_ATTEMPT
// expect: safe --property race -DORDERED
//
// Nobody asks about races, and the assertion holds in every interleaving. That does not mean much where accesses race:
// `safe` names both lines, also if an attempt to lock that failed is all there is between them. With ORDERED one comes
// behind the other.

#include <assert.h>
#include <pthread.h>

static volatile int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *write_it(void *unused) {
    (void)unused, value = 1;
    pthread_mutex_lock(&lock);
    return NULL;
}

static void *read_it(void *unused) {
#ifdef FAILED_ATTEMPT
    if (!pthread_mutex_trylock(&lock)) return NULL;
    assert(value == 1);
#elif defined ORDERED
    assert(value == 1);
#else
    assert(value == 0 || value == 1);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write_it, NULL);
#ifdef ORDERED
    pthread_join(a, NULL);
#endif
    pthread_create(&b, NULL, read_it, NULL);
    return 0;
}
