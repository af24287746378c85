/* pthread_mutex_*: normal, recursive and error-checking mutexes.
 *
 * Locking is one wait for `free or mine`, which is enough for every kind: what to do with a mutex that is
 * mine already is decided inside. As in glibc, a normal mutex that its owner locks again blocks until
 * somebody unlocks it, and any thread may unlock a normal mutex, locked or not (POSIX leaves that undefined).
 *
 * A timed lock is one attempt: it may come at any time until the mutex is free, so it covers every moment at
 * which the lock could be got and every one at which the time could be over, and never blocks. */
#include "models.h"

enum { NORMAL = 0, RECURSIVE = 1, ERROR_CHECK = 2, KIND_BITS = 3 };

int pthread_mutexattr_init(unsigned *attributes) {
    *attributes = NORMAL;
    return 0;
}

int pthread_mutexattr_destroy(unsigned *attributes) {
    (void)attributes;
    return 0;
}

int pthread_mutexattr_settype(unsigned *attributes, int kind) {
    if (kind < NORMAL || kind > 3) return EINVAL;
    *attributes = (unsigned)kind;
    return 0;
}

int pthread_mutexattr_gettype(const unsigned *attributes, int *kind) {
    *kind = (int)*attributes;
    return 0;
}

/* Sharing between processes and priorities change nothing within one process whose schedules are all
 * considered. */
int pthread_mutexattr_setpshared(unsigned *attributes, int shared) {
    (void)attributes, (void)shared;
    return 0;
}

int pthread_mutexattr_setprotocol(unsigned *attributes, int protocol) {
    (void)attributes, (void)protocol;
    return 0;
}

int pthread_mutexattr_setprioceiling(unsigned *attributes, int ceiling) {
    (void)attributes, (void)ceiling;
    return 0;
}

int pthread_mutexattr_setrobust(unsigned *attributes, int robust) {
    (void)attributes;
    if (robust) __heddle_unsupported("robust mutexes");
    return 0;
}

int pthread_mutex_init(struct mutex *m, const unsigned *attributes) {
    unsigned kind = attributes ? *attributes : NORMAL;
    __heddle_atomic_begin();
    m->lock = 0;
    m->count = 0;
    m->kind = kind;
    __heddle_atomic_end();
    return 0;
}

int pthread_mutex_destroy(struct mutex *m) {
    __heddle_atomic_begin();
    int busy = m->lock != 0;
    __heddle_atomic_end();
    return busy ? EBUSY : 0;
}

/* The mutex is free or mine; within an atomic section. */
static int take(struct mutex *m, unsigned mine, int if_normal_and_mine) {
    if (m->lock == 0) {
        m->lock = mine;
        return 0;
    }
    switch (m->kind & KIND_BITS) {
    case RECURSIVE: m->count++; return 0;
    case ERROR_CHECK: return EDEADLK;
    default: return if_normal_and_mine;
    }
}

int pthread_mutex_lock(struct mutex *m) {
    unsigned mine = running_code();
    __heddle_await(&m->lock, ~mine, 0);
    int error = take(m, mine, EBUSY);
    if (error == EBUSY) {
        __heddle_await(&m->lock, ~0u, 0);
        m->lock = mine;
        __heddle_atomic_end();
        error = 0;
    }
    __heddle_atomic_end();
    return error;
}

static int attempt(struct mutex *m, int if_others, int if_normal_and_mine) {
    unsigned mine = running_code();
    __heddle_atomic_begin();
    int error = (m->lock & ~mine) != 0 ? if_others : take(m, mine, if_normal_and_mine);
    __heddle_atomic_end();
    return error;
}

int pthread_mutex_trylock(struct mutex *m) {
    int error = attempt(m, EBUSY, EBUSY);
    return error == EDEADLK ? EBUSY : error;
}

int pthread_mutex_timedlock(struct mutex *m, const void *until) {
    (void)until;
    return attempt(m, ETIMEDOUT, ETIMEDOUT);
}

int pthread_mutex_clocklock(struct mutex *m, int clock, const void *until) {
    (void)clock, (void)until;
    return attempt(m, ETIMEDOUT, ETIMEDOUT);
}

int __model_mutex_release(struct mutex *m) {
    unsigned kind = m->kind & KIND_BITS;
    if (kind == RECURSIVE || kind == ERROR_CHECK) {
        if (m->lock != running_code()) return EPERM;
        if (m->count > 0) {
            m->count--;
            return 0;
        }
    }
    m->lock = 0;
    return 0;
}

int pthread_mutex_unlock(struct mutex *m) {
    __heddle_atomic_begin();
    int error = __model_mutex_release(m);
    __heddle_atomic_end();
    return error;
}

int pthread_mutex_consistent(struct mutex *m) {
    (void)m;
    return EINVAL; /* not a robust mutex */
}
