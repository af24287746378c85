/* Threads of pthreads: their life, identity, attributes, and pthread_once.
 *
 * Creation always succeeds. Joining waits for the end;
 * joining a thread twice or after detaching it is undefined and not diagnosed. */
#include "models.h"

void __heddle_threads(void) {}

struct start_record {
    void *(*start)(void *);
    void *argument;
};

/* First frame of every thread in programs with thread-specific data, whose destructors run at its end, or
 * with exceptions. */
FIRST_FRAME static void *first_frame(void *given) {
    struct start_record *record = given;
    __heddle_atomic_begin();
    void *(*start)(void *) = record->start;
    void *argument = record->argument;
    __heddle_free(record);
    __heddle_atomic_end();
    void *result = start(argument);
    if (__heddle_thread_keys) __model_run_destructors();
    return result;
}

CALLERS_ACCESS int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *),
                                  void *argument) {
    (void)attributes;
    if (__heddle_thread_keys || __heddle_throws) {
        struct start_record *record = __heddle_alloc(sizeof *record, 1);
        record->start = start;
        record->argument = argument;
        start = first_frame;
        argument = record;
    }
    *thread = identity_of_thread(__heddle_create(start, argument));
    return 0;
}

CALLERS_ACCESS int pthread_join(pthread_t thread, void **result) {
    thread_number number = number_of_thread(thread);
    if (number == __heddle_self()) return EDEADLK;
    void *returned = __heddle_join(number);
    if (result) *result = returned;
    return 0;
}

int pthread_detach(pthread_t thread) {
    (void)thread;
    __heddle_detach();
    return 0;
}

void pthread_exit(void *result) {
    if (__heddle_thread_keys) __model_run_destructors();
    __heddle_thread_exit(result);
}

pthread_t pthread_self(void) {
    return identity_of_thread(__heddle_self());
}

int pthread_equal(pthread_t a, pthread_t b) {
    return a == b;
}

static void begin_anew(unsigned **left) {
    if (*left) __atomic_store_n(*left, 0, __ATOMIC_SEQ_CST);
}

/* Others wait until the routine has run once; the cell is 0 before, 1 during, 2 after it. A routine that a
 * C++ exception leaves has not run. */
int pthread_once(unsigned *once, void (*routine)(void)) {
    __heddle_await_not(once, ~0u, 1);
    int first = *once == 0;
    if (first) *once = 1;
    __heddle_atomic_end();
    if (first) {
        unsigned *left __attribute__((cleanup(begin_anew))) = once;
        routine();
        left = NULL;
        __atomic_store_n(once, 2, __ATOMIC_SEQ_CST);
    }
    return 0;
}

/* --- attributes: only whether a thread is detached is kept, and only to be asked for ---------------------
 */

int pthread_attr_init(unsigned long *attributes) {
    *attributes = 0;
    return 0;
}

int pthread_attr_destroy(unsigned long *attributes) {
    (void)attributes;
    return 0;
}

int pthread_attr_setdetachstate(unsigned long *attributes, int state) {
    if (state != 0 && state != 1) return EINVAL;
    if (state == 1) __heddle_detach();
    *attributes = (unsigned long)state;
    return 0;
}

int pthread_attr_getdetachstate(const unsigned long *attributes, int *state) {
    *state = (int)*attributes;
    return 0;
}

int pthread_attr_setstacksize(unsigned long *attributes, size_t size) {
    (void)attributes, (void)size;
    return 0;
}

int pthread_attr_setguardsize(unsigned long *attributes, size_t size) {
    (void)attributes, (void)size;
    return 0;
}

int pthread_attr_setscope(unsigned long *attributes, int scope) {
    (void)attributes, (void)scope;
    return 0;
}

int pthread_attr_setinheritsched(unsigned long *attributes, int inherit) {
    (void)attributes, (void)inherit;
    return 0;
}

int pthread_attr_setschedpolicy(unsigned long *attributes, int policy) {
    (void)attributes, (void)policy;
    return 0;
}

int pthread_attr_setschedparam(unsigned long *attributes, const void *parameters) {
    (void)attributes, (void)parameters;
    return 0;
}

/* --- what changes nothing when every schedule is considered ----------------------------------------------
 */

int pthread_setschedparam(pthread_t thread, int policy, const void *parameters) {
    (void)thread, (void)policy, (void)parameters;
    return 0;
}

int pthread_setschedprio(pthread_t thread, int priority) {
    (void)thread, (void)priority;
    return 0;
}

int pthread_setconcurrency(int level) {
    (void)level;
    return 0;
}

int pthread_setname_np(pthread_t thread, const char *name) {
    (void)thread, (void)name;
    return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const void *set) {
    (void)thread, (void)size, (void)set;
    return 0;
}

int pthread_yield(void) {
    return 0;
}

/* Nobody can cancel a thread (refused.c), so whether it could be cancelled is only remembered by nobody. */
int pthread_setcancelstate(int state, int *old) {
    (void)state;
    if (old) *old = 0;
    return 0;
}

int pthread_setcanceltype(int type, int *old) {
    (void)type;
    if (old) *old = 0;
    return 0;
}

void pthread_testcancel(void) {}
