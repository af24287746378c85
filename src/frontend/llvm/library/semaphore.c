/* sem_*: unnamed semaphores. A post is one commuting addition: posts of several threads need no order, and
 * none of them knows what happened before another. Who waits does; who only looks, or fails, does not. */
#include "models.h"

enum { MOST = 0x7fffffff /* SEM_VALUE_MAX */, MANY = MOST / 2 };

struct semaphore {
    unsigned value;
    unsigned unused[2];
    unsigned state; /* 0, or ... */
};
enum { LARGE = 1 /* it began with so much that posts may exceed the maximum */, DESTROYED = 2 };

int sem_init(struct semaphore *s, int shared, unsigned value) {
    (void)shared;
    if (value > MOST) return fail(EINVAL);
    __heddle_atomic_begin();
    s->value = value;
    s->state = value > MANY ? LARGE : 0;
    __heddle_atomic_end();
    return 0;
}

/* Zero bytes are a semaphore. What is destroyed works on in glibc. Within an atomic section. */
static void must_be_usable(const struct semaphore *s) {
    if (__heddle_inspect(&s->state) > LARGE)
        __heddle_misuse("the semaphore is initialised and not destroyed");
}

int sem_destroy(struct semaphore *s) {
    __heddle_atomic_begin();
    must_be_usable(s);
    if (__heddle_check_misuse) {
        s->state = DESTROYED;
        s->value = 1; /* who waits from now on gets to know it */
    }
    __heddle_atomic_end();
    return 0;
}

/* Only a semaphore that began with so much can overflow: no explored path is that long. */
static int add_to_large(struct semaphore *s) {
    if (__heddle_peek(&s->value) >= MOST) return EOVERFLOW;
    __atomic_fetch_add(&s->value, 1, __ATOMIC_RELEASE);
    return 0;
}

int sem_post(struct semaphore *s) {
    int error = 0;
    __heddle_atomic_begin();
    must_be_usable(s);
    if (__heddle_inspect(&s->state) & LARGE)
        error = add_to_large(s);
    else
        __atomic_fetch_add(&s->value, 1, __ATOMIC_RELEASE);
    __heddle_atomic_end();
    return error ? fail(error) : 0;
}

int sem_wait(struct semaphore *s) {
    __heddle_await_not(&s->value, ~0u, 0);
    must_be_usable(s);
    s->value -= 1;
    __heddle_atomic_end();
    return 0;
}

static int attempt(struct semaphore *s, int if_zero) {
    __heddle_atomic_begin();
    must_be_usable(s);
    int taken = __heddle_peek(&s->value) != 0;
    if (taken) s->value -= 1;
    __heddle_atomic_end();
    return taken ? 0 : fail(if_zero);
}

int sem_trywait(struct semaphore *s) {
    return attempt(s, EAGAIN);
}

/* Timed waits are attempts, as explained in mutex.c; but glibc looks at the time first. */
int sem_timedwait(struct semaphore *s, const struct timespec *until) {
    return is_time(until) ? attempt(s, ETIMEDOUT) : fail(EINVAL);
}

int sem_clockwait(struct semaphore *s, int clock, const struct timespec *until) {
    return is_clock_to_wait_by(clock) ? sem_timedwait(s, until) : fail(EINVAL);
}

static unsigned present_value(struct semaphore *s) {
    __heddle_atomic_begin();
    must_be_usable(s);
    unsigned value = __heddle_peek(&s->value);
    __heddle_atomic_end();
    return value;
}

CALLERS_ACCESS int sem_getvalue(struct semaphore *s, int *value) {
    *value = (int)present_value(s);
    return 0;
}
