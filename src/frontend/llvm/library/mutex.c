/* pthread_mutex_*: normal, recursive and error-checking mutexes.
 *
 * Locking is one wait for `free or mine`, which is enough for every kind: what to do with a mutex that is
 * mine already is decided inside. What POSIX leaves undefined is a misuse; where nobody asks for misuses it
 * is what glibc does: a normal mutex that its owner locks again blocks until somebody unlocks it, any thread
 * may unlock a normal mutex, locked or not, and a destroyed one gives EINVAL.
 *
 * A timed lock is one attempt: it may come at any time until the mutex is free, so it covers every moment at
 * which the lock could be got and every one at which the time could be over, and never blocks. The time is
 * looked at only where the lock cannot be had at once.
 *
 * An attempt that fails synchronises with nobody: it looks at the lock without any order. */
#include "models.h"

enum { NORMAL = 0, RECURSIVE = 1, ERROR_CHECK = 2, ADAPTIVE = 3, KIND_BITS = 3 };
enum {
    INHERITS = 32,        /* PTHREAD_PRIO_INHERIT: the kernel knows the owner */
    NORMAL_BY_NAME = 512, /* settype was called with NORMAL: locking again is a deadlock, not undefined */
    UNBALANCED = 1024, /* ours: it was unlocked once more than locked, so glibc's count of users is wrong */
    ALL_BITS = KIND_BITS | INHERITS | NORMAL_BY_NAME | UNBALANCED,
    DESTROYED = (int)0xffffffffu /* as glibc marks it */
};

/* --- attributes: a word as glibc has it ----------------------------------------------------------------- */

enum { SHARED_BIT = 1u << 31, PROTOCOL_SHIFT = 28, CEILING_SHIFT = 12, MOST_CEILING = 99 };
enum { INHERIT = 1, PROTECT = 2 };
static const unsigned protocol_bits = 3u << PROTOCOL_SHIFT, ceiling_bits = 0xfffu << CEILING_SHIFT,
                      type_bits = 0xfffu;

CALLERS_ACCESS int pthread_mutexattr_init(unsigned *attributes) {
    *attributes = NORMAL;
    return 0;
}

CALLERS_ACCESS int pthread_mutexattr_destroy(unsigned *attributes) {
    unsigned present = *attributes;
    (void)present;
    return 0;
}

CALLERS_ACCESS static void replace(unsigned *attributes, unsigned bits, unsigned value) {
    *attributes = (*attributes & ~bits) | value;
}

CALLERS_ACCESS int pthread_mutexattr_settype(unsigned *attributes, int kind) {
    if (kind < NORMAL || kind > ADAPTIVE) return EINVAL;
    replace(attributes, type_bits, kind == NORMAL ? NORMAL_BY_NAME : (unsigned)kind);
    return 0;
}

CALLERS_ACCESS int pthread_mutexattr_gettype(const unsigned *attributes, int *kind) {
    *kind = (int)(*attributes & KIND_BITS);
    return 0;
}

/* Sharing between processes and priorities change nothing within one process whose schedules are all
 * considered, but for errors that the kernel gives. */
CALLERS_ACCESS int pthread_mutexattr_setpshared(unsigned *attributes, int shared) {
    if (shared != 0 && shared != 1) return EINVAL;
    replace(attributes, SHARED_BIT, shared ? SHARED_BIT : 0);
    return 0;
}

CALLERS_ACCESS int pthread_mutexattr_getpshared(const unsigned *attributes, int *shared) {
    *shared = (*attributes & SHARED_BIT) != 0;
    return 0;
}

CALLERS_ACCESS int pthread_mutexattr_setprotocol(unsigned *attributes, int protocol) {
    if (protocol < 0 || protocol > PROTECT) return EINVAL;
    replace(attributes, protocol_bits, (unsigned)protocol << PROTOCOL_SHIFT);
    return 0;
}

CALLERS_ACCESS int pthread_mutexattr_getprotocol(const unsigned *attributes, int *protocol) {
    *protocol = (int)((*attributes & protocol_bits) >> PROTOCOL_SHIFT);
    return 0;
}

CALLERS_ACCESS int pthread_mutexattr_setprioceiling(unsigned *attributes, int ceiling) {
    if (ceiling < 1 || ceiling > MOST_CEILING) return EINVAL;
    replace(attributes, ceiling_bits, (unsigned)ceiling << CEILING_SHIFT);
    return 0;
}

CALLERS_ACCESS int pthread_mutexattr_getprioceiling(const unsigned *attributes, int *ceiling) {
    unsigned set = (*attributes & ceiling_bits) >> CEILING_SHIFT;
    *ceiling = set ? (int)set : 1;
    return 0;
}

CALLERS_ACCESS int pthread_mutexattr_setrobust(unsigned *attributes, int robust) {
    if (robust != 0 && robust != 1) return EINVAL;
    if (robust) __heddle_unsupported("robust mutexes");
    unsigned present = *attributes;
    (void)present;
    return 0;
}

