/* pthread_barrier_*. The last thread to arrive wakes the others, each by a cell of its own (cond.c), and gets
 * PTHREAD_BARRIER_SERIAL_THREAD; every thread can be the last. No round is told from another, so a program
 * that meets for ever has finitely many states. */
#include "models.h"

enum { SERIAL_THREAD = -1 };

struct barrier {
    unsigned needed, arrived;
    unsigned waiters[2]; /* set of thread numbers */
    unsigned state;
};
enum { USABLE = 1, DESTROYED = 2 };

static const unsigned too_many = 0x7fffffffu; /* threads, says glibc */

CALLERS_ACCESS int pthread_barrierattr_init(unsigned *attributes) {
    *attributes = 0;
    return 0;
}

CALLERS_ACCESS int pthread_barrierattr_destroy(unsigned *attributes) {
    unsigned present = *attributes;
    (void)present;
    return 0;
}

CALLERS_ACCESS int pthread_barrierattr_setpshared(unsigned *attributes, int shared) {
    if (shared != 0 && shared != 1) return EINVAL;
    *attributes = (unsigned)shared;
    return 0;
}

CALLERS_ACCESS int pthread_barrierattr_getpshared(const unsigned *attributes, int *shared) {
    *shared = (int)*attributes;
    return 0;
}

int pthread_barrier_init(struct barrier *b, const unsigned *attributes, unsigned count) {
    if (count == 0 || count >= too_many) return EINVAL;
    read_attributes(attributes);
    __heddle_atomic_begin();
    b->needed = count;
    b->arrived = 0;
    b->waiters[0] = 0;
    b->waiters[1] = 0;
    b->state = USABLE;
    __heddle_atomic_end();
    return 0;
}

/* Within an atomic section. In glibc one that is destroyed works on; one that never was begun
 * divides by 0. */
static void must_be_usable(const struct barrier *b) {
    unsigned state = __heddle_inspect(&b->state);
    if (state == USABLE) return;
    __heddle_misuse("the barrier is initialised and not destroyed");
    if (state != DESTROYED) __heddle_unsupported("a barrier that was not initialised");
}

int pthread_barrier_destroy(struct barrier *b) {
    __heddle_atomic_begin();
    must_be_usable(b);
    if (b->arrived != 0) __heddle_misuse("no thread waits at the barrier that is destroyed");
    b->state = DESTROYED;
    __heddle_atomic_end();
    return 0;
}

static void wake_all(struct barrier *b) {
    for (unsigned word = 0; word < 2; word++) {
        unsigned waiters = b->waiters[word];
        if (waiters == 0) continue;
        b->waiters[word] = 0;
        for (unsigned number = 32 * word; waiters != 0; number++, waiters >>= 1)
            if (waiters & 1) __model_wake(number);
    }
}

int pthread_barrier_wait(struct barrier *b) {
    unsigned self = running_thread();
    __heddle_atomic_begin();
    must_be_usable(b);
    if (b->arrived + 1 == b->needed) {
        b->arrived = 0;
        wake_all(b);
        __heddle_atomic_end();
        return SERIAL_THREAD;
    }
    b->arrived++;
    b->waiters[self / 32] |= 1u << self % 32;
    __heddle_atomic_end();
    __model_wait_to_be_woken();
    return 0;
}
