// expect: safe
// expect: unsafe -DEXIT_EARLY
//
// Functions registered by atexit run in reverse order when main returns. If a thread calls exit, they run
// there, while main may still be at work.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int finished, checks;

static void check_last(void) {
    assert(checks == 1);
}

static void check_first(void) {
    assert(finished);
    checks++;
}

void *worker(void *argument) {
#ifdef EXIT_EARLY
    exit(0);
#endif
    return argument;
}

int main(void) {
    pthread_t thread;
    atexit(check_last);
    atexit(check_first);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    finished = 1;
    return 0;
}
