// expect: safe
// expect: unsafe --property reach:i==-1
//
// A loop of LENGTH rounds without a choice, between two inputs.
// Origin: Lettrari (2005), section 4.1.3.

#include <cassert>
#include <symcpp.h>

#ifndef LENGTH
#define LENGTH 1000
#endif

int a[LENGTH], i;

int main() {
    i = symcpp_nondet(0, 1);
    for (i = 0; i < LENGTH; i++) a[i] = i;
    assert(a[LENGTH - 1] == LENGTH - 1);
    i = symcpp_nondet(-1, 0);
}
