// expect: safe
// expect: safe --engine cegar --por none --domain cartesian
// expect: safe --engine cegar --por persistent --domain cartesian
// expect: safe --engine cegar --por sleep --domain cartesian
// expect: safe --engine cegar --por persistent+sleep --domain cartesian
// expect: safe --engine cegar --por aware --domain cartesian
// expect: unsafe -DBUG
// expect: unsafe --engine cegar --por persistent+sleep --domain cartesian -DBUG
//
// Two independent steps that lead to different abstract states in different orders: from g1 < g2, if nothing
// is known but whether g1 < g2 and whether g1 == g2. Reductions rest on the steps, not on abstract states.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int g1, g2;

void *lower_first(void *argument) {
    g1 = g1 - 1;
    return argument;
}

void *lower_second(void *argument) {
    g2 = g2 - 1;
    return argument;
}

int main(void) {
    pthread_t s, t;
    g1 = __VERIFIER_nondet_int();
    g2 = __VERIFIER_nondet_int();
    __VERIFIER_assume(g1 > -1000 && g2 < 1000 && g1 < g2);
    pthread_create(&s, 0, lower_first, 0);
    pthread_create(&t, 0, lower_second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
#ifdef BUG
    assert(g1 + 1 < g2);
#else
    assert(g1 < g2);
#endif
    return 0;
}
