// expect: unsafe --property deadlock
// expect: unsafe --property deadlock --32
// expect: unsafe --property deadlock -DBY_ATTRIBUTE
// expect: unsafe --property deadlock -DLOCAL
// expect: safe --property deadlock -DREADERS_FIRST
// expect: safe --property assert,memory,deadlock -DONCE
// expect: safe --property deadlock -DTIMED
// expect: unsafe -DTIMED -DTRY
//
// A thread reads twice. If writers that wait come before readers, the second time waits for a writer that waits for the
// first. A writer with a time limit gives up, but while it waits an attempt to read fails.

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

#if defined BY_ATTRIBUTE || defined LOCAL
static pthread_rwlock_t *lock;
#else
#ifdef READERS_FIRST
static pthread_rwlock_t memory = PTHREAD_RWLOCK_INITIALIZER;
#else
static pthread_rwlock_t memory = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#endif
static pthread_rwlock_t *lock = &memory;
#endif
static int written;

static void *write_once(void *unused) {
    struct timespec until = {1, 0};
#ifdef TIMED
    if (pthread_rwlock_timedwrlock(lock, &until)) return unused;
#else
    (void)until;
    assert(pthread_rwlock_wrlock(lock) == 0);
#endif
    written++;
    pthread_rwlock_unlock(lock);
    return unused;
}

int main(void) {
    pthread_t writer;
#ifdef LOCAL
    pthread_rwlock_t local = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    lock = &local;
#elif defined BY_ATTRIBUTE
    static pthread_rwlock_t made;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&made, &attributes);
    lock = &made;
#endif
    pthread_rwlock_rdlock(lock);
    pthread_create(&writer, NULL, write_once, NULL);
#if defined TRY
    int error = pthread_rwlock_tryrdlock(lock);
    assert(!error); /* fails while the writer waits */
    pthread_rwlock_unlock(lock);
#elif !defined ONCE
    pthread_rwlock_rdlock(lock);
    pthread_rwlock_unlock(lock);
#endif
    assert(written == 0);
    pthread_rwlock_unlock(lock);
    pthread_join(writer, NULL);
    return 0;
}
