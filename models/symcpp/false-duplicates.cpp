// expect: unsafe --property reach:error
// expect: unsafe --property reach:error --engine search --por none --stops statements --match esm
// expect: unsafe --property reach:error --engine search --por none --stops statements --match ess
// expect: safe --property reach:error -DLOW=3
// expect: safe --property reach:error -DLOW=3 --engine search --por none --stops statements --match ess
//
// Two paths that lead to states which differ in what is known about an input only. Who takes them for the same and
// goes on with the first one does not see that x can be small; who compares what is known does.

#include <symcpp.h>

#ifndef LOW
#define LOW (-100)
#endif

int x, y, error;

int main() {
    x = symcpp_nondet(LOW, 100);
    y = symcpp_nondet(-100, 100);
    if (x > 5) {
    }
    if (y > 0) {
    }
    if (x < 3) error = 1;
}
