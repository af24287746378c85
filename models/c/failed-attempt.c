// expect: unsafe --property race
// expect: unknown --property race --engine search
// expect: unsafe --property race -DSEMAPHORE
// expect: unsafe --property race -DSPIN
// expect: unsafe --property race -DREAD
// expect: unsafe --property race -DWRITE
// expect: unsafe --property race -DTIMED
// expect: safe --property race -DGOT
// expect: safe --property race -DGOT -DSEMAPHORE
// expect: safe --property race -DGOT -DSPIN
// expect: safe --property race -DGOT -DREAD
// expect: safe --property race -DGOT -DWRITE
//
// Whoever fails to get a lock knows that somebody else has it, and nothing of what that one did before. Only
// a lock that was got orders anything.

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

int prepared;

#if defined SEMAPHORE
sem_t lock;
#define INIT()  sem_init(&lock, 0, 1)
#define TAKE()  sem_wait(&lock)
#define LEAVE() sem_post(&lock)
#define TRY()   (sem_trywait(&lock) == 0)
#elif defined SPIN
pthread_spinlock_t lock;
#define INIT()  pthread_spin_init(&lock, 0)
#define TAKE()  pthread_spin_lock(&lock)
#define LEAVE() pthread_spin_unlock(&lock)
#define TRY()   (pthread_spin_trylock(&lock) == 0)
#elif defined READ || defined WRITE
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define INIT()  (void)0
#define TAKE()  pthread_rwlock_wrlock(&lock)
#define LEAVE() pthread_rwlock_unlock(&lock)
#ifdef READ
#define TRY() (pthread_rwlock_tryrdlock(&lock) == 0)
#else
#define TRY() (pthread_rwlock_trywrlock(&lock) == 0)
#endif
#else
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon;
#define INIT()  (void)0
#define TAKE()  pthread_mutex_lock(&lock)
#define LEAVE() pthread_mutex_unlock(&lock)
#ifdef TIMED
#define TRY() (pthread_mutex_timedlock(&lock, &soon) == 0)
#else
#define TRY() (pthread_mutex_trylock(&lock) == 0)
#endif
#endif

#ifdef GOT
_Atomic int done;
#endif

void *owner(void *unused) {
#ifdef GOT
    TAKE();
    prepared = 1;
    done = 1;
    LEAVE();
#else
    prepared = 1;
    TAKE();
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    INIT();
    pthread_create(&thread, NULL, owner, NULL);
#ifdef GOT
    if (TRY()) {
        seen = prepared;
        LEAVE();
    }
#else
    if (!TRY()) seen = prepared;
#endif
    return seen < 0;
}
