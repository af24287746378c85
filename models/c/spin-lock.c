// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
//
// pthread_spinlock_t: a counter increased by two threads, one of which gives up when the lock is taken.

#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int counter, gave_up;

void *patient(void *argument) {
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return argument;
}

void *impatient(void *argument) {
    if (pthread_spin_trylock(&lock) == 0) {
        counter++;
        pthread_spin_unlock(&lock);
    } else {
        gave_up = 1;
    }
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, patient, 0);
    pthread_create(&b, 0, impatient, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter + gave_up == 2);
    pthread_spin_destroy(&lock);
    return 0;
}
