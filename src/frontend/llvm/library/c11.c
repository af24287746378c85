/* <threads.h>, on the models of pthreads: mtx_t and cnd_t are as large as their counterparts in glibc,
 * thrd_t, tss_t and once_flag are the same. */
#include "models.h"

enum { SUCCESS = 0, BUSY = 1, ERROR = 2, TIMED_OUT = 4 };
enum { MUTEX_RECURSIVE = 1, MUTEX_TIMED = 2 };

struct start_record {
    int (*start)(void *);
    void *argument;
};

/* The first frame of a C11 thread: its result is an int, that of a thread is a pointer. */
FIRST_FRAME static void *c11_thread(void *given) {
    struct start_record *record = given;
    __heddle_atomic_begin();
    int (*start)(void *) = record->start;
    void *argument = record->argument;
    __heddle_free(record);
    __heddle_atomic_end();
    void *result = (void *)(long)start(argument);
    if (__heddle_thread_keys) __model_run_destructors();
    return result;
}

CALLERS_ACCESS int thrd_create(pthread_t *thread, int (*start)(void *), void *argument) {
    struct start_record *record = __heddle_alloc(sizeof *record, 1);
    record->start = start;
    record->argument = argument;
    *thread = identity_of_thread(__heddle_create(c11_thread, record));
    return SUCCESS;
}

static int result_of(int error) {
    switch (error) {
    case 0: return SUCCESS;
    case EBUSY: return BUSY;
    case ETIMEDOUT: return TIMED_OUT;
    default: return ERROR;
    }
}

CALLERS_ACCESS int thrd_join(pthread_t thread, int *result) {
    void *returned = NULL;
    int error = __model_join(thread, &returned);
    if (error == 0 && result) *result = (int)(long)returned;
    return result_of(error);
}

int thrd_detach(pthread_t thread) {
    return result_of(pthread_detach(thread));
}

void thrd_exit(int result) {
    pthread_exit((void *)(long)result);
}

pthread_t thrd_current(void) {
    return pthread_self();
}

int thrd_equal(pthread_t a, pthread_t b) {
    return a == b;
}

void thrd_yield(void) {}

/* No signal interrupts it, so nothing remains. */
CALLERS_ACCESS int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
    (void)remaining;
    return is_time(duration) && duration->seconds >= 0 ? 0 : -2;
}

void call_once(unsigned *once, void (*routine)(void)) {
    pthread_once(once, routine);
}

/* A type that C does not know is a plain mutex in glibc. */
int mtx_init(struct mutex *m, int type) {
    __heddle_atomic_begin();
    m->lock = 0;
    m->count = 0;
    m->kind = (type & ~MUTEX_TIMED) == MUTEX_RECURSIVE;
    __heddle_atomic_end();
    return SUCCESS;
}

void mtx_destroy(struct mutex *m) {
    pthread_mutex_destroy(m);
}

int mtx_lock(struct mutex *m) {
    return result_of(pthread_mutex_lock(m));
}

int mtx_trylock(struct mutex *m) {
    return result_of(pthread_mutex_trylock(m));
}

int mtx_timedlock(struct mutex *m, const struct timespec *until) {
    return result_of(pthread_mutex_timedlock(m, until));
}

int mtx_unlock(struct mutex *m) {
    return result_of(pthread_mutex_unlock(m));
}

int cnd_init(struct condition *c) {
    return result_of(pthread_cond_init(c, NULL));
}

void cnd_destroy(struct condition *c) {
    pthread_cond_destroy(c);
}

int cnd_wait(struct condition *c, struct mutex *m) {
    return result_of(pthread_cond_wait(c, m));
}

int cnd_timedwait(struct condition *c, struct mutex *m, const struct timespec *until) {
    return result_of(pthread_cond_timedwait(c, m, until));
}

int cnd_signal(struct condition *c) {
    return result_of(pthread_cond_signal(c));
}

int cnd_broadcast(struct condition *c) {
    return result_of(pthread_cond_broadcast(c));
}

int tss_create(pthread_key_t *key, void (*destructor)(void *)) {
    return result_of(pthread_key_create(key, destructor));
}

void tss_delete(pthread_key_t key) {
    pthread_key_delete(key);
}

void *tss_get(pthread_key_t key) {
    return pthread_getspecific(key);
}

int tss_set(pthread_key_t key, void *value) {
    return result_of(pthread_setspecific(key, value));
}
