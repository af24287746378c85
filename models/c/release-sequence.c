// expect: safe --property race --memory-model sc -DMODIFY
// expect: safe --property race --memory-model sc -DEXCHANGE
// expect: unsafe --property race -DOTHER_STORE
// expect: unsafe --property race -DOWN_STORE
// expect: unsafe --property race -DFAILS
//
// The flag that releases the message is changed before the reader sees it. Read-modify-write operations pass
// on what came with the value that they replace, whatever their own order is; another store does not, also
// not of the same thread (C++20). A compare-exchange that fails writes nothing and acquires by its own order.

#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int ready;

void *sender(void *unused) {
    message = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
#ifdef OWN_STORE
    atomic_store_explicit(&ready, 2, memory_order_relaxed);
#endif
    return unused;
}

void *changer(void *unused) {
#if defined MODIFY
    atomic_fetch_add_explicit(&ready, 1, memory_order_relaxed);
#elif defined EXCHANGE
    int one = 1;
    atomic_compare_exchange_strong_explicit(&ready, &one, 2, memory_order_relaxed, memory_order_relaxed);
#elif defined OTHER_STORE
    if (atomic_load_explicit(&ready, memory_order_relaxed) == 1)
        atomic_store_explicit(&ready, 2, memory_order_release);
#endif
    return unused;
}

void *receiver(void *unused) {
#ifdef FAILS
    int zero = 0;
    if (!atomic_compare_exchange_strong_explicit(&ready, &zero, 0, memory_order_acquire,
                                                 memory_order_relaxed))
        return message ? unused : NULL;
#else
    if (atomic_load_explicit(&ready, memory_order_acquire) == 2) return message ? unused : NULL;
#endif
    return unused;
}

int main(void) {
    pthread_t threads[3];
    void *(*const tasks[])(void *) = {sender, changer, receiver};
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, tasks[i], NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
