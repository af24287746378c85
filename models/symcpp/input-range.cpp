// expect: safe
// expect: safe -DLOW=3 -DHIGH=3
// expect: safe -DLOW=-2 -DHIGH=2
// expect: safe -DLOW=-2147483647-1 -DHIGH=2147483647
// expect: safe -DLOW=10 -DHIGH=5
// expect: safe -DSYMCPP_EXPLICIT
// expect: safe -DSYMCPP_EXPLICIT -DLOW=10 -DHIGH=5
// expect: unsafe --property reach:x==5&&started
// expect: unsafe --property reach:x==10&&started
// expect: safe --property reach:x==0&&started
// expect: safe --property reach:x==11&&started
// expect: unsafe --property reach:x==0&&started -DLOW=10 -DHIGH=5
//
// symcpp_nondet gives every value between its bounds and no other; 0, too, only if it lies between them. If the lower
// bound is the larger one it gives 0.

#include <cassert>
#include <symcpp.h>

#ifndef LOW
#define LOW  5
#define HIGH 10
#endif

int x;
bool started;

int main() {
    x = symcpp_nondet(LOW, HIGH);
    started = true;
    if (LOW <= HIGH)
        assert(LOW <= x && x <= HIGH);
    else
        assert(x == 0);
}
