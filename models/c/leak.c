// expect: unsafe --property leak
// expect: safe --property memory
// expect: safe --property leak -DEXCHANGE
//
// Two threads provide a shared buffer. If both find none, the buffer of the first one is forgotten; an atomic
// exchange hands each buffer to somebody who frees it.

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(char *) buffer;

void *replace(void *argument) {
    char *fresh = malloc(4);
#ifdef EXCHANGE
    free(atomic_exchange(&buffer, fresh));
#else
    if (!buffer)
        buffer = fresh;
    else
        free(fresh);
#endif
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, replace, 0);
    pthread_create(&b, 0, replace, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(buffer);
    return 0;
}
