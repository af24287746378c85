// expect: unsafe
// expect: unsafe --engine cegar --por persistent
// expect: unsafe --engine cegar --por aware
// expect: unsafe --engine cegar --por aware --domain explicit
// expect: unsafe --engine cegar --por persistent+sleep --order error-distance
//
// The case study of the document on abstraction-aware reduction: x is greater than y if main's write comes
// between that of the other thread and its test. While nothing is known of y, one order of the writes is
// enough to look at; when the test has shown that y matters, the other one is needed, too.
#include <assert.h>
#include <pthread.h>

int x, y;

void *work(void *argument) {
    x = 2;
    y = 2;
    if (x > y) assert(0);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    y = 1;
    pthread_join(t, 0);
    return 0;
}
