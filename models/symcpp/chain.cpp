// expect: unsafe --property reach:z==-6
// expect: safe --property reach:z>0
//
// Statements that only one thread executes, without a choice: the states in between need not be stored. x is 1 or 2
// after the first input, so z becomes -(2x + 1), -3 or -5; the second input makes that -3 - y or -5 - y.
// Origin: Lettrari (2005), section 4.1.3.

#include <symcpp.h>

int x, y, z;

int main() {
    x = 0;
    y = 0;
    z = 0;
    x = symcpp_nondet(0, 1);
    x = x + 1;
    y = 2 * x + y + 1;
    z = z - y;
    y = symcpp_nondet(0, 1);
    z = z - y;
}
