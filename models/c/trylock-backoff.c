// expect: safe
// expect: safe --property deadlock
// expect: safe --property race
//
// Two locks taken in different orders without deadlock: who does not get the second one gives the first one
// back, and after one such attempt takes them in the agreed order.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int both;

static void work(void) {
    both++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
}

void *a_then_b(void *argument) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    work();
    return argument;
}

void *b_then_a(void *argument) {
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) != 0) {
        pthread_mutex_unlock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
    }
    work();
    return argument;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, a_then_b, 0);
    pthread_create(&y, 0, b_then_a, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    assert(both == 2);
    return 0;
}
