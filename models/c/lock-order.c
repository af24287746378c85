// expect: safe
// expect: unsafe --property deadlock
// expect: safe --property deadlock -DSAME_ORDER
//
// Two locks taken in different orders: each thread can hold one and wait for the other.

#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *a_then_b(void *argument) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return argument;
}

void *b_then_a(void *argument) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, a_then_b, 0);
#ifdef SAME_ORDER
    pthread_create(&y, 0, a_then_b, 0);
    (void)b_then_a;
#else
    pthread_create(&y, 0, b_then_a, 0);
#endif
    pthread_join(x, 0);
    pthread_join(y, 0);
    return 0;
}
