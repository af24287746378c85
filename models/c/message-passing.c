// expect: unsafe --property race -DPUT=relaxed -DGET=acquire
// expect: unsafe --property race -DPUT=release -DGET=relaxed
// expect: unsafe --property race --memory-model sc -DPUT=relaxed -DGET=seq_cst
// expect: unknown --property race -DPUT=release -DGET=acquire
// expect: safe --property race --memory-model sc -DPUT=release -DGET=acquire
// expect: safe --property race --memory-model sc -DPUT=release -DGET=consume
// expect: unknown --property race --memory-model sc -DPUT=release -DGET=relaxed --engine search
// expect: safe --property race -DPUT=seq_cst -DGET=seq_cst
// expect: safe --property race -DPUT=seq_cst -DGET=seq_cst --engine search
// expect: safe --property race --memory-model sc -DPUT=relaxed -DGET=relaxed -DFENCE=release -DTHEN=acquire
// expect: safe --property race --memory-model sc -DPUT=relaxed -DGET=acquire -DFENCE=seq_cst
// expect: safe --property race --memory-model sc -DPUT=release -DGET=relaxed -DTHEN=acq_rel
// expect: unsafe --property race -DPUT=relaxed -DGET=relaxed -DFENCE=release
// expect: unsafe --property race -DPUT=relaxed -DGET=relaxed -DFENCE=acquire -DTHEN=release
// expect: unsafe --property race -DPUT=relaxed -DGET=relaxed -DSIGNAL
//
// A message and a flag. Whether the reader may look at the message depends on what the accesses to the flag,
// or fences beside them, promise. No interleaving has both accesses to the message next to each other.

#include <pthread.h>
#include <stdatomic.h>

#define JOINED(order) memory_order_##order
#define ORDER(order)  JOINED(order)

int message;
atomic_int ready;

void *sender(void *unused) {
    message = 1;
#ifdef FENCE
    atomic_thread_fence(ORDER(FENCE));
#endif
#ifdef SIGNAL
    atomic_signal_fence(memory_order_seq_cst);
#endif
    atomic_store_explicit(&ready, 1, ORDER(PUT));
    return unused;
}

void *receiver(void *unused) {
    if (!atomic_load_explicit(&ready, ORDER(GET))) return unused;
#ifdef THEN
    atomic_thread_fence(ORDER(THEN));
#endif
#ifdef SIGNAL
    atomic_signal_fence(memory_order_seq_cst);
#endif
    return message == 1 ? unused : NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, sender, NULL);
    pthread_create(&threads[1], NULL, receiver, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
