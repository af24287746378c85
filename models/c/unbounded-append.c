// expect: safe --engine cegar
// expect: unsafe --engine cegar -DOVERWRITE
//
// A list of any length that grows at its end. No other node is ever marked like the first one.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int mark;
    struct node *next;
};

int main(void) {
    struct node *first = malloc(sizeof *first), *last = first;
    first->mark = 1;
    first->next = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->mark = 0;
        n->next = 0;
        last->next = n;
        last = n;
    }
#ifdef OVERWRITE
    if (first->next && first->next->next) first->next->next->mark = 1;
#endif
    for (struct node *n = first->next; n; n = n->next) assert(n->mark != 1);
    return 0;
}
