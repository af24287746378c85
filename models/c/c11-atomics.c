// expect: safe
// expect: safe --property race
// expect: unsafe -DIN_TWO_STEPS
//
// C11 atomics: a maximum and a sum kept by two threads. An atomic object does not make two operations on it
// one: the update in two steps loses a value.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int sum, largest;

void *report(void *argument) {
    int value = (int)(intptr_t)argument;
#ifdef IN_TWO_STEPS
    sum = sum + value;
#else
    sum += value;
#endif
    int seen = largest;
    while (value > seen && !atomic_compare_exchange_weak(&largest, &seen, value)) {
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, report, (void *)3);
    pthread_create(&b, 0, report, (void *)5);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 8);
    assert(largest == 5);
    return 0;
}
