// expect: unsafe --property leak
// expect: unsafe --property leak --engine search
// expect: safe --property leak -DWAIT
//
// The program can end while a thread holds an object that nobody else ever sees.

#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused) {
    int *scratch = malloc(sizeof *scratch);
    free(scratch);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
#ifdef WAIT
    pthread_join(t, 0);
#endif
    return 0;
}
