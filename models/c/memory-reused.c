// A freed pointer may equal one to a newer block, never one to a block that lived at the same time.
// expect: safe
// expect: safe --engine search
// expect: unsafe -DEQUAL
// expect: unsafe -DEQUAL --engine search
// expect: unsafe -DDIFFERENT
// expect: unsafe -DABA
// expect: safe -DABA -DNEVER_FREED
// expect: unsafe -DABA --engine search
// expect: unsafe -DTOGETHER
// expect: unknown -DACROSS
//
// ABA on a stack of malloc'd nodes: the slow thread reads the top, the fast one pops and frees it and pushes a
// new node, which may be the same memory. The slow one finds its pointer again and takes a stale successor.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    struct node *next;
    int value;
} node;

_Atomic(node *) top;
int pushed; // whether 2 was

static node *make(int value, node *next) {
    node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

static void *slow(void *argument) {
    node *seen = top;
    node *next = argument; // below 1
    if (seen == next || pushed) return 0;
    atomic_compare_exchange_strong(&top, &seen, next);
    return 0;
}

static void *fast(void *argument) {
    node *old = top;
    if (old == argument || !atomic_compare_exchange_strong(&top, &old, argument)) return 0;
#ifndef NEVER_FREED
    free(old);
#endif
    node *two = make(2, argument);
    node *three = make(3, two);
    pushed = 1;
    top = three;
    return 0;
}

static void aba(void) {
    pthread_t s, f;
    node *below = make(0, 0);
    top = make(1, below);
    pthread_create(&f, 0, fast, below);
    pthread_create(&s, 0, slow, below);
    pthread_join(f, 0);
    pthread_join(s, 0);
    int found = 0;
    for (node *n = top; n; n = n->next) found += n->value == 2;
    assert(found == pushed); // slow takes 1 or nothing
}

int main(void) {
    char *p = malloc(4), *older = malloc(4), *kept = older;
    free(p);
    assert(p != older);
    char *q = malloc(4), *r = malloc(4);
    assert(!(p == q && p == r));
    if (p == q) {
        assert(p == q && q == p); // as it was
        assert(p != r);
    }
    free(older);
    assert(kept != q && kept != r);
#ifdef EQUAL
    assert(p != q);
#endif
#ifdef DIFFERENT
    assert(p == q);
#endif
#ifdef TOGETHER // three that did not live at the same time
    free(q);
    char *again = malloc(4);
    assert(!(p == q && q == again));
#endif
#ifdef ACROSS // another one might lie across it: no replay knows how
    assert(p + 1 != q);
#endif
#ifdef ABA
    aba();
#endif
    (void)aba;
    return 0;
}
