/* What several models share: error numbers, who runs, the layouts that the user's program has already fixed.
 *
 * The user's program is compiled against glibc's headers, so the types of pthreads are memory of known size
 * whose zero content is a valid initial state. The models keep their state in that memory, in 32-bit cells at
 * places where glibc has 32-bit fields too: a cell keeps its shape, and nothing outside the object has to
 * follow it around.
 *
 * Every operation is one atomic section or one access, so one step of exploration, and touches as few cells
 * as it can: two operations that touch disjoint cells need no ordering. */
#ifndef HEDDLE_MODELS_H
#define HEDDLE_MODELS_H

#include "intrinsics.h"

/* Linux numbers. */
enum {
    EPERM = 1,
    ESRCH = 3,
    EINTR = 4,
    EAGAIN = 11,
    ENOMEM = 12,
    EBUSY = 16,
    EINVAL = 22,
    ERANGE = 34,
    EDEADLK = 35,
    ENOSYS = 38,
    EOPNOTSUPP = 95,
    EOVERFLOW = 75,
    ETIMEDOUT = 110
};

enum { MOST_THREADS = 64 }; /* that can wait for conditions, have errno or thread-specific data */

typedef unsigned long pthread_t;
typedef unsigned pthread_key_t;

struct mutex {
    unsigned lock;  /* 0: free, else the code of the owner */
    unsigned count; /* recursive: further locks of the owner */
#if __SIZEOF_POINTER__ == 8
    unsigned unused[2];
#else
    unsigned unused;
#endif
    unsigned kind; /* where glibc has it, for PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */
};

struct condition {
    unsigned state;
#if __SIZEOF_POINTER__ == 8
    unsigned unused[9];
#else
    unsigned unused[8];
#endif
    unsigned waiters[2]; /* set of thread numbers */
};

struct rwlock_attributes {
    int kind, shared;
};

struct timespec {
    long seconds, nanoseconds;
};

/* What a thread knows of C++ exceptions; where, the front end decides. */
struct thrown;
struct exception_record {
    void *in_flight;        /* the object that is being thrown, while frames are left */
    struct thrown *caught;  /* whose handlers run, the innermost first */
    unsigned long uncaught; /* thrown and not caught yet */
};

int *__errno_location(void);
/* A pthread_t is a place behind __heddle_threads, as far away as the number of its thread: nobody knows more
 * of it than that it is not 0, and that it is another one for another thread (machine/thread_id.c). Main has
 * a number of its own there; the place itself stands for no thread. */
#define MAIN_THREAD ((thread_number)1 << 30)

static inline pthread_t identity_of_thread(thread_number number) {
    return (pthread_t)((char *)__heddle_threads + (number ? number : MAIN_THREAD));
}
static inline thread_number number_of_thread(pthread_t identity) {
    thread_number number = identity - (pthread_t)__heddle_threads;
    return number == MAIN_THREAD ? 0 : number;
}

pthread_t pthread_self(void);
struct thread_attributes;
int __model_asks_for_detached(const struct thread_attributes *a);
int __model_is_priority(int policy, int priority); /* whether threads of this policy may have it */
int pthread_create(pthread_t *thread, const struct thread_attributes *attributes, void *(*start)(void *),
                   void *argument);
int __model_join(pthread_t thread, void **returned); /* as pthread_join */
int pthread_detach(pthread_t thread);
int pthread_join(pthread_t thread, void **result);
void pthread_exit(void *result); /* returns where C++ frames are to be left (__heddle_unwinds) */
void __model_unwind_thread(void *result);
int pthread_once(unsigned *once, void (*routine)(void));
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_key_delete(pthread_key_t key);
void *pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);
void __model_run_destructors(void);
int pthread_mutex_lock(struct mutex *m);
int pthread_mutex_trylock(struct mutex *m);
int pthread_mutex_init(struct mutex *m, const unsigned *attributes);
int pthread_mutex_destroy(struct mutex *m);
int pthread_mutex_timedlock(struct mutex *m, const struct timespec *until);
int pthread_mutex_unlock(struct mutex *m);
int __model_mutex_release(struct mutex *m); /* within an atomic section */
int pthread_cond_init(struct condition *c, const unsigned *attributes);
int pthread_cond_destroy(struct condition *c);
int pthread_cond_wait(struct condition *c, struct mutex *m);
int pthread_cond_timedwait(struct condition *c, struct mutex *m, const struct timespec *until);
int pthread_cond_signal(struct condition *c);
int pthread_cond_broadcast(struct condition *c);
void __model_wait_to_be_woken(void);
void __model_wake(unsigned thread); /* within an atomic section */
int __model_stop_waiting(unsigned *waiters);

static inline unsigned running_thread(void) {
    thread_number self = __heddle_self();
    if (self >= MOST_THREADS)
        __heddle_unsupported("a thread numbered 64 or above waits, or has errno or thread-specific data");
    return (unsigned)self;
}

/* A non-zero word per thread such that (code of t & ~code of u) is zero only for t == u: ten bits of the
 * number and their complement. `free or mine` is thereby one condition on one cell, (cell & ~mine) == 0.
 * The low twelve bits are left for counting. */
static inline unsigned running_code(void) {
    thread_number self = __heddle_self();
    if (self >= 1024) __heddle_unsupported("a thread numbered 1024 or above takes a lock");
    return (unsigned)self << 22 | (~(unsigned)self & 1023u) << 12;
}

/* Times and attributes are read on the caller's behalf: whoever writes them meanwhile races. */
CALLERS_ACCESS static inline int is_time(const struct timespec *t) {
    long seconds = t->seconds, nanoseconds = t->nanoseconds;
    (void)seconds;
    return nanoseconds >= 0 && nanoseconds < 1000000000;
}

CALLERS_ACCESS static inline void read_attributes(const unsigned *attributes) {
    if (!attributes) return;
    unsigned present = *attributes;
    (void)present;
}

/* Those that timed waits can go by: CLOCK_REALTIME, CLOCK_MONOTONIC. */
static inline int is_clock_to_wait_by(int clock) {
    return clock == 0 || clock == 1;
}

static inline int fail(int error) {
    *__errno_location() = error;
    return -1;
}

#endif
