/* sem_*: unnamed semaphores. A post is one commuting addition: posts of several threads need no order. */
#include "models.h"

int sem_init(unsigned *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > 0x7fffffffu) return fail(EINVAL);
    __atomic_store_n(semaphore, value, __ATOMIC_SEQ_CST);
    return 0;
}

int sem_destroy(unsigned *semaphore) {
    (void)semaphore;
    return 0;
}

/* Counts beyond SEM_VALUE_MAX, 2^31 - 1, are not diagnosed: no explored path is that long. */
int sem_post(unsigned *semaphore) {
    __sync_fetch_and_add(semaphore, 1);
    return 0;
}

int sem_wait(unsigned *semaphore) {
    __heddle_await_not(semaphore, ~0u, 0);
    *semaphore -= 1;
    __heddle_atomic_end();
    return 0;
}

static int attempt(unsigned *semaphore, int if_zero) {
    __heddle_atomic_begin();
    int taken = *semaphore != 0;
    if (taken) *semaphore -= 1;
    __heddle_atomic_end();
    return taken ? 0 : fail(if_zero);
}

int sem_trywait(unsigned *semaphore) {
    return attempt(semaphore, EAGAIN);
}

/* Timed waits are attempts, as explained in mutex.c. */
int sem_timedwait(unsigned *semaphore, const void *until) {
    (void)until;
    return attempt(semaphore, ETIMEDOUT);
}

int sem_clockwait(unsigned *semaphore, int clock, const void *until) {
    (void)clock, (void)until;
    return attempt(semaphore, ETIMEDOUT);
}

int sem_getvalue(unsigned *semaphore, int *value) {
    *value = (int)__atomic_load_n(semaphore, __ATOMIC_SEQ_CST);
    return 0;
}
