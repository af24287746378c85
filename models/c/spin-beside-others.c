// expect: unsafe --property deadlock
// expect: unsafe --property deadlock --engine search --visited compact
// expect: safe --property deadlock -DGOES
// expect: safe --property deadlock -DENDS
// note: wait_for_go still goes round in a loop that waits when the program ends
// expect: unsafe --property deadlock -DENDS --blocked-at-exit
// expect: safe --property deadlock -DENDS --blocked-at-exit -DGOES
//
// A thread polls a variable that nobody writes while main goes on for ever with something else, or ends.
#include <pthread.h>
#include <stdatomic.h>

atomic_int go, tick;

void *wait_for_go(void *unused) {
    while (!go) ;
    return unused;
}

int main(void) {
    pthread_t waiting;
    pthread_create(&waiting, 0, wait_for_go, 0);
#ifdef GOES
    go = 1;
#endif
#ifndef ENDS
    for (;;) tick = (tick + 1) % 3;
#endif
    return 0;
}
