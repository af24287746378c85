// expect: unsafe --order astar
// expect: safe --order astar -DSAFE -DPUMPS=2
//
// A kettle is filled, heated in steps, held at its temperature and emptied, while PUMPS pumps run at speeds of their own. It
// boils over if it is full, hot, and heated once more; with SAFE it is not heated then.

#include <assert.h>

#ifndef PUMPS
#define PUMPS 4
#endif
enum { FULL = 6, BOILING = 8 };

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char level, temperature, speed[PUMPS];
static _Bool heated, over;

int main(void) {
    for (;;) {
        unsigned char event = __VERIFIER_nondet_uchar();
        for (unsigned char pump = 0; pump < PUMPS; pump++)
            if (event == 20 + pump) speed[pump] = (speed[pump] + 1) % 4;
        if (event == 1 && level < FULL) level++;
        if (event == 2 && level > 0) level--, temperature = 0;
        if (event == 3) heated = !heated;
        if (event == 4 && heated && level > 0) {
#ifdef SAFE
            if (level == FULL && temperature + 1 == BOILING) continue;
#endif
            temperature++;
            if (temperature == BOILING) {
                if (level == FULL) over = 1;
                temperature = 0;
            }
        }
        assert(!over);
    }
}
