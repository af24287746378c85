// expect: safe
// expect: safe --32
// expect: unsafe -DDESTROYED
// expect: unsafe -DDESTROYED --32
// expect: unsafe -DUNSET
// expect: unsafe -DON_HEAP
// expect: unsafe -DBY_ANOTHER
// expect: unsafe -DFREE
// expect: unsafe -DDESTROY_LOCKED
// expect: unsafe -DAGAIN
// expect: safe -DAGAIN --property assert
// note: not locked again by its owner
// expect: unsafe -DAGAIN --property deadlock
// expect: unsafe -DAGAIN --property misuse
// expect: safe -DBY_ANOTHER --property assert
// expect: safe -DBY_ANOTHER -DERROR_CHECK
// note: none
// expect: safe -DFREE -DERROR_CHECK
// expect: safe -DAGAIN -DERROR_CHECK
//
// What POSIX leaves undefined about mutexes: use after destruction or without initialisation, unlocking what another
// thread has locked or nobody, destroying what is locked, locking again. Mutexes that check for errors define it.

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef ERROR_CHECK
enum { KIND = PTHREAD_MUTEX_ERRORCHECK, NOT_MINE = EPERM, MINE = EDEADLK };
#else
enum { KIND = PTHREAD_MUTEX_DEFAULT, NOT_MINE = 0, MINE = 0 };
#endif

static pthread_mutex_t zeroed, initialised;

static void *unlock(void *m) {
    int error = pthread_mutex_unlock(m);
    assert(error == NOT_MINE);
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (KIND != PTHREAD_MUTEX_DEFAULT) pthread_mutexattr_settype(&attributes, KIND);
    pthread_mutex_init(&initialised, &attributes);
    pthread_mutex_lock(&zeroed);
    pthread_mutex_unlock(&zeroed);
#if defined UNSET
    pthread_mutex_t unset;
    pthread_mutex_lock(&unset);
#elif defined ON_HEAP
    pthread_mutex_t *unset = malloc(sizeof *unset);
    pthread_mutex_trylock(unset);
#elif defined DESTROYED
    pthread_mutex_destroy(&initialised);
    int error = pthread_mutex_lock(&initialised);
    assert(error == EINVAL); /* says glibc */
#elif defined FREE
    int error = pthread_mutex_unlock(&initialised);
    assert(error == NOT_MINE);
#else
    pthread_mutex_lock(&initialised);
#ifdef BY_ANOTHER
    pthread_create(&other, NULL, unlock, &initialised);
    pthread_join(other, NULL);
#else
    (void)unlock, (void)other;
#endif
#ifdef AGAIN
    int error = pthread_mutex_lock(&initialised);
    assert(error == MINE);
#endif
#ifdef DESTROY_LOCKED
    pthread_mutex_destroy(&initialised);
#endif
#endif
    return 0;
}
