// A pointer just behind an object may equal one to the object that lies there.
// expect: safe
// expect: safe --engine search
// expect: unsafe -DSTATIC
// expect: unsafe -DLOCAL
// expect: unsafe -DHEAP
// expect: unsafe -DAPART
// expect: unsafe -DLOCAL --engine search
// expect: safe --engine cegar -DFEW
#include <assert.h>
#include <stdlib.h>

int a[2], b[2];

int main(void) {
    int x[2], y[2], z[2];
    char *none = malloc(0), *other = malloc(0);
    assert(none != other);                 // no bytes, but two objects
    assert(x + 1 != y && x + 1 != y + 1);  // inside
    assert(x + 2 != y + 2 && x + 2 != y + 1); // not its start
#ifndef FEW
    if (x + 2 == y) {
        assert(y == x + 2 && x < y);
        assert(y + 2 != x);                // it cannot lie on both sides
        assert(x + 2 != z);                // nor can two lie there
        assert(!(x < z && z < y));         // nor one in between
    }
    if (x < z && z < y) assert(x + 2 != y);
#endif
#ifdef STATIC
    assert(a + 2 != b);
#endif
#ifdef LOCAL
    assert(x + 2 != y);
#endif
#ifdef HEAP
    char *p = malloc(16), *q = malloc(16);
    assert(p + 16 != q);
#endif
#ifdef APART
    assert(x + 2 == y || y + 2 == x);
#endif
    return 0;
}