CALLERS_ACCESS int pthread_mutexattr_getrobust(const unsigned *attributes, int *robust) {
    unsigned present = *attributes;
    (void)present;
    *robust = 0;
    return 0;
}

/* --- mutexes -------------------------------------------------------------------------------------------- */

CALLERS_ACCESS static unsigned kind_of(const unsigned *attributes) {
    if (!attributes) return NORMAL;
    unsigned protocol = (*attributes & protocol_bits) >> PROTOCOL_SHIFT;
    if (protocol == PROTECT) __heddle_unsupported("mutexes with a ceiling of priorities");
    return (*attributes & type_bits) | (protocol == INHERIT ? INHERITS : 0);
}

int pthread_mutex_init(struct mutex *m, const unsigned *attributes) {
    unsigned kind = kind_of(attributes);
    __heddle_atomic_begin();
    m->lock = 0;
    m->count = 0;
    m->kind = kind;
    __heddle_atomic_end();
    return 0;
}

/* Zero bytes are a mutex. Within an atomic section. */
static int is_usable(const struct mutex *m) {
    if ((__heddle_inspect(&m->kind) & ~(unsigned)ALL_BITS) == 0) return 1;
    __heddle_misuse("the mutex is initialised and not destroyed");
    return 0;
}

/* Within an atomic section. */
static int is_unbalanced(const struct mutex *m) {
    unsigned kind = __heddle_peek(&m->kind);
    return kind != (unsigned)DESTROYED && (kind & UNBALANCED) != 0;
}

int pthread_mutex_destroy(struct mutex *m) {
    int error = 0;
    __heddle_atomic_begin();
    if (is_usable(m) && __heddle_inspect(&m->lock) != 0) {
        __heddle_misuse("the mutex that is destroyed is not locked");
        error = EBUSY;
    }
    if (is_unbalanced(m))
        error = __heddle_input_1("destroys a mutex that was unlocked too often") ? EBUSY : 0;
    if (error == 0) m->kind = DESTROYED;
    __heddle_atomic_end();
    return error;
}

/* The mutex is free or mine; within an atomic section. */
static int take(struct mutex *m, unsigned mine, int if_normal_and_mine) {
    if (!is_usable(m)) return EINVAL;
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
        if ((m->kind & (KIND_BITS | NORMAL_BY_NAME)) == NORMAL)
            __heddle_misuse("the mutex is not locked again by its owner");
        __heddle_await(&m->lock, ~0u, 0);
        m->lock = mine;
        __heddle_atomic_end();
        error = 0;
    }
    __heddle_atomic_end();
    return error;
}

int pthread_mutex_trylock(struct mutex *m) {
    unsigned mine = running_code();
    __heddle_atomic_begin();
    int error = (__heddle_peek(&m->lock) & ~mine) == 0 ? take(m, mine, EBUSY) : is_usable(m) ? EBUSY : EINVAL;
    if (error == EDEADLK && !(m->kind & INHERITS)) error = EBUSY;
    __heddle_atomic_end();
    return error;
}

/* What is wrong with a time that may have to be waited for. Before glibc looks at nanoseconds a time before
 * 1970 is over; the kernel, which is asked where priorities are inherited, knows no such time. */
CALLERS_ACCESS static int error_of_time(const struct timespec *until, int inherits) {
    int is_valid = is_time(until), is_before = until->seconds < 0;
    if (inherits) return is_valid && !is_before ? ETIMEDOUT : EINVAL;
    return is_valid || is_before ? ETIMEDOUT : EINVAL;
}

int pthread_mutex_timedlock(struct mutex *m, const struct timespec *until) {
    unsigned mine = running_code();
    __heddle_atomic_begin();
    int error = (__heddle_peek(&m->lock) & ~mine) == 0 ? take(m, mine, ETIMEDOUT)
                : is_usable(m)                         ? ETIMEDOUT
                                                       : EINVAL;
    if (error == ETIMEDOUT) error = error_of_time(until, (__heddle_peek(&m->kind) & INHERITS) != 0);
    __heddle_atomic_end();
    return error;
}

int pthread_mutex_clocklock(struct mutex *m, int clock, const struct timespec *until) {
    return is_clock_to_wait_by(clock) ? pthread_mutex_timedlock(m, until) : EINVAL;
}

int __model_mutex_release(struct mutex *m) {
    if (!is_usable(m)) return EINVAL;
    unsigned kind = m->kind & KIND_BITS, is_mine = m->lock == running_code();
    if (kind == RECURSIVE || kind == ERROR_CHECK) {
        if (!is_mine) return EPERM;
        if (m->count > 0) {
            m->count--;
            return 0;
        }
    } else if (!is_mine) {
        __heddle_misuse("the mutex is unlocked by the thread that has locked it");
        if (m->kind & INHERITS) return EPERM;
        if (m->lock == 0) m->kind |= UNBALANCED;
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
    __heddle_atomic_begin();
    is_usable(m);
    __heddle_atomic_end();
    return EINVAL; /* not a robust mutex */
}
