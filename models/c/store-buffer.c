// expect: safe
// note: holds on sequentially consistent machines only: data race between
// note: store-buffer.c:31 and
// note: store-buffer.c:38
// expect: safe --engine search
// note: store-buffer.c:31 and
// expect: safe --jobs 1
// note: store-buffer.c:38
// expect: unsafe --property race
// expect: safe --property assert,race -DATOMIC
// note: none
// expect: safe -DATOMIC
// note: none
//
// Dekker's test: one of the threads sees what the other has written. Every interleaving agrees, processors
// with store buffers do not, and `volatile` does not help. Whoever does not ask about races is told that
// there is one.

#include <assert.h>
#include <pthread.h>

#ifdef ATOMIC
_Atomic int wants[2];
#else
volatile int wants[2];
#endif
int other_wants[2];

void *left(void *unused) {
    wants[0] = 1;
    other_wants[0] = wants[1];
    return unused;
}

// The same with the roles changed.

void *right(void *unused) {
    wants[1] = 1;
    other_wants[1] = wants[0];
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(other_wants[0] || other_wants[1]);
    return 0;
}
