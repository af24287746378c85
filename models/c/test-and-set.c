// expect: safe
// expect: safe --property race
//
// A spin lock on atomic_flag. Two threads, each entering twice.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag busy = ATOMIC_FLAG_INIT;
int inside;

void *enter(void *argument) {
    for (int round = 0; round < 2; round++) {
        while (atomic_flag_test_and_set(&busy)) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        atomic_flag_clear(&busy);
    }
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
