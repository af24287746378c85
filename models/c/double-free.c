// expect: unsafe --property memory
// expect: safe --property memory -DLOCKED
//
// The last of two users frees the object, but they count down without a lock: both can believe to be the
// last one.

#include <pthread.h>
#include <stdlib.h>

struct object {
    int users;
    pthread_mutex_t lock;
} *object;

void *leave(void *argument) {
#ifdef LOCKED
    pthread_mutex_lock(&object->lock);
    int left = --object->users;
    pthread_mutex_unlock(&object->lock);
#else
    --object->users;
    int left = object->users;
#endif
    if (left == 0)
        free(object);
    return argument;
}

int main(void) {
    pthread_t a, b;
    object = malloc(sizeof *object);
    object->users = 2;
    pthread_mutex_init(&object->lock, 0);
    pthread_create(&a, 0, leave, 0);
    pthread_create(&b, 0, leave, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
