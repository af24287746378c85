// expect: safe --property assert,memory,race
// expect: unsafe -DBOUNDS
// expect: unsafe -DLATE
// expect: unsafe -DLATE --engine search
// expect: unsafe -DLATE --engine dpor
//
// Every thread has variables of its own and may show them to others while it lives. With BOUNDS one writes behind
// the end of its array, with LATE main looks at a variable of a thread that may have ended.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

struct page {
    int number;
    const char *title;
    int lines[2];
};

static _Thread_local struct page page = {1, "first", {7, 8}};
static int *shown, finished;
static sem_t ready, seen;

static void *write_page(void *unused) {
    assert(page.number == 1 && page.title[1] == 'i' && page.lines[1] == 8);
    for (int k = 0; k < 2; k++) page.lines[k] = 3;
#ifdef BOUNDS
    (&page)[1].number = 4;
#endif
    shown = page.lines;
    sem_post(&ready);
    finished = 1;
#ifndef LATE
    sem_wait(&seen);
#endif
    return unused;
}

int main(void) {
    sem_init(&ready, 0, 0);
    sem_init(&seen, 0, 0);
    pthread_t writer;
    pthread_create(&writer, NULL, write_page, NULL);
    page.number = 2;
    sem_wait(&ready);
    assert(shown[1] == 3);
    sem_post(&seen);
    pthread_join(writer, NULL);
    assert(page.number == 2 && page.lines[1] == 8 && finished);
    return 0;
}
