// expect: unsafe
//
// The filter lock with one level too few: the last filter is missing, and of three threads two get through.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 3

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
    for (int l = 1; l < N - 1; l++) {
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
