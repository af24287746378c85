/* What include/symcpp is written on: threads that are started once, a binary semaphore that is any int, and
 * inputs with one branch for each value. The symbolic inputs are known to the translator (builtins.c). */
#include "models.h"

void symcpp_start(unsigned *started, void *(*run)(void *), void *thread) {
    __heddle_atomic_begin();
    int first = !*started;
    *started = 1;
    if (first) {
        pthread_t number;
        pthread_create(&number, NULL, run, thread);
    }
    __heddle_atomic_end();
}

void symcpp_await(unsigned *semaphore) {
    __heddle_await_above(semaphore, ~0u, 0);
    *semaphore = 0;
    __heddle_atomic_end();
}

int symcpp_nondet_explicit(int low, int high) {
    if (low > high) return 0;
    int drawn = low;
    while (drawn < high && __heddle_input_8("another")) drawn++;
    return drawn;
}
