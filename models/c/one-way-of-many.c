// expect: unsafe --order astar --guide coarse
// expect: unsafe --order astar --weight 1
// expect: safe --order astar -DROUNDS=6 -DGOAL=100
//
// Each round doubles the number of states, of which one leads to the goal: breadth first sees all of them, guided by the
// distances in an abstraction with z == 0 two for each round.
// Origin: Lettrari (2005), figure 5.9.

#include <assert.h>

#ifndef ROUNDS
#define ROUNDS 18
#endif
#ifndef GOAL
#define GOAL 0
#endif

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int main(void) {
    unsigned x = 0, z = 0;
    while (x < ROUNDS) {
        x = x + 1;
        __VERIFIER_assume(z < 1u << 30);
        if (__VERIFIER_nondet_bool())
            z = 2 * z + 1;
        else
            z = 2 * z;
    }
    assert(!(x == ROUNDS && z == GOAL));
}
