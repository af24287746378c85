// expect: unsafe
// expect: safe --property race
//
// Every access to the account is locked, but looking and taking are two critical sections: no data race, and
// yet two customers can take the same money.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;

static int look(void) {
    pthread_mutex_lock(&lock);
    int b = balance;
    pthread_mutex_unlock(&lock);
    return b;
}

static void take(int amount) {
    pthread_mutex_lock(&lock);
    balance -= amount;
    pthread_mutex_unlock(&lock);
}

void *customer(void *argument) {
    if (look() >= 80)
        take(80);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance >= 0);
    return 0;
}
