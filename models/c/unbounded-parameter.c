// expect: safe --property assert
// expect: unsafe --property assert -DOFF_BY_ONE
//
// As many turns as somebody asks for: the copy never overtakes the limit.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned limit = __VERIFIER_nondet_uint(), i = 0, copied = 0;
    while (i < limit) {
        i++;
        copied++;
    }
#ifdef OFF_BY_ONE
    assert(copied < limit);
#else
    assert(copied == limit);
#endif
    return 0;
}
