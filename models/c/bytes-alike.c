// expect: unsafe --engine search --property assert
// expect: unsafe --engine cegar --property assert
// expect: unsafe --engine cegar --property assert --por aware --blocks large --order bfs
// expect: unsafe --engine cegar --property assert --blocks small
// expect: unsafe --engine esst --property assert
//
// The same four bytes are filled with one byte that nobody knows, or hold a number that is known. The former
// does not stand for the latter: in it all bytes are alike.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char *b = malloc(4);
    if (!b) return 0;
    unsigned char n = __VERIFIER_nondet_uchar();
    if (__VERIFIER_nondet_bool()) {
        memset(b, n, 4);
        while (__VERIFIER_nondet_bool()) {
        }
    } else {
        *(int *)b = 0x01020304;
        while (__VERIFIER_nondet_bool()) {
        }
        assert(*(int *)b == 0x01020304);
    }
    while (__VERIFIER_nondet_bool()) {
    }
    assert(b[0] == b[1]);
    return 0;
}
