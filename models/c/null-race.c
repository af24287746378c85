// expect: unsafe --property memory
//
// A pointer is tested, then another thread clears it, then it is followed.

#include <pthread.h>
#include <stdatomic.h>

int cell;
_Atomic(int *) pointer = &cell;

void *clear(void *argument) {
    pointer = 0;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, clear, 0);
    if (pointer)
        *pointer = 1;
    pthread_join(thread, 0);
    return 0;
}
