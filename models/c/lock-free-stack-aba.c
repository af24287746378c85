// expect: unsafe
//
// The ABA problem: the slow thread reads node 0 and its successor 1; meanwhile the fast one pops both and
// pushes 0 back. The comparison finds 0 again and makes 1 the top, although it is not in the stack any more.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NONE (-1)

int next_of[2] = {1, NONE};
atomic_int top; // 0: the stack holds 0, then 1
int taken[2];

static int pop(void) {
    int node = top;
    while (node != NONE && !atomic_compare_exchange_strong(&top, &node, next_of[node])) {
    }
    return node;
}

static void push(int node) {
    int old = top;
    do
        next_of[node] = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

static void use(int node) {
    if (node == NONE)
        return;
    taken[node]++;
    assert(taken[node] == 1);
}

void *slow(void *argument) {
    use(pop());
    return argument;
}

void *fast(void *argument) {
    int a = pop();
    if (a == NONE)
        return argument;
    int b = pop();
    push(a);
    use(b);
    use(pop());
    return argument;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, slow, 0);
    pthread_create(&y, 0, fast, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    return 0;
}
