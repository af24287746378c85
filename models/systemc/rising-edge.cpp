// expect: safe
// expect: unsafe -DBUG
//
// Clocked threads that are given a clock, a port or a signal rather than an edge of it go by the rising edge.
// With BUG one of them is expected to see the falling edges as well.

#include <cassert>
#include <systemc.h>

SC_MODULE(counters) {
    sc_in<bool> clock;
    sc_inout<bool> strobe;
    int rises = 0, falls = 0, strobes = 0;

    void rising() {
        for (;;) {
            rises++;
            wait();
        }
    }
    void falling() {
        for (;;) {
            falls++;
            wait();
        }
    }
    void strobed() {
        for (;;) {
            strobes++;
            wait();
        }
    }
    SC_CTOR(counters) {
        SC_CTHREAD(rising, clock);
        SC_CTHREAD(falling, clock.neg());
        SC_CTHREAD(strobed, strobe);
    }
};

SC_MODULE(top) {
    sc_clock clock;
    sc_signal<bool> strobe;
    counters all;
    int own = 0;

    void direct() {
        for (;;) {
            own++;
            wait();
        }
    }
    void flip() {
        for (int k = 0; k < 4; k++) {
            wait(7, SC_NS);
            strobe = !strobe.read();
        }
    }
    SC_CTOR(top) : clock("clock", 10, SC_NS), all("all") {
        all.clock(clock);
        all.strobe(strobe);
        SC_CTHREAD(direct, clock);
        SC_THREAD(flip);
    }
};

int sc_main(int, char *[]) {
    top t("t");
    sc_start(33, SC_NS);
#ifdef BUG
    assert(t.all.rises == 7);
#else
    assert(t.all.rises == 4); // at 0, 10, 20 and 30 ns
#endif
    assert(t.all.falls == 3 && t.own == 4);
    assert(t.all.strobes == 2);
    return 0;
}
