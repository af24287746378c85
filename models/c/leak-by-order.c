// expect: unsafe --property leak
// expect: unsafe --property leak --engine search
// expect: safe --property leak -DKEEP
//
// Only the second to come loses its object, so only one order of the two threads leaks. States that differ in
// nothing but a lost object must not be taken for each other.

#include <pthread.h>
#include <stdlib.h>

int arrivals;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *counts(void *unused) {
    pthread_mutex_lock(&lock);
    arrivals++;
    pthread_mutex_unlock(&lock);
    return unused;
}

void *counts_and_loses(void *unused) {
    pthread_mutex_lock(&lock);
    arrivals++;
    if (arrivals == 2) {
        int *object = malloc(sizeof *object);
#ifdef KEEP
        free(object);
#else
        (void)object;
#endif
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, counts, 0);
    pthread_create(&b, 0, counts_and_loses, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
