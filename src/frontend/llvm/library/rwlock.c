/* pthread_rwlock_*. Readers come in whenever no writer holds the lock, as glibc prefers them by default.
 *
 * Two cells, so that readers do not conflict with each other: a reader looks at `writer` and counts itself in
 * `holders` by a commuting addition; a writer looks at `holders`, in which it stands itself by its code. */
#include "models.h"

struct rwlock {
    unsigned writer;  /* 0, or the code of the writing thread */
    unsigned holders; /* number of readers, or the code of the writing thread */
};

int pthread_rwlockattr_init(unsigned *attributes) {
    *attributes = 0;
    return 0;
}

int pthread_rwlockattr_destroy(unsigned *attributes) {
    (void)attributes;
    return 0;
}

int pthread_rwlockattr_setpshared(unsigned *attributes, int shared) {
    (void)attributes, (void)shared;
    return 0;
}

int pthread_rwlockattr_setkind_np(unsigned *attributes, int preference) {
    (void)attributes;
    if (preference != 0) __heddle_unsupported("read-write locks that prefer writers");
    return 0;
}

int pthread_rwlock_init(struct rwlock *l, const void *attributes) {
    (void)attributes;
    __heddle_atomic_begin();
    l->writer = 0;
    l->holders = 0;
    __heddle_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(struct rwlock *l) {
    (void)l;
    return 0;
}

static void count_reader(struct rwlock *l) {
    __sync_fetch_and_add(&l->holders, 1);
}

static void enter_as_writer(struct rwlock *l, unsigned mine) {
    l->writer = mine;
    l->holders = mine;
}

int pthread_rwlock_rdlock(struct rwlock *l) {
    int error = 0;
    __heddle_await(&l->writer, ~running_code(), 0);
    if (l->writer != 0)
        error = EDEADLK;
    else
        count_reader(l);
    __heddle_atomic_end();
    return error;
}

int pthread_rwlock_wrlock(struct rwlock *l) {
    int error = 0;
    unsigned mine = running_code();
    __heddle_await(&l->holders, ~mine, 0);
    if (l->holders != 0)
        error = EDEADLK;
    else
        enter_as_writer(l, mine);
    __heddle_atomic_end();
    return error;
}

static int attempt_to_read(struct rwlock *l, int if_others, int if_mine) {
    int error = 0;
    __heddle_atomic_begin();
    if (l->writer != 0)
        error = l->writer == running_code() ? if_mine : if_others;
    else
        count_reader(l);
    __heddle_atomic_end();
    return error;
}

static int attempt_to_write(struct rwlock *l, int if_others, int if_mine) {
    int error = 0;
    unsigned mine = running_code();
    __heddle_atomic_begin();
    if (l->holders != 0)
        error = l->holders == mine ? if_mine : if_others;
    else
        enter_as_writer(l, mine);
    __heddle_atomic_end();
    return error;
}

int pthread_rwlock_tryrdlock(struct rwlock *l) {
    return attempt_to_read(l, EBUSY, EBUSY);
}

int pthread_rwlock_trywrlock(struct rwlock *l) {
    return attempt_to_write(l, EBUSY, EBUSY);
}

/* Timed locks are attempts, as explained in mutex.c. */
int pthread_rwlock_timedrdlock(struct rwlock *l, const void *until) {
    (void)until;
    return attempt_to_read(l, ETIMEDOUT, EDEADLK);
}

int pthread_rwlock_timedwrlock(struct rwlock *l, const void *until) {
    (void)until;
    return attempt_to_write(l, ETIMEDOUT, EDEADLK);
}

int pthread_rwlock_clockrdlock(struct rwlock *l, int clock, const void *until) {
    (void)clock;
    return pthread_rwlock_timedrdlock(l, until);
}

int pthread_rwlock_clockwrlock(struct rwlock *l, int clock, const void *until) {
    (void)clock;
    return pthread_rwlock_timedwrlock(l, until);
}

/* As in glibc, a writer's lock is released whoever unlocks; unlocking a free lock is undefined. */
int pthread_rwlock_unlock(struct rwlock *l) {
    __heddle_atomic_begin();
    if (l->writer != 0) {
        l->writer = 0;
        l->holders = 0;
    } else {
        __sync_fetch_and_sub(&l->holders, 1);
    }
    __heddle_atomic_end();
    return 0;
}
