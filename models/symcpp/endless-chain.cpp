// expect: unsafe --property reach:x==1&&z==2
// expect: safe --property reach:x==2
//
// A chain of statements without a choice that never ends, after a single input.
// Origin: Lettrari (2005), section 4.1.3.

#include <symcpp.h>

int x, y, z;

int main() {
    x = symcpp_nondet(0, 1);
    while (true) {
        y = 1;
        z = 2;
    }
}
