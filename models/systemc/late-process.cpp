// expect: unsafe
// expect: unsafe --por stub
// expect: unsafe --por stub2
// expect: unsafe --engine cegar
// expect: unsafe --engine esst
// expect: safe -DLATER
//
// One process is not initialised and waits for an event from the beginning. Another one notifies it at once, so
// it may run before a third one looks. With LATER the notification comes in the next delta cycle, too late to be
// seen.

#include <cassert>
#include <systemc.h>

SC_MODULE(late) {
    sc_event wanted;
    int done = 0;

    void work() { done = 1; }
    void look() { assert(done == 0); }
    void ask() {
#ifdef LATER
        wanted.notify(SC_ZERO_TIME);
#else
        wanted.notify();
#endif
    }
    SC_CTOR(late) {
        SC_THREAD(work);
        sensitive << wanted;
        dont_initialize();
        SC_THREAD(look);
        SC_THREAD(ask);
    }
};

int sc_main(int, char *[]) {
    late l("late");
    sc_start();
    return 0;
}
