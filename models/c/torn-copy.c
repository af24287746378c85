// expect: unsafe
// expect: unsafe --engine search
// expect: safe -DLOCKED
//
// Assigning a structure is no atomic operation: its members are copied one after the other.

#include <assert.h>
#include <pthread.h>

struct pair {
    int left, right;
} shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
}

static void leave(void) {
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

void *writer(void *unused) {
    struct pair ones = {1, 1};
    enter();
    shared = ones;
    leave();
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    enter();
    struct pair seen = shared;
    leave();
    assert(seen.left == seen.right);
    pthread_join(t, 0);
    return 0;
}
