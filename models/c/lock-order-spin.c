// expect: safe
// expect: unsafe --property deadlock
// expect: unsafe --property deadlock --engine search
// expect: unsafe --property deadlock --engine search -DBUSY
// expect: safe --property deadlock -DSAME_ORDER
//
// A deadlock of some threads: two take two locks in different orders, while a third one waits for a flag in a
// loop (or keeps itself busy until it is set), which main would set after the other two have ended.

#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
atomic_int stop;
atomic_int beat;

void *a_then_b(void *argument) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return argument;
}

void *b_then_a(void *argument) {
#ifdef SAME_ORDER
    return a_then_b(argument);
#else
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
#endif
}

void *watch(void *argument) {
    while (!stop) {
#ifdef BUSY
        beat = (beat + 1) % 5;
#endif
    }
    return argument;
}

int main(void) {
    pthread_t first, second, third;
    pthread_create(&first, 0, a_then_b, 0);
    pthread_create(&second, 0, b_then_a, 0);
    pthread_create(&third, 0, watch, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    stop = 1;
    pthread_join(third, 0);
    return 0;
}
