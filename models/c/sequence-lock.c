// expect: safe
// expect: unsafe -DNO_SECOND_LOOK
//
// A sequence lock: the writer makes the count odd while it works; a reader tries again unless it saw the same
// even count before and after.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint count;
atomic_int low, high;

void *writer(void *argument) {
    count++;
    low = 1;
    high = 1;
    count++;
    return argument;
}

int main(void) {
    pthread_t thread;
    int a, b;
    unsigned before;
    pthread_create(&thread, 0, writer, 0);
    do {
        before = count;
        a = low;
        b = high;
#ifdef NO_SECOND_LOOK
    } while (before % 2);
#else
    } while (before % 2 || count != before);
#endif
    assert(a == b);
    pthread_join(thread, 0);
    return 0;
}
