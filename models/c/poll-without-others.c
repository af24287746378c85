// expect: unsafe --property deadlock
// expect: unsafe --property deadlock --engine search --order bfs
// expect: safe --property assert
// note: no execution reaches the end of the program; in one, main goes round
// expect: safe --property deadlock -DSLEEPS
// expect: unknown --property deadlock -DDRAWS
// expect: safe --property deadlock -DDRAWS -DGIVES_UP
// expect: unknown --property deadlock -DSECTION
//
// There is only main, which polls a variable that nobody ever writes.
#include <stdbool.h>
#include <unistd.h>
extern bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int ready;

int main(void) {
#if defined(SLEEPS)
    for (;;) sleep(1);
#elif defined(DRAWS) && defined(GIVES_UP)
    for (int tries = 0; !ready && tries < 3 && __VERIFIER_nondet_bool(); tries++) ;
#elif defined(DRAWS)
    while (!ready) __VERIFIER_nondet_bool();
#elif defined(SECTION)
    __VERIFIER_atomic_begin();
    while (!ready) ;
    __VERIFIER_atomic_end();
#else
    while (!ready) ;
#endif
    return 0;
}
