// expect: unsafe --property deadlock
// expect: unsafe --property livelock --engine search
// expect: unsafe --property livelock --engine dpor --por source
// expect: unsafe --property livelock --engine lazypor
// expect: unsafe --property livelock --engine search --stops loops
// expect: unknown --property livelock --engine cegar
// expect: safe --property deadlock --no-livelock
// note: no execution reaches the end of the program
// expect: safe --property deadlock -DRELEASES
// note: none
// expect: unsafe --property deadlock -DTRIES
// expect: safe --property deadlock -DTRIES -DRELEASES
// expect: unsafe --property deadlock -DASKS
// expect: safe --property deadlock -DASKS -DGIVES_UP
// expect: unsafe --property deadlock -DINSIDE_OUT
// expect: safe --property deadlock -DNO_EXIT
// note: no execution reaches the end of the program; in one,
// expect: safe --property assert,deadlock -DCHECKS
//
// Who comes second to a lock of one's own goes round in its loop for ever if the first keeps it: nobody is
// left to change what the loop reads. A loop without a way out, or one that only an assertion could end, waits
// for nothing; one that may give up by an input is left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
extern bool __VERIFIER_nondet_bool(void);

atomic_int taken, seen;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static bool get(void) {
#ifdef TRIES
    return pthread_mutex_trylock(&mutex) == 0;
#else
    return !atomic_exchange(&taken, 1);
#endif
}

static void lock(void) {
#if defined(NO_EXIT)
    for (;;) seen = taken;
#elif defined(CHECKS)
    for (;;) assert(taken == 0);
#elif defined(ASKS)
    bool got = false;
    while (!got) {
        bool patient = __VERIFIER_nondet_bool();
        if (get()) got = true;
#ifdef GIVES_UP
        if (!patient) return;
#endif
    }
#elif defined(INSIDE_OUT)
    int rounds = 0;
    for (;;) { // the loop that is not left is the one inside
        while (!get()) ;
        rounds++;
    }
#else
    while (!get()) ;
#endif
}

static void unlock(void) {
#ifdef RELEASES
#ifdef TRIES
    pthread_mutex_unlock(&mutex);
#else
    taken = 0;
#endif
#endif
}

void *work(void *unused) {
    lock();
    unlock();
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
