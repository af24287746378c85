// expect: unsafe
// expect: unsafe --engine search
// expect: unsafe --engine lazypor
// expect: unsafe -DINSIDE_ONE_ARRAY
// expect: safe -DLOCKED
//
// Assigning one shared structure to another reads a member first and writes it later: whatever happens in
// between is overwritten with the old value.

#include <assert.h>
#include <pthread.h>

struct pair {
    int left, right;
} all[2], other;
#ifdef INSIDE_ONE_ARRAY
#define target all[1]
#else
#define target other
#endif
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

void *copier(void *unused) {
    enter();
    target = all[0];
    leave();
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, copier, 0);
    enter();
    all[0].left = 1;
    target.left = 2;
    leave();
    pthread_join(t, 0);
    assert(target.left != 0);
    return 0;
}
