// expect: safe
// expect: safe --property leak
// expect: safe --property race
//
// Thread-specific data: each thread finds its own value under the common key, and the destructor frees it
// when the thread ends, by returning or by pthread_exit.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

pthread_key_t key;

static void remember(int value) {
    int *own = malloc(sizeof *own);
    *own = value;
    pthread_setspecific(key, own);
}

static int recall(void) {
    return *(int *)pthread_getspecific(key);
}

void *work(void *argument) {
    int value = (int)(intptr_t)argument;
    assert(!pthread_getspecific(key));
    remember(value);
    assert(recall() == value);
    if (value == 2)
        pthread_exit(0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, free);
    pthread_create(&a, 0, work, (void *)1);
    pthread_create(&b, 0, work, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!pthread_getspecific(key));
    pthread_key_delete(key);
    return 0;
}
