// expect: safe
// expect: safe --engine search -DN=3
//
// The filter lock: N - 1 levels, at each of which the last to arrive waits as long as somebody else is at
// this level or above. The critical section is reached by one at a time. Executions multiply quickly with N,
// states do not.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

atomic_int level[N], last[N];
int inside;

static int somebody_is_at(int l, int me) {
    for (int i = 0; i < N; i++)
        if (i != me && level[i] >= l)
            return 1;
    return 0;
}

void *enter(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int l = 1; l < N; l++) {
        level[me] = l;
        last[l] = me;
        while (somebody_is_at(l, me) && last[l] == me) {
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    level[me] = 0;
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], 0, enter, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return 0;
}
