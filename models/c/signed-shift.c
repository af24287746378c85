// expect: unsafe --property overflow
// expect: safe --property overflow -DUNSIGNED
// expect: safe --property overflow -DSMALL
// expect: safe --property overflow --32 -DSMALL
// expect: unsafe --property overflow -DNEGATIVE
// expect: safe -DNEGATIVE
//
// A flag is moved to the place that another thread chooses. A signed number has no room for it in its highest bit, and none that is negative may be moved at all
// (C17 6.5.7); an unsigned one has.

#include <assert.h>
#include <pthread.h>

#ifdef UNSIGNED
typedef unsigned word;
#else
typedef int word;
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned place;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *choose(void *unused) {
    unsigned char any = __VERIFIER_nondet_uchar();
    pthread_mutex_lock(&guard);
#ifdef SMALL
    place = any % 31;
#else
    place = any % 32;
#endif
    pthread_mutex_unlock(&guard);
    return unused;
}

int main(void) {
    pthread_t chooser;
    word flag = 1;
#ifdef NEGATIVE
    flag = -1;
#endif
    pthread_create(&chooser, 0, choose, 0);
    pthread_mutex_lock(&guard);
    flag <<= place;
    pthread_mutex_unlock(&guard);
    pthread_join(chooser, 0);
    assert(flag != 0);
    return 0;
}
