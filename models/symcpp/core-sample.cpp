// expect: safe
// expect: safe --property reach:fail
// expect: unsafe --property reach:c1->state==1
// expect: safe --property reach:c1->state!=0&&c1->state!=1
// expect: unsafe -DBUG
// expect: unsafe --property reach:fail -DBUG
//
// The document's first program in its core language, statement by statement: a controller asks for the values of two
// sensors, which are arbitrary. The second thread does not touch them before they exist, since it waits for started
// and for poll. With BUG it waits for neither.
// Origin: Lettrari (2005), section 3.2.

#include <symcpp.h>

extern "C" {
void __VERIFIER_atomic_begin();
void __VERIFIER_atomic_end();
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int();
}

// await(condition, assignment), in one step. A path on which the condition does not hold ends here; on another one the
// thread comes later.
#define AWAIT(condition, assignment)                                                                                   \
    do {                                                                                                               \
        __VERIFIER_atomic_begin();                                                                                     \
        __VERIFIER_assume(condition);                                                                                  \
        assignment;                                                                                                    \
        __VERIFIER_atomic_end();                                                                                       \
    } while (0)

struct Sensor {
    int value = 0;
};

struct Controller {
    int state = 0;
};

Controller *c1;
Sensor *s1, *s2;
int started, poll;
int *p;

class First : public Thread {
    void Run() override {
        c1 = new Controller;
        s1 = new Sensor;
        s2 = new Sensor;
        AWAIT(true, (started = 1, p = &poll));
        while (true) {
            AWAIT(poll == 0, poll = 1);
            AWAIT(poll == 0, );
            c1->state = (long)s1->value + s2->value > 10 ? 1 : 0;
        }
    }
};

class Second : public Thread {
    void Run() override {
#ifndef BUG
        AWAIT(started == 1, );
#endif
        while (true) {
#ifndef BUG
            AWAIT(poll == 1, );
#endif
            AWAIT(true, (s1->value = __VERIFIER_nondet_int(), s2->value = __VERIFIER_nondet_int()));
            *p = 0;
        }
    }
};

First first;
Second second;

int main() {
    first.Start();
    second.Start();
}
