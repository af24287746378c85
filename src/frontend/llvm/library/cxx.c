/* What C++ programs need from their run-time library: operators new and delete, guards of static variables,
 * threads and condition variables. Memory never runs out. Exceptions that exceptions.c does not have
 * are refused. */
#include "models.h"

#if __SIZEOF_POINTER__ == 8
#define SIZE_LETTER "m"
#else
#define SIZE_LETTER "j"
#endif

void throw_system_error(int error) __asm__("_ZSt20__throw_system_errori");

/* --- new and delete ------------------------------------------------------------------------------------- */

CALLERS_ACCESS void *new_object(size_t bytes) __asm__("_Znw" SIZE_LETTER);
CALLERS_ACCESS void *new_object(size_t bytes) {
    return __heddle_new(bytes ? bytes : 1);
}
CALLERS_ACCESS void *new_array(size_t bytes) __asm__("_Zna" SIZE_LETTER);
CALLERS_ACCESS void *new_array(size_t bytes) {
    return __heddle_new_array(bytes ? bytes : 1);
}
CALLERS_ACCESS void *new_object_or_null(size_t bytes,
                                        const void *tag) __asm__("_Znw" SIZE_LETTER "RKSt9nothrow_t");
CALLERS_ACCESS void *new_object_or_null(size_t bytes, const void *tag) {
    (void)tag;
    return __heddle_new(bytes ? bytes : 1);
}
CALLERS_ACCESS void *new_array_or_null(size_t bytes,
                                       const void *tag) __asm__("_Zna" SIZE_LETTER "RKSt9nothrow_t");
CALLERS_ACCESS void *new_array_or_null(size_t bytes, const void *tag) {
    (void)tag;
    return __heddle_new_array(bytes ? bytes : 1);
}
CALLERS_ACCESS void _ZdlPv(void *p) {
    __heddle_delete(p);
}
CALLERS_ACCESS void _ZdaPv(void *p) {
    __heddle_delete_array(p);
}
CALLERS_ACCESS void delete_object(void *p, size_t bytes) __asm__("_ZdlPv" SIZE_LETTER);
CALLERS_ACCESS void delete_object(void *p, size_t bytes) {
    (void)bytes;
    __heddle_delete(p);
}
CALLERS_ACCESS void delete_array(void *p, size_t bytes) __asm__("_ZdaPv" SIZE_LETTER);
CALLERS_ACCESS void delete_array(void *p, size_t bytes) {
    (void)bytes;
    __heddle_delete_array(p);
}

/* --- static variables ----------------------------------------------------------------------------------- */

char __dso_handle;

/* First byte: initialised, which compiled code looks at; the word after it: someone is at it. */
struct guard {
    unsigned done, busy;
};

int __cxa_guard_acquire(struct guard *g) {
    __heddle_await(&g->busy, ~0u, 0);
    int needed = !*(char *)&g->done;
    if (needed) g->busy = 1;
    __heddle_atomic_end();
    return needed;
}

void __cxa_guard_release(struct guard *g) {
    __heddle_atomic_begin();
    *(char *)&g->done = 1;
    g->busy = 0;
    __heddle_atomic_end();
}

void __cxa_guard_abort(struct guard *g) {
    __heddle_atomic_begin();
    g->busy = 0;
    __heddle_atomic_end();
}

ANY_ARGUMENTS void __cxa_pure_virtual(void) {
    __heddle_violation("no pure virtual function is called");
}

/* The headers count without atomic operations while there is one thread only; nobody can tell. */
const char __libc_single_threaded = 0;

/* --- threads -------------------------------------------------------------------------------------------- */

struct thread_state { /* std::thread::_State */
    void (**table)(struct thread_state *);
};
enum { DELETE_STATE = 1, RUN_STATE = 2 }; /* entries of its table of virtual functions */

void *_ZTINSt6thread6_StateE[2];
void *_ZTVNSt6thread6_StateE[5];

void _ZNSt6thread6_StateD2Ev(struct thread_state *s) {
    (void)s;
}

/* Threads have the name of the function that they begin with. */
static void *run_thread_state(void *given) __asm__("std::thread");

CALLERS_ACCESS static void delete_state(struct thread_state **s) {
    (*s)->table[DELETE_STATE](*s);
}

CALLERS_ACCESS static void *run_thread_state(void *given) {
    struct thread_state *s __attribute__((cleanup(delete_state))) = given;
    s->table[RUN_STATE](s);
    return NULL;
}

CALLERS_ACCESS void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    pthread_t *thread, struct thread_state **s, void (*depend)(void)) {
    (void)depend;
    struct thread_state *given = *s;
    *s = NULL;
    pthread_create(thread, NULL, run_thread_state, given);
}

CALLERS_ACCESS void _ZNSt6thread4joinEv(pthread_t *thread) {
    int error = *thread ? pthread_join(*thread, NULL) : EINVAL;
    if (error == 0)
        *thread = 0;
    else
        throw_system_error(error);
}

CALLERS_ACCESS void _ZNSt6thread6detachEv(pthread_t *thread) {
    int error = *thread ? pthread_detach(*thread) : EINVAL;
    if (error == 0)
        *thread = 0;
    else
        throw_system_error(error);
}

/* What std::call_once has pthread_once call, and where it leaves for whom. */
__thread void *_ZSt15__once_callable;
__thread void (*_ZSt11__once_call)(void);

void __once_proxy(void) {
    _ZSt11__once_call();
}

/* --- condition variables -------------------------------------------------------------------------------- */

struct unique_lock {
    struct mutex *mutex;
    char owns;
};

CALLERS_ACCESS void _ZNSt18condition_variableC1Ev(struct condition *c) {
    pthread_cond_init(c, NULL);
}
void _ZNSt18condition_variableD1Ev(struct condition *c) {
    pthread_cond_destroy(c);
}
CALLERS_ACCESS void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(struct condition *c,
                                                                              struct unique_lock *l) {
    pthread_cond_wait(c, l->mutex);
}
void _ZNSt18condition_variable10notify_oneEv(struct condition *c) {
    pthread_cond_signal(c);
}
void _ZNSt18condition_variable10notify_allEv(struct condition *c) {
    pthread_cond_broadcast(c);
}

/* --- what would throw ----------------------------------------------------------------------------------- */

#define THROWS(name, what)                                                                                   \
    void name(void) {                                                                                        \
        __heddle_unsupported("C++ exceptions: " what);                                                       \
    }

THROWS(__cxa_throw_bad_array_new_length, "std::bad_array_new_length")
THROWS(_ZSt17__throw_bad_allocv, "std::bad_alloc")
THROWS(_ZSt28__throw_bad_array_new_lengthv, "std::bad_array_new_length")
THROWS(_ZSt25__throw_bad_function_callv, "std::bad_function_call")
THROWS(_ZSt16__throw_bad_castv, "std::bad_cast")
