// expect: safe
// expect: safe --property race
// expect: unsafe --property race -DOVERLAP=1
// traces: 1
//
// A matrix is transposed and added by threads that own one row of the result each: they write disjoint cells
// and need no lock, and one execution represents all of them. With overlapping rows it is a race.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 3
#ifndef OVERLAP
#define OVERLAP 0
#endif

int in[N][N] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, out[N * N];

void *row(void *argument) {
    int r = (int)(intptr_t)argument;
    for (int c = 0; c < N; c++)
        out[r * (N - OVERLAP) + c] = in[r][c] + in[c][r];
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], 0, row, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    if (!OVERLAP)
        for (int r = 0; r < N; r++)
            for (int c = 0; c < N; c++)
                assert(out[r * N + c] == out[c * N + r]);
    return 0;
}
