// expect: safe
// expect: safe --engine search
// expect: safe --engine search --order astar --weight 1 --guide coarse
// expect: unknown --engine search -DAPART
//
// Two sums agree wherever somebody holds the lock. Only an abstraction that has forgotten one of them thinks
// that they may not, and that memory orders matter then.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef APART
#define SECOND 2
#else
#define SECOND 1
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int repairs;
int one, other, seen;

void *adds(void *unused) {
    for (int round = 0; round < 3; round++) {
        pthread_mutex_lock(&lock);
        one += 1;
        other += SECOND;
        if (one != other) seen = atomic_load_explicit(&repairs, memory_order_relaxed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, adds, 0);
    pthread_create(&second, 0, adds, 0);
    pthread_mutex_lock(&lock);
    assert(one <= other);
    pthread_mutex_unlock(&lock);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
