// expect: unsafe --engine cegar --property assert
// expect: unsafe --engine cegar --property assert --order bfs --blocks large
// expect: unsafe --engine cegar --property assert --domain boolean
// expect: unsafe --engine esst --property assert --order bfs
//
// Memory that was never written holds anything, and after it was given back and asked for again anything else,
// even if it is named alike. That a predicate compares both (it is needed where they are equal) changes nothing.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int seen, have, written;

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    if (__VERIFIER_nondet_bool()) {
        *p = seen;
        written = 1;
    }
    while (__VERIFIER_nondet_bool()) {
        if (written) {
            assert(*p == seen);
            return 0;
        }
        assert(!have || *p == seen);
        seen = *p;
        have = 1;
        free(p);
        p = malloc(sizeof *p);
        if (!p) return 0;
        written = 0;
        if (__VERIFIER_nondet_bool()) {
            *p = seen;
            written = 1;
        }
    }
    return 0;
}
