// expect: safe
// expect: safe --property deadlock
// expect: safe --property race
//
// Transfers between two accounts in both directions. Both locks are taken in the order of the accounts, so
// the sum is kept and nobody waits for ever. The amounts are inputs.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct account {
    pthread_mutex_t lock;
    int balance;
} account[2];

struct order {
    int from, to, amount;
};

void *transfer(void *argument) {
    const struct order *o = argument;
    int low = o->from < o->to ? o->from : o->to, high = o->from + o->to - low;
    pthread_mutex_lock(&account[low].lock);
    pthread_mutex_lock(&account[high].lock);
    if (o->amount > 0 && account[o->from].balance >= o->amount) {
        account[o->from].balance -= o->amount;
        account[o->to].balance += o->amount;
    }
    pthread_mutex_unlock(&account[high].lock);
    pthread_mutex_unlock(&account[low].lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    struct order there = {0, 1, __VERIFIER_nondet_int()}, back = {1, 0, __VERIFIER_nondet_int()};
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&account[i].lock, 0);
        account[i].balance = 100;
    }
    pthread_create(&a, 0, transfer, &there);
    pthread_create(&b, 0, transfer, &back);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(account[0].balance + account[1].balance == 200);
    assert(account[0].balance >= 0 && account[1].balance >= 0);
    return 0;
}
