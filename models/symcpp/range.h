// What environments of the models choose. The numbers that they may enter: RANGE of them from 0 on, or every int with
// RANGE=4294967296.
#ifndef RANGE
#define RANGE 32
#endif

#include <climits>
#include <symcpp.h>

inline int anyNumber() {
    return RANGE > INT_MAX ? symcpp_nondet(INT_MIN, INT_MAX) : symcpp_nondet(0, static_cast<int>(RANGE - 1LL));
}

// One of several alternatives, numbered from 0 on.
inline int anyOf(int alternatives) { return symcpp_choose(0, alternatives - 1); }
