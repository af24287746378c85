/* pthread_rwlock_*. Readers come in whenever no writer holds the lock, as glibc prefers them by default. Of
 * the kinds that prefer writers PREFER_WRITER_NP is no different, and with PREFER_WRITER_NONRECURSIVE_NP
 * readers wait for writers that wait.
 *
 * Two cells, so that readers do not conflict with each other: a reader looks at `writer` and counts itself in
 * `holders` by a commuting addition; a writer looks at `holders`, in which it stands itself by its code. So
 * what a reader did happens before the next writer comes, and not before the next reader; who fails to get
 * the lock knows of nobody. */
#include "models.h"

struct rwlock {
    unsigned writer;  /* 0, the code of the writing thread, or SOME_WAIT */
    unsigned holders; /* number of readers, or the code of the writing thread */
    unsigned waiting; /* WRITERS_FIRST: writers that wait */
#if __SIZEOF_POINTER__ == 8
    unsigned unused[9];
#else
    unsigned unused[3];
#endif
    unsigned kind; /* where glibc has it, for static initialisers */
};

enum { WRITERS_FIRST = 2, KINDS = 3, DESTROYED = 4 };
enum { SOME_WAIT = 1 }; /* no code of a thread: nobody writes, and readers have to wait */

CALLERS_ACCESS int pthread_rwlockattr_init(struct rwlock_attributes *a) {
    a->kind = 0;
    a->shared = 0;
    return 0;
}

CALLERS_ACCESS int pthread_rwlockattr_destroy(struct rwlock_attributes *a) {
    int present = a->kind;
    (void)present;
    return 0;
}

CALLERS_ACCESS int pthread_rwlockattr_setpshared(struct rwlock_attributes *a, int shared) {
    if (shared != 0 && shared != 1) return EINVAL;
    a->shared = shared;
    return 0;
}

CALLERS_ACCESS int pthread_rwlockattr_getpshared(const struct rwlock_attributes *a, int *shared) {
    *shared = a->shared;
    return 0;
}

CALLERS_ACCESS int pthread_rwlockattr_setkind_np(struct rwlock_attributes *a, int kind) {
    if (kind < 0 || kind >= KINDS) return EINVAL;
    a->kind = kind;
    return 0;
}

CALLERS_ACCESS int pthread_rwlockattr_getkind_np(const struct rwlock_attributes *a, int *kind) {
    *kind = a->kind;
    return 0;
}

CALLERS_ACCESS static unsigned kind_of(const struct rwlock_attributes *a) {
    return a ? (unsigned)a->kind : 0;
}

int pthread_rwlock_init(struct rwlock *l, const struct rwlock_attributes *attributes) {
    unsigned kind = kind_of(attributes);
    __heddle_atomic_begin();
    l->writer = 0;
    l->holders = 0;
    l->waiting = 0;
    l->kind = kind;
    __heddle_atomic_end();
    return 0;
}

/* Zero bytes are a lock. What is destroyed works on in glibc. Within an atomic section. */
static void must_be_usable(const struct rwlock *l) {
    unsigned kind = __heddle_inspect(&l->kind);
    if (kind >= KINDS) __heddle_misuse("the read-write lock is initialised and not destroyed");
    if ((kind & (DESTROYED - 1)) == WRITERS_FIRST && !__heddle_writers_first)
        __heddle_unsupported("read-write locks that prefer writers, made in an unusual way");
}

int pthread_rwlock_destroy(struct rwlock *l) {
    __heddle_atomic_begin();
    must_be_usable(l);
    if (__heddle_inspect(&l->holders) != 0)
        __heddle_misuse("the read-write lock that is destroyed is not held");
    l->kind |= DESTROYED;
    __heddle_atomic_end();
    return 0;
}

static void count_reader(struct rwlock *l) {
    __atomic_fetch_add(&l->holders, 1, __ATOMIC_RELEASE);
}

static void enter_as_writer(struct rwlock *l, unsigned mine) {
    l->writer = mine;
    l->holders = mine;
}

int pthread_rwlock_rdlock(struct rwlock *l) {
    int error = 0;
    __heddle_await(&l->writer, ~running_code(), 0);
    must_be_usable(l);
    if (l->writer != 0)
        error = EDEADLK;
    else
        count_reader(l);
    __heddle_atomic_end();
    return error;
}

/* --- writers that come first ---------------------------------------------------------------------------- */

enum beginning { IS_THERE, HAS_ENTERED, WAITS };

