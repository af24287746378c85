// expect: safe --property assert
// expect: unsafe --property assert -DFORGETS
//
// A level that moves by any amount, and the highest level seen: never below the level itself.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int level, highest;

static void *move(void *unused) {
    for (;;) {
        int next = __VERIFIER_nondet_int();
        pthread_mutex_lock(&lock);
        level = next;
#ifdef FORGETS
        if (next > highest && next != 7) highest = next;
#else
        if (next > highest) highest = next;
#endif
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, move, 0);
    pthread_create(&second, 0, move, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(level <= highest);
        pthread_mutex_unlock(&lock);
    }
}
