// expect: safe
// expect: unsafe --property race
//
// A data race that no assertion sees: the reader takes whatever it finds, but nothing orders its read and the
// write of the other thread. The join orders main's read.

#include <assert.h>
#include <pthread.h>

int temperature = 20;

void *measure(void *argument) {
    temperature = 21;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, measure, 0);
    int seen = temperature;
    assert(seen == 20 || seen == 21);
    pthread_join(thread, 0);
    assert(temperature == 21);
    return 0;
}
