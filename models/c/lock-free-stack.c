// expect: safe
// expect: safe --property race
// expect: safe --property leak
//
// A lock-free stack: two threads push a node each and pop one. Nodes are freed by main only, so none is used
// again while somebody still looks at it.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

_Atomic(struct node *) top;

static void push(struct node *n) {
    n->next = top;
    while (!atomic_compare_exchange_strong(&top, &n->next, n)) {
    }
}

static struct node *pop(void) {
    struct node *n = top;
    while (n && !atomic_compare_exchange_strong(&top, &n, n->next)) {
    }
    return n;
}

void *push_and_pop(void *argument) {
    struct node *n = malloc(sizeof *n);
    n->value = (int)(intptr_t)argument;
    push(n);
    return pop();
}

int main(void) {
    pthread_t a, b;
    struct node *x, *y;
    pthread_create(&a, 0, push_and_pop, (void *)1);
    pthread_create(&b, 0, push_and_pop, (void *)2);
    pthread_join(a, (void **)&x);
    pthread_join(b, (void **)&y);
    assert(x && y && x != y);
    assert(x->value + y->value == 3);
    assert(!top);
    free(x);
    free(y);
    return 0;
}
