// expect: unsafe
// expect: unsafe -DSTATIONS=3
// expect: unsafe -DSTATIONS=9
// expect: safe -DEND_IS_KNOWN
// expect: safe -DEND_IS_KNOWN -DSTATIONS=9
// simulation: endless
//
// A chain of STATIONS transmitters, each waits for a wake-up and wakes its successor. The last one has none
// and fails. It is reached if every transmitter was already waiting when its predecessor notified it: the
// designer relied on an order of first runs in which somebody is late. The master then waits for ever, one
// nanosecond at a time. With END_IS_KNOWN the last one lets the wake-up go.
// Origin: transmitter and transmitter-safe of models/ivl.

#include <cassert>
#include <systemc.h>

#ifndef STATIONS
#define STATIONS 1
#endif

struct wake_if : virtual sc_interface {
    virtual void wake() = 0;
};

SC_MODULE(master) {
    sc_port<wake_if> successor{"successor"};

    void start() {
        successor->wake();
        for (;;) wait(1, SC_NS);
    }
    SC_CTOR(master) {
        SC_THREAD(start);
    }
};

struct transmitter : sc_module, wake_if {
    sc_port<wake_if, 1, SC_ZERO_OR_MORE_BOUND> successor{"successor"};

    void wake() override { woken.notify(); }
    void transmit() {
        for (;;) {
            wait(woken);
#ifdef END_IS_KNOWN
            if (!successor.size()) continue;
#endif
            assert(successor.size());
            successor->wake();
        }
    }
    SC_CTOR(transmitter) {
        SC_THREAD(transmit);
    }

  private:
    sc_event woken;
};

int sc_main(int, char *[]) {
    master first("master");
    sc_vector<transmitter> chain("transmit", STATIONS);
    first.successor(chain[0]);
    for (unsigned k = 1; k < STATIONS; k++) chain[k - 1].successor(chain[k]);
    sc_start();
    return 0;
}
