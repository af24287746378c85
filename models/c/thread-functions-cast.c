// expect: safe
// expect: safe -DKEYS
// expect: unsafe -DRESULT
// expect: unsafe -DKEYS -DRESULT
//
// Functions of threads and destructors of their data that have another type than pthreads wants, handed over by a cast.
// They are called as the ABI does: what a function without a result returns is any value.

#include <assert.h>
#include <pthread.h>
#include <threads.h>

static int begun, ended;
static pthread_key_t key;

static void without_result(void *argument) {
    begun += *(int *)argument;
#ifdef KEYS
    pthread_setspecific(key, argument);
#endif
}

static int without_argument(void) {
    begun++;
    return 3;
}

static int destroy(void *value) {
    ended += *(int *)value;
    return 1;
}

int main(void) {
    pthread_t thread;
    thrd_t other;
    void *result = NULL;
    int amount = 2;
#ifdef KEYS
    pthread_key_create(&key, (void (*)(void *))destroy);
#else
    (void)destroy, (void)key;
#endif
    pthread_create(&thread, NULL, (void *(*)(void *))without_result, &amount);
    pthread_join(thread, &result);
    thrd_create(&other, (thrd_start_t)without_argument, NULL);
    thrd_join(other, NULL);
    assert(begun == 3);
#ifdef KEYS
    assert(ended == 2);
#endif
#ifdef RESULT
    assert(result == NULL);
#endif
    return 0;
}
