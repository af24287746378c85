// expect: safe --property reach:error
// expect: unsafe --property reach:error -DBUG
// expect: safe --property reach:error --engine search --por none --stops statements
// expect: unsafe --property reach:error -DBUG --engine search --por none --stops statements
// expect: unsafe --property reach:y==-LIMIT
// expect: safe --property reach:y<-LIMIT
//
// The least of three inputs, each of about 2 * LIMIT values. With BUG one comparison is wrong.
// Origin: Lettrari (2005), section 4.2.

#include <symcpp.h>

#ifndef LIMIT
#define LIMIT 50000
#endif

int x1, x2, x3, y;
int error;

int min(int a, int b, int c) {
    int least = a;
    if (b < least) least = b;
#ifdef BUG
    if (c < b) least = c;
#else
    if (c < least) least = c;
#endif
    return least;
}

int main() {
    x1 = symcpp_nondet(-LIMIT, LIMIT);
    x2 = symcpp_nondet(-LIMIT, LIMIT);
    x3 = symcpp_nondet(-LIMIT, LIMIT);
    y = min(x1, x2, x3);
    if (y == x1)
        error = x2 < x1 || x3 < x1;
    else if (y == x2)
        error = x1 < x2 || x3 < x2;
    else if (y == x3)
        error = x1 < x3 || x2 < x3;
    else
        error = 1;
}
