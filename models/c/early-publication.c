// expect: unsafe --property race -DORDER=relaxed
// expect: unsafe --property race --memory-model sc -DORDER=relaxed
// expect: safe --property race -DORDER=seq_cst
//
// A node is written while nobody else can reach it, and then handed out. The write happens before the read of
// another thread only if the hand-over releases and acquires: relaxed ones order nothing (C11 5.1.2.4), and what
// was written in private races.

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define JOINED(order) memory_order_##order
#define DECLARED(order) JOINED(order)

int *_Atomic head;

void *maker(void *unused) {
    int *node = malloc(sizeof *node);
    *node = 1;
    atomic_store_explicit(&head, node, DECLARED(ORDER));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, maker, NULL);
    int *node = atomic_load_explicit(&head, DECLARED(ORDER));
    return node ? *node - 1 : 0;
}
