// expect: unsafe
// expect: unsafe --engine cegar --por aware
// expect: unsafe --engine cegar --por aware --prune full
// expect: unsafe --engine cegar --por aware --order bfs
//
// While nothing is known of y, main goes first. That this path cannot fail is known from y behind the write
// of the other thread, so only what lies behind that write is explored again; the choice before it must be
// looked at again as well.
#include <assert.h>
#include <pthread.h>

int y;

void *work(void *argument) {
    y = 1;
    assert(y != 2);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    y = 2;
    return 0;
}
