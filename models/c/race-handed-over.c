// expect: unsafe --property race --memory-model sc --engine dpor
// expect: unsafe --property race
// expect: unsafe --property race -DZEROS
// expect: unsafe --property race -DBY_CREATION
// expect: unsafe --property race -DBY_RESULT
// expect: unsafe --property race -DFAILED_ATTEMPT
// expect: safe --property race -DRELEASES --memory-model sc
// expect: safe --property race -DFLAG --memory-model sc
// expect: safe --property race -DINSIDE --memory-model sc
// expect: unsafe --property race -DINSIDE -DLATER
//
// An object is filled while one thread alone can reach it, and handed to others by a pointer that orders nothing: what
// the owner did to it races with what they do. That holds wherever the pointer went on its way: as the argument of a new
// thread, as the result of one that was joined. With RELEASES the pointer hands on what happened before; with FLAG another
// variable does; with INSIDE a member of the object, written before anybody could reach it, orders what lies outside, but not what comes later (LATER).

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct box {
    int value;
    atomic_int filled;
} box;

static box *_Atomic handed;
static box *plain_handed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int outside;
static atomic_int flag;

static void hand(box *b) {
#ifdef RELEASES
    atomic_store_explicit(&handed, b, memory_order_release);
#elif defined FAILED_ATTEMPT
    plain_handed = b;
    pthread_mutex_lock(&lock);
#else
    atomic_store_explicit(&handed, b, memory_order_relaxed);
#endif
}

static box *take(void) {
#ifdef RELEASES
    return atomic_load_explicit(&handed, memory_order_acquire);
#elif defined FAILED_ATTEMPT
    return pthread_mutex_trylock(&lock) ? plain_handed : NULL;
#elif defined FLAG
    if (!atomic_load_explicit(&flag, memory_order_acquire)) return NULL;
    return atomic_load_explicit(&handed, memory_order_relaxed);
#else
    return atomic_load_explicit(&handed, memory_order_relaxed);
#endif
}

static box *make(void) {
#ifdef ZEROS
    return calloc(1, sizeof(box));
#else
    box *b = malloc(sizeof *b);
#ifdef INSIDE
    outside = 1;
    b->value = 1;
    atomic_store_explicit(&b->filled, 1, memory_order_release);
#ifdef LATER
    b->value = 2;
#endif
#else
    b->value = 1;
#endif
#ifdef FLAG
    atomic_store_explicit(&flag, 1, memory_order_release);
#endif
    return b;
#endif
}

static void *hand_on(void *b) {
    hand(b);
    return NULL;
}

static void *make_for_other(void *unused) {
    (void)unused;
    return make();
}

static void *owner(void *unused) {
    (void)unused;
#ifdef BY_CREATION
    pthread_t other;
    pthread_create(&other, NULL, hand_on, make());
    pthread_join(other, NULL);
#elif defined BY_RESULT
    pthread_t other;
    void *made;
    pthread_create(&other, NULL, make_for_other, NULL);
    pthread_join(other, &made);
    hand_on(made);
#else
    hand_on(make());
#endif
    return NULL;
}

static void *user(void *unused) {
    (void)unused;
    box *b = take();
    if (!b) return NULL;
#ifdef INSIDE
    if (atomic_load_explicit(&b->filled, memory_order_acquire)) outside = b->value;
#else
    b->value = 2;
#endif
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
