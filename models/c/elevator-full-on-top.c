// expect: unsafe --order astar
// expect: unsafe --order astar -DFLOORS=3 --weight 1
//
// An elevator with FLOORS floors, a request for each, a door, and people who come in and go out while it is open. It is full
// when it opens on the top floor: a long way from the beginning, beside all combinations of requests.

#include <assert.h>

#ifndef FLOORS
#define FLOORS 7
#endif
enum { FULL = 3 };

extern unsigned char __VERIFIER_nondet_uchar(void);

static _Bool requested[FLOORS], door_open, downwards;
static unsigned char at, people;

static void move(void) {
    if (door_open) return;
    if (requested[at]) {
        requested[at] = 0;
        door_open = 1;
        assert(!(at == FLOORS - 1 && people == FULL));
    } else if (downwards) {
        if (at > 0)
            at--;
        else
            downwards = 0;
    } else {
        if (at < FLOORS - 1)
            at++;
        else
            downwards = 1;
    }
}

int main(void) {
    for (;;) {
        unsigned char event = __VERIFIER_nondet_uchar();
        for (unsigned char floor = 0; floor < FLOORS; floor++)
            if (event == floor) requested[floor] = 1;
        if (event == 100 && door_open && people < 5) people++;
        if (event == 101 && door_open && people > 0) people--;
        if (event == 102) door_open = 0;
        if (event == 103) move();
    }
}
