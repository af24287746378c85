// expect: safe --engine cegar
// expect: unsafe --engine cegar -DTHREE
//
// A list of any length whose nodes all hold 1 or 2, looked through and freed afterwards.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (__VERIFIER_nondet_int())
            n->value = 1;
        else
            n->value = 2;
#ifdef THREE
        if (head && head->value == 2 && head->next && head->next->value == 1) n->value++;
#endif
        n->next = head;
        head = n;
    }
    for (struct node *n = head; n; n = n->next) assert(n->value == 1 || n->value == 2);
    while (head) {
        struct node *n = head;
        head = n->next;
        free(n);
    }
    return 0;
}
