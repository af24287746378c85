// expect: safe
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=2
//
// A meter counts pulses and stops the simulation with the last one. sc_stop lets the update phase of the
// delta cycle happen, so that the last value arrives, but no notification after it; then every module and
// channel is told of the end of the simulation, once. With BUG=1 main believes that the total of the
// last delta cycle is lost; with BUG=2 that a process that the total wakes still runs.

#include <cassert>
#include <systemc.h>

#ifndef BUG
#define BUG 0
#endif

SC_MODULE(meter) {
    sc_signal<int> total;
    int shown = 0, reported = 0;

    void count() {
        for (int k = 1; k <= 3; k++) {
            wait(10, SC_NS);
            total.write(k);
        }
        sc_stop();
        assert(sc_is_running() && !sc_end_of_simulation_invoked());
    }
    void show() {
        shown = total.read();
    }
    void end_of_simulation() override {
        assert(!sc_is_running());
        reported = 100 * (reported + 1) + total.read();
    }
    SC_CTOR(meter) {
        SC_THREAD(count);
        SC_METHOD(show);
        sensitive << total;
        dont_initialize();
    }
};

int sc_main(int, char *[]) {
    meter m("m");
    sc_start(25, SC_NS);
    assert(sc_is_running() && m.reported == 0);
    sc_start();
    assert(sc_time_stamp() == sc_time(30, SC_NS));
    assert(m.reported == (BUG == 1 ? 102 : 103));
    assert(m.shown == (BUG == 2 ? 3 : 2));
    assert(!sc_is_running() && sc_end_of_simulation_invoked());
    return 0;
}
