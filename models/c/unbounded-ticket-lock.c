// expect: safe --engine cegar --property assert
//
// A ticket lock whose tickets are never used up: nobody enters while another one is inside, whatever the
// numbers are.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket, now_serving;
int inside;

void *customer(void *argument) {
    for (;;) {
        unsigned mine = atomic_fetch_add(&next_ticket, 1);
        while (atomic_load(&now_serving) != mine) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        atomic_store(&now_serving, mine + 1);
    }
    return argument;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, customer, 0);
    customer(0);
    return 0;
}
