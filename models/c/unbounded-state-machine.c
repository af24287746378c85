// expect: safe --property assert
// expect: safe --engine cegar --property assert --domain explicit
//
// A protocol with few states and data without end: only the states matter.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { IDLE, SENT, ACKNOWLEDGED } state;
int data;

int main(void) {
    for (;;) {
        switch (state) {
        case IDLE:
            data = __VERIFIER_nondet_int();
            state = SENT;
            break;
        case SENT:
            if (__VERIFIER_nondet_int()) state = ACKNOWLEDGED;
            break;
        case ACKNOWLEDGED:
            data = data + 1;
            state = IDLE;
            break;
        default: assert(0);
        }
    }
}
