/* Threads of pthreads: their life, identity, and pthread_once.
 *
 * Creation always succeeds. A thread is joined or detached once: who does it claims it. Doing it again is a
 * misuse; where nobody asks for misuses it may be an error or not. */
#include "models.h"

enum { JOINED = 1, DETACHED = 2 }; /* how a thread is claimed */

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

CALLERS_ACCESS int pthread_create(pthread_t *thread, const struct thread_attributes *attributes,
                                  void *(*start)(void *), void *argument) {
    int detached = attributes && __model_asks_for_detached(attributes);
    if (__heddle_thread_keys || __heddle_throws) {
        struct start_record *record = __heddle_alloc(sizeof *record, 1);
        record->start = start;
        record->argument = argument;
        start = first_frame;
        argument = record;
    }
    thread_number number = __heddle_create(start, argument);
    if (detached) {
        __heddle_claim(number, DETACHED);
        __heddle_detach();
    }
    *thread = identity_of_thread(number);
    return 0;
}

/* glibc sees that a thread is detached while it lives; of one that has gone its memory says
 * something or other. */
static int result_of_second_claim(void) {
    if (__heddle_input_1("undefined result of a join or detach")) return 0;
    return __heddle_input_1("undefined result of a join or detach") ? ESRCH : EINVAL;
}

/* Who joins a thread that was detached need not wait for its end to be wrong. */
static int was_detached(thread_number number) {
    __heddle_atomic_begin();
    int detached = __heddle_claim(number, 0) == DETACHED;
    if (detached) __heddle_misuse("the thread can be joined: nobody has joined or detached it");
    __heddle_atomic_end();
    return detached;
}

CALLERS_ACCESS int __model_join(pthread_t thread, void **returned) {
    thread_number number = number_of_thread(thread);
    if (number == __heddle_self()) return EDEADLK;
    int error = __heddle_detaches && was_detached(number) ? result_of_second_claim() : 0;
    if (error != 0) return error;
    *returned = __heddle_join(number);
    if (__heddle_claim(number, JOINED) == 0) return 0;
    __heddle_misuse("the thread can be joined: nobody has joined or detached it");
    return result_of_second_claim();
}

CALLERS_ACCESS int pthread_join(pthread_t thread, void **result) {
    void *returned = NULL;
    int error = __model_join(thread, &returned);
    if (error == 0 && result) *result = returned;
    return error;
}

int pthread_detach(pthread_t thread) {
    __heddle_atomic_begin();
    int claimed = __heddle_claim(number_of_thread(thread), DETACHED) != 0;
    if (claimed) __heddle_misuse("the thread can be detached: nobody has joined or detached it");
    __heddle_atomic_end();
    __heddle_detach();
    return claimed ? result_of_second_claim() : 0;
}

void pthread_exit(void *result) {
    if (__heddle_unwinds) {
        __model_unwind_thread(result);
        return;
    }
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
    if (*once > 2) __heddle_misuse("the pthread_once_t is initialised");
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

/* --- what changes nothing when every schedule is considered --------------------------------------------- */

enum { RESET_ON_FORK = 1 << 30 }; /* may stand with a policy */

CALLERS_ACCESS int pthread_setschedparam(pthread_t thread, int policy, const int *priority) {
    (void)thread;
    if (!__model_is_priority(policy & ~RESET_ON_FORK, *priority)) return EINVAL;
    return *priority != 0 && __heddle_input_1("no right to such a priority") ? EPERM : 0;
}

int pthread_setschedprio(pthread_t thread, int priority) {
    (void)thread, (void)priority;
    if (!__heddle_input_1("priority cannot be set")) return 0;
    return __heddle_input_1("no right to such a priority") ? EPERM : EINVAL;
}

static int concurrency;

int pthread_setconcurrency(int level) {
    if (level < 0) return EINVAL;
    __atomic_store_n(&concurrency, level, __ATOMIC_SEQ_CST);
    return 0;
}

int pthread_getconcurrency(void) {
    return __atomic_load_n(&concurrency, __ATOMIC_SEQ_CST);
}

CALLERS_ACCESS int pthread_setname_np(pthread_t thread, const char *name) {
    (void)thread;
    unsigned length = 0;
    while (length < 16 && name[length]) length++;
    return length == 16 ? ERANGE : 0;
}

CALLERS_ACCESS int pthread_setaffinity_np(pthread_t thread, size_t size, const unsigned char *set) {
    (void)thread;
    unsigned some = 0;
    for (size_t k = 0; k < size; k++) some |= set[k];
    return some == 0 || __heddle_input_1("no such processor") ? EINVAL : 0;
}

int pthread_yield(void) {
    return 0;
}

/* Nobody can cancel a thread (refused.c), so whether it could be cancelled is only told to who asks. */
static __thread int cancel_state, cancel_type;

CALLERS_ACCESS static int exchange(int *present, int new, int *old) {
    if (new != 0 && new != 1) return EINVAL;
    if (old) *old = *present;
    *present = new;
    return 0;
}

int pthread_setcancelstate(int state, int *old) {
    return exchange(&cancel_state, state, old);
}

int pthread_setcanceltype(int type, int *old) {
    return exchange(&cancel_type, type, old);
}

void pthread_testcancel(void) {}
