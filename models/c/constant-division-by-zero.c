// expect: unknown
// expect: unknown --property assert,deadlock
//
// Dividing constants by zero is folded by the compiler before anything can be executed: what is left says only that something is undefined.
#include <pthread.h>

int quotient;

static void *divide(void *arg) {
    (void)arg;
    quotient = 1 / (0 & 3);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, divide, 0);
    pthread_join(thread, 0);
    return 0;
}
