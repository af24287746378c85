// expect: unsafe --order astar
// expect: unsafe --order astar --guide fine -DTENANTS=2
//
// A vault with a word of keys, which opens with the right word. Meanwhile TENANTS tenants come and go on three floors, which
// has nothing to do with it.

#include <assert.h>

#ifndef TENANTS
#define TENANTS 5
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

static const unsigned char word[] = {3, 1, 2, 2, 0, 1, 3, 0, 2, 1, 0, 3};
static unsigned char known, floor_of[TENANTS];

int main(void) {
    for (;;) {
        unsigned char event = __VERIFIER_nondet_uchar();
        for (unsigned char tenant = 0; tenant < TENANTS; tenant++)
            if (event == 10 + tenant) floor_of[tenant] = (floor_of[tenant] + 1) % 3;
        if (event == word[known])
            known++;
        else if (event < 4)
            known = 0;
        assert(known < sizeof word);
    }
}
