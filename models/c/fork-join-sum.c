// expect: safe
// expect: safe --property race
// traces: 1
//
// Parts of a sum, computed by threads that get their range through a pointer and hand the result back through
// pthread_join.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define PARTS 3

struct range {
    int from, to;
};

void *sum(void *argument) {
    const struct range *r = argument;
    intptr_t total = 0;
    for (int i = r->from; i < r->to; i++)
        total += i;
    return (void *)total;
}

int main(void) {
    pthread_t thread[PARTS];
    struct range range[PARTS];
    intptr_t total = 0;
    for (int i = 0; i < PARTS; i++) {
        range[i] = (struct range){i * 4, i * 4 + 4};
        pthread_create(&thread[i], 0, sum, &range[i]);
    }
    for (int i = 0; i < PARTS; i++) {
        void *part;
        pthread_join(thread[i], &part);
        total += (intptr_t)part;
    }
    assert(total == 66); // 0 + 1 + ... + 11
    return 0;
}