/* One moment at which a writer takes a lock that is free, or begins to wait and keeps readers out. */
static enum beginning begin_to_write(struct rwlock *l, unsigned mine) {
    if (!__heddle_writers_first) return IS_THERE;
    enum beginning how = IS_THERE;
    __heddle_atomic_begin();
    must_be_usable(l);
    int writers_first = (__heddle_inspect(&l->kind) & (DESTROYED - 1)) == WRITERS_FIRST;
    unsigned holders = writers_first ? __heddle_peek(&l->holders) : mine;
    if (holders != mine) {
        how = holders == 0 && l->holders == 0 ? HAS_ENTERED : WAITS;
        if (how == HAS_ENTERED)
            enter_as_writer(l, mine);
        else
            l->waiting++;
        if (l->writer == 0) l->writer = SOME_WAIT;
    }
    __heddle_atomic_end();
    return how;
}

/* Within an atomic section. */
static void stop_waiting(struct rwlock *l) {
    l->waiting--;
    if (l->waiting == 0 && l->writer == SOME_WAIT) l->writer = 0;
}

int pthread_rwlock_wrlock(struct rwlock *l) {
    int error = 0;
    unsigned mine = running_code();
    enum beginning how = begin_to_write(l, mine);
    if (how == HAS_ENTERED) return 0;
    __heddle_await(&l->holders, ~mine, 0);
    must_be_usable(l);
    if (how == WAITS) stop_waiting(l);
    if (l->holders != 0)
        error = EDEADLK;
    else
        enter_as_writer(l, mine);
    __heddle_atomic_end();
    return error;
}

/* --- attempts ------------------------------------------------------------------------------------------- */

static int attempt_to_read(struct rwlock *l, int if_others, int if_mine) {
    int error = 0;
    __heddle_atomic_begin();
    must_be_usable(l);
    unsigned writer = __heddle_peek(&l->writer);
    if (writer != 0)
        error = writer == running_code() ? if_mine : if_others;
    else if (l->writer == 0)
        count_reader(l);
    __heddle_atomic_end();
    return error;
}

static int attempt_to_write(struct rwlock *l, enum beginning how, int if_others, int if_mine) {
    int error = 0;
    unsigned mine = running_code();
    __heddle_atomic_begin();
    must_be_usable(l);
    if (how == WAITS) stop_waiting(l);
    unsigned holders = __heddle_peek(&l->holders);
    if (holders != 0)
        error = holders == mine ? if_mine : if_others;
    else if (l->holders == 0)
        enter_as_writer(l, mine);
    __heddle_atomic_end();
    return error;
}

int pthread_rwlock_tryrdlock(struct rwlock *l) {
    return attempt_to_read(l, EBUSY, EBUSY);
}

int pthread_rwlock_trywrlock(struct rwlock *l) {
    return attempt_to_write(l, IS_THERE, EBUSY, EBUSY);
}

/* Timed locks are attempts, as explained in mutex.c; but glibc looks at the time first. */
int pthread_rwlock_timedrdlock(struct rwlock *l, const struct timespec *until) {
    return is_time(until) ? attempt_to_read(l, ETIMEDOUT, EDEADLK) : EINVAL;
}

int pthread_rwlock_timedwrlock(struct rwlock *l, const struct timespec *until) {
    if (!is_time(until)) return EINVAL;
    enum beginning how = begin_to_write(l, running_code());
    return how == HAS_ENTERED ? 0 : attempt_to_write(l, how, ETIMEDOUT, EDEADLK);
}

int pthread_rwlock_clockrdlock(struct rwlock *l, int clock, const struct timespec *until) {
    return is_clock_to_wait_by(clock) ? pthread_rwlock_timedrdlock(l, until) : EINVAL;
}

int pthread_rwlock_clockwrlock(struct rwlock *l, int clock, const struct timespec *until) {
    return is_clock_to_wait_by(clock) ? pthread_rwlock_timedwrlock(l, until) : EINVAL;
}

/* Who reads is not known by name, so only a lock that nobody holds, or that another thread has for writing,
 * is known not to be held by the caller. Then glibc counts one reader less than none. */
int pthread_rwlock_unlock(struct rwlock *l) {
    __heddle_atomic_begin();
    must_be_usable(l);
    unsigned writer = __heddle_inspect(&l->writer), writes = writer == SOME_WAIT ? 0 : writer;
    if (__heddle_inspect(&l->holders) == 0 || (writes != 0 && writes != running_code())) {
        __heddle_misuse("the read-write lock is unlocked by a thread that holds it");
        __heddle_unsupported("a read-write lock is unlocked by a thread that does not hold it");
    }
    if (writes != 0) {
        l->writer = __heddle_writers_first && l->waiting != 0 ? SOME_WAIT : 0;
        l->holders = 0;
    } else {
        __atomic_fetch_sub(&l->holders, 1, __ATOMIC_RELEASE);
    }
    __heddle_atomic_end();
    return 0;
}
