// expect: unknown
//
// Cancelling threads is not modelled. The answer names the function instead of pretending.

#include <pthread.h>
#include <unistd.h>

void *wait_for_ever(void *argument) {
    for (;;)
        pause();
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait_for_ever, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return 0;
}
