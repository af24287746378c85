// expect: unsafe
// expect: safe -DSET
//
// A function is called through a pointer that another thread may not have set yet.

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int (*handler)(int);

static int twice(int n) {
    return 2 * n;
}

static void *set(void *unused) {
    handler = twice;
    return unused;
}

int main(void) {
#ifdef SET
    handler = twice;
#endif
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    assert(handler(4) == 8);
    pthread_join(thread, NULL);
    return 0;
}
