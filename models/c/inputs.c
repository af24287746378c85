// expect: safe
// expect: unsafe -DSPREAD=-1
//
// Unknown inputs: two threads clamp a measured value from both sides. Whatever the value and the order, the
// result is within the limits as long as these are in order.

#include <assert.h>
#include <pthread.h>

#ifndef SPREAD
#define SPREAD 10
#endif

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int value, low, high;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *raise_to_low(void *argument) {
    pthread_mutex_lock(&lock);
    if (value < low)
        value = low;
    pthread_mutex_unlock(&lock);
    return argument;
}

void *cut_to_high(void *argument) {
    pthread_mutex_lock(&lock);
    if (value > high)
        value = high;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    value = __VERIFIER_nondet_int();
    low = __VERIFIER_nondet_int();
    __VERIFIER_assume(low > -1000 && low < 1000);
    high = low + SPREAD;
    pthread_create(&a, 0, raise_to_low, 0);
    pthread_create(&b, 0, cut_to_high, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(low <= value && value <= high);
    return 0;
}
