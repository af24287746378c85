// expect: unsafe --property deadlock
// expect: unsafe --property livelock --engine search
// expect: unsafe --property livelock --engine search --order bfs
// expect: safe --property deadlock -DSET
// expect: safe --property deadlock --no-livelock
// expect: unsafe --property deadlock -DBEAT
// expect: safe --property deadlock -DBEAT -DGIVES_UP
// expect: unsafe --property deadlock -DBACKS_OFF
// expect: safe --property deadlock -DBACKS_OFF -DSET
// expect: safe --property deadlock -DAGAIN
// expect: unsafe --property deadlock -DSTOPS
//
// A thread that polls a flag which nobody sets tells how it fares: something changes in every round, and the
// loop is never left nevertheless.
#include <pthread.h>

volatile _Bool flag, status;
volatile unsigned char beat;
volatile int pause;

void *wait_for_flag(void *unused) {
#if defined(BEAT) && defined(GIVES_UP)
    while (!flag && beat < 5) beat++;
#elif defined(BEAT)
    while (!flag) beat++;
#elif defined(BACKS_OFF)
    for (int rounds = 1; !flag; rounds = rounds < 4 ? 2 * rounds : 4)
        for (int i = 0; i < rounds; i++) pause = i;
#elif defined(AGAIN)
    for (;;) // the inner loop is left again and again
        while (!flag) status = !status;
#else
    while (!flag) status = !status;
#endif
    return unused;
}

void *set_flag(void *unused) {
#if defined(SET) || defined(AGAIN)
    flag = 1;
#elif defined(STOPS)
    flag = 1;
    flag = 0;
#endif
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, wait_for_flag, 0);
    pthread_create(&other, 0, set_flag, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
