/* Thread-specific data, and errno, which is such data of the library itself.
 *
 * Cells are addressed by [key][thread]: threads that use their own values never conflict. */
#include "models.h"

enum { MOST_KEYS = 16, MOST_ROUNDS = 4 /* PTHREAD_DESTRUCTOR_ITERATIONS */ };

static unsigned used[MOST_KEYS];
static void (*destructors[MOST_KEYS])(void *);
static void *values[MOST_KEYS][MOST_THREADS];
static int errors[MOST_THREADS];

int *__errno_location(void) {
    return &errors[running_thread()];
}

static unsigned make_key(void (*destructor)(void *)) {
    __heddle_atomic_begin();
    unsigned free_key = 0;
    while (free_key < MOST_KEYS && used[free_key]) free_key++;
    if (free_key == MOST_KEYS) __heddle_unsupported("more than 16 keys of thread-specific data");
    used[free_key] = 1;
    destructors[free_key] = destructor;
    for (unsigned thread = 0; thread < MOST_THREADS; thread++)
        if (values[free_key][thread]) values[free_key][thread] = NULL;
    __heddle_atomic_end();
    return free_key;
}

CALLERS_ACCESS int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    if (destructor && !__heddle_thread_keys) __heddle_unsupported("destructors of thread-specific data");
    *key = make_key(destructor);
    return 0;
}

int pthread_key_delete(pthread_key_t key) {
    if (key >= MOST_KEYS) return EINVAL;
    __heddle_atomic_begin();
    int known = used[key] != 0;
    used[key] = 0;
    __heddle_atomic_end();
    return known ? 0 : EINVAL;
}

/* A key that was not made, or deleted, is undefined; glibc has no value for it. */
void *pthread_getspecific(pthread_key_t key) {
    if (key >= MOST_KEYS) return NULL;
    unsigned self = running_thread();
    __heddle_atomic_begin();
    void *value = used[key] ? values[key][self] : NULL;
    __heddle_atomic_end();
    return value;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
    if (key >= MOST_KEYS) return EINVAL;
    unsigned self = running_thread();
    __heddle_atomic_begin();
    int known = used[key] != 0;
    if (known) values[key][self] = (void *)value;
    __heddle_atomic_end();
    return known ? 0 : EINVAL;
}

/* Takes the value of the next key from *key on that still needs its destructor; NULL: there is none. */
static void *take_next_value(unsigned *key, void (**destructor)(void *)) {
    unsigned self = running_thread();
    void *value = NULL;
    __heddle_atomic_begin();
    for (; *key < MOST_KEYS && !value; ++*key)
        if (used[*key] && destructors[*key]) {
            value = values[*key][self];
            *destructor = destructors[*key];
            if (value) values[*key][self] = NULL;
        }
    __heddle_atomic_end();
    return value;
}

void __model_run_destructors(void) {
    for (int round = 0, again = 1; again && round < MOST_ROUNDS; round++) {
        void (*destructor)(void *) = NULL;
        void *value;
        unsigned key = 0;
        again = 0;
        while ((value = take_next_value(&key, &destructor)) != NULL) {
            destructor(value);
            again = 1;
        }
    }
}
