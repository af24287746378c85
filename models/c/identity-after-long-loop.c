// expect: unknown --time 20s
// expect: unknown --time 20s --jobs 1
// expect: unknown --engine cegar
//
// Nobody but abstraction comes to the end of the loop; what it meets behind it has to come along with its answer:
// the thread that was joined by another may have given its identity to the last one.

#include <assert.h>
#include <pthread.h>

pthread_t first;
volatile int shared;

static void *nothing(void *argument) {
    return argument;
}

static void *joins(void *argument) {
    pthread_join(first, 0);
    return argument;
}

int main(void) {
    pthread_t busy, joiner, last;
    pthread_create(&busy, 0, nothing, 0);
    for (int i = 0; i < 1000000000; i++) shared = i;
    pthread_create(&first, 0, nothing, 0);
    pthread_create(&joiner, 0, joins, 0);
    pthread_create(&last, 0, nothing, 0);
    assert(!pthread_equal(first, last));
}
