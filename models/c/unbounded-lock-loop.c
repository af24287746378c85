// expect: safe --property assert
// expect: unsafe --property assert -DUNLOCKED
//
// The loop of the Windows drivers: locked and unlocked in turns as long as requests come in.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int locked;

static void acquire(void) {
    assert(!locked);
    locked = 1;
}

static void release(void) {
    assert(locked);
    locked = 0;
}

int main(void) {
    unsigned requests = 0, seen;
    do {
        acquire();
        seen = requests;
        if (__VERIFIER_nondet_int()) {
            release();
            requests++;
        }
    } while (requests != seen);
    release();
#ifdef UNLOCKED
    release();
#endif
    return 0;
}
