// expect: unsafe --property reach:x==ROUNDS&&z==0
// expect: unsafe --property reach:x==ROUNDS&&z==0 --engine search --por none --stops statements -DSYMCPP_EXPLICIT
// expect: safe --property reach:x==ROUNDS&&z<0 -DROUNDS=6
//
// Each of ROUNDS rounds doubles the number of states, of which one leads to the goal: who looks at all of them
// breadth first sees 2^ROUNDS, who follows the distances in an abstraction with z == 0 sees a few for each round.
// Origin: Lettrari (2005), figure 5.9.

#include <symcpp.h>

#ifndef ROUNDS
#define ROUNDS 10
#endif

int x, y, z;

int main() {
    while (x < ROUNDS) {
        y = symcpp_nondet(0, 1);
        x = x + 1;
        z = 2 * z + y;
    }
}
