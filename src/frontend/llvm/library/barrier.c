/* pthread_barrier_*. The last thread to arrive wakes the others, each by a cell of its own (cond.c), and gets
 * PTHREAD_BARRIER_SERIAL_THREAD; every thread can be the last. No round is told from another, so a program
 * that meets for ever has finitely many states. */
#include "models.h"

enum { SERIAL_THREAD = -1 };

struct barrier {
    unsigned needed, arrived;
    unsigned waiters[2]; /* set of thread numbers */
};

int pthread_barrierattr_init(unsigned *attributes) {
    *attributes = 0;
    return 0;
}

int pthread_barrierattr_destroy(unsigned *attributes) {
    (void)attributes;
    return 0;
}

int pthread_barrierattr_setpshared(unsigned *attributes, int shared) {
    (void)attributes, (void)shared;
    return 0;
}

int pthread_barrier_init(struct barrier *b, const void *attributes, unsigned count) {
    (void)attributes;
    if (count == 0) return EINVAL;
    __heddle_atomic_begin();
    b->needed = count;
    b->arrived = 0;
    b->waiters[0] = 0;
    b->waiters[1] = 0;
    __heddle_atomic_end();
    return 0;
}

int pthread_barrier_destroy(struct barrier *b) {
    (void)b;
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
