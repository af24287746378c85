/* pthread_cond_*, exactly: a signal wakes one of the threads that wait at that moment, any of them; a
 * broadcast wakes all of these; a signal without waiters is lost.
 *
 * A condition holds the set of its waiters. Each waiter then waits for a cell of its own, so being woken
 * conflicts with nothing else that happens to the condition. */
#include "models.h"

static unsigned woken[MOST_THREADS]; /* 1: thread was woken and has not noticed yet */

enum { DESTROYED = 1 };
enum { SHARED_BIT = 1 }; /* of the attributes; the next one: the clock */

CALLERS_ACCESS int pthread_condattr_init(unsigned *attributes) {
    *attributes = 0;
    return 0;
}

CALLERS_ACCESS int pthread_condattr_destroy(unsigned *attributes) {
    unsigned present = *attributes;
    (void)present;
    return 0;
}

CALLERS_ACCESS int pthread_condattr_setclock(unsigned *attributes, int clock) {
    if (!is_clock_to_wait_by(clock)) return EINVAL;
    *attributes = (*attributes & SHARED_BIT) | (unsigned)clock << 1;
    return 0;
}

CALLERS_ACCESS int pthread_condattr_getclock(const unsigned *attributes, int *clock) {
    *clock = (int)(*attributes >> 1);
    return 0;
}

CALLERS_ACCESS int pthread_condattr_setpshared(unsigned *attributes, int shared) {
    if (shared != 0 && shared != 1) return EINVAL;
    *attributes = (*attributes & ~(unsigned)SHARED_BIT) | (unsigned)shared;
    return 0;
}

CALLERS_ACCESS int pthread_condattr_getpshared(const unsigned *attributes, int *shared) {
    *shared = (int)(*attributes & SHARED_BIT);
    return 0;
}

int pthread_cond_init(struct condition *c, const unsigned *attributes) {
    read_attributes(attributes);
    __heddle_atomic_begin();
    c->waiters[0] = 0;
    c->waiters[1] = 0;
    c->state = 0;
    __heddle_atomic_end();
    return 0;
}

/* Zero bytes are a condition. What is destroyed works on in glibc. Within an atomic section. */
static void must_be_usable(const struct condition *c) {
    if (__heddle_inspect(&c->state) != 0)
        __heddle_misuse("the condition variable is initialised and not destroyed");
}

/* POSIX leaves destroying undefined while threads wait; glibc blocks until they have gone. */
int pthread_cond_destroy(struct condition *c) {
    if (__heddle_check_misuse) {
        __heddle_atomic_begin();
        must_be_usable(c);
        if ((c->waiters[0] | c->waiters[1]) != 0)
            __heddle_misuse("no thread waits for the condition variable that is destroyed");
        c->state = DESTROYED;
        __heddle_atomic_end();
        return 0;
    }
    __heddle_await(&c->waiters[0], ~0u, 0);
    while (c->waiters[1] != 0) {
        __heddle_await(&c->waiters[1], ~0u, 0);
        __heddle_atomic_end();
        __heddle_await(&c->waiters[0], ~0u, 0);
        __heddle_atomic_end();
    }
    must_be_usable(c);
    c->state = DESTROYED;
    __heddle_atomic_end();
    return 0;
}

void __model_wake(unsigned thread) {
    woken[thread] = 1;
}

void __model_wait_to_be_woken(void) {
    unsigned self = running_thread();
    __heddle_await_not(&woken[self], ~0u, 0);
    woken[self] = 0;
    __heddle_atomic_end();
}

/* One moment at which the running thread either has been woken (1) or gives up (0). */
int __model_stop_waiting(unsigned *waiters) {
    unsigned self = running_thread();
    __heddle_atomic_begin();
    int was_woken = woken[self] != 0;
    if (was_woken)
        woken[self] = 0;
    else
        waiters[self / 32] &= ~(1u << self % 32);
    __heddle_atomic_end();
    return was_woken;
}

static int release_and_enter(struct condition *c, struct mutex *m) {
    unsigned self = running_thread();
    __heddle_atomic_begin();
    must_be_usable(c);
    int error = __model_mutex_release(m);
    if (error == 0) c->waiters[self / 32] |= 1u << self % 32;
    __heddle_atomic_end();
    return error;
}

int pthread_cond_wait(struct condition *c, struct mutex *m) {
    int error = release_and_enter(c, m);
    if (error != 0) return error;
    if (__heddle_spurious_wakeup && __heddle_input_1("spurious wake-up"))
        __model_stop_waiting(c->waiters);
    else
        __model_wait_to_be_woken();
    pthread_mutex_lock(m);
    return 0;
}

/* Never blocks for ever: the time may be over at any moment, and it surely is at some. */
int pthread_cond_timedwait(struct condition *c, struct mutex *m, const struct timespec *until) {
    if (!is_time(until)) return EINVAL;
    int error = release_and_enter(c, m);
    if (error != 0) return error;
    int was_woken = __model_stop_waiting(c->waiters);
    pthread_mutex_lock(m);
    return was_woken ? 0 : ETIMEDOUT;
}

int pthread_cond_clockwait(struct condition *c, struct mutex *m, int clock, const struct timespec *until) {
    if (!is_time(until) || !is_clock_to_wait_by(clock)) return EINVAL;
    return pthread_cond_timedwait(c, m, until);
}

static unsigned number_of_lowest(unsigned set) {
    unsigned number = 0;
    for (; !(set & 1); set >>= 1) number++;
    return number;
}

int pthread_cond_signal(struct condition *c) {
    __heddle_atomic_begin();
    must_be_usable(c);
    unsigned candidates = c->waiters[0], word = 0;
    if (candidates == 0 || (c->waiters[1] != 0 && __heddle_input_1("wakes a later one")))
        candidates = c->waiters[word = 1];
    if (candidates != 0) {
        while ((candidates & (candidates - 1)) != 0 && __heddle_input_1("wakes a later one"))
            candidates &= candidates - 1;
        unsigned chosen = number_of_lowest(candidates);
        c->waiters[word] &= ~(1u << chosen);
        __model_wake(32 * word + chosen);
    }
    __heddle_atomic_end();
    return 0;
}

int pthread_cond_broadcast(struct condition *c) {
    __heddle_atomic_begin();
    must_be_usable(c);
    for (unsigned word = 0; word < 2; word++) {
        unsigned waiters = c->waiters[word];
        if (waiters != 0) c->waiters[word] = 0;
        for (; waiters != 0; waiters &= waiters - 1) __model_wake(32 * word + number_of_lowest(waiters));
    }
    __heddle_atomic_end();
    return 0;
}
