// expect: safe --property deadlock
// expect: safe --property deadlock --engine search
// expect: unsafe --property deadlock -DHOLDS_LOCK
// expect: unsafe --property deadlock --engine search -DHOLDS_LOCK
// expect: unsafe --property deadlock -DHOLDS_LOCK -DSILENT
//
// Main waits for the end of a thread that looks for requests for ever: that is how servers are, and no
// deadlock. If the server does it while it holds a lock, whoever wants the lock is blocked for ever.

#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int request;

void *serve(void *argument) {
#ifdef HOLDS_LOCK
    pthread_mutex_lock(&lock);
#endif
    for (;;) {
#ifndef SILENT
        if (request) request = 0;
#endif
    }
    return argument;
}

int main(void) {
    pthread_t server;
    pthread_create(&server, 0, serve, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(server, 0);
    return 0;
}
