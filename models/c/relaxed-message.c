// expect: unknown
// expect: safe --memory-model sc
//
// A message behind a relaxed flag. In some order of all steps nothing goes wrong, but the hardware may show
// the flag before the message: without that order assumed there is no `safe`.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int message, ready;

void *send(void *argument) {
    atomic_store_explicit(&message, 1, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, send, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);
    pthread_join(thread, 0);
    return 0;
}
