// expect: safe --engine cegar
// expect: unsafe --engine cegar -DNEGATIVE
//
// A thread pushes messages without end, another one pops them and looks at what they say.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message {
    int kind;
    struct message *next;
};

struct message *box;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *produce(void *argument) {
    for (;;) {
        struct message *m = malloc(sizeof *m);
        m->kind = 7;
        pthread_mutex_lock(&lock);
#ifdef NEGATIVE
        if (box && box->next) m->kind = -1;
#endif
        m->next = box;
        box = m;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        struct message *m = box;
        if (m) box = m->next;
        pthread_mutex_unlock(&lock);
        if (m) assert(m->kind == 7);
    }
}
