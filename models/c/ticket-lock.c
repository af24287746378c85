// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
//
// A ticket lock: tickets are drawn by an atomic addition and served in order. Three threads.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

atomic_uint next_ticket, now_served;
int counter;

void *visit(void *argument) {
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (now_served != mine) {
    }
    int before = counter;
    counter = before + 1;
    now_served = mine + 1;
    return argument;
}

int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], 0, visit, 0);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    assert(counter == N);
    return 0;
}
