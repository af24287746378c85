// expect: safe
// expect: safe --property leak
// expect: safe --property deadlock
// expect: safe --property race
//
// A sorted list with one lock per node, taken hand over hand. Two threads insert; main checks the order and
// frees the list.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
    pthread_mutex_t lock;
};

struct node head = {0, 0, PTHREAD_MUTEX_INITIALIZER};

static void insert(int key) {
    struct node *fresh = malloc(sizeof *fresh), *before = &head;
    fresh->key = key;
    pthread_mutex_init(&fresh->lock, 0);
    pthread_mutex_lock(&before->lock);
    while (before->next && before->next->key < key) {
        struct node *next = before->next;
        pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&before->lock);
        before = next;
    }
    fresh->next = before->next;
    before->next = fresh;
    pthread_mutex_unlock(&before->lock);
}

void *work(void *argument) {
    insert((int)(intptr_t)argument);
    return 0;
}

int main(void) {
    pthread_t a, b;
    insert(2);
    pthread_create(&a, 0, work, (void *)3);
    pthread_create(&b, 0, work, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int expected = 0;
    for (struct node *n = head.next, *next; n; n = next) {
        assert(n->key == ++expected);
        next = n->next;
        free(n);
    }
    assert(expected == 3);
    return 0;
}
