// expect: safe
// expect: unsafe -DBUG
//
// A counter of four bits with clock, enable and synchronous reset, compared with a reference in every cycle.
// Enable and reset are arbitrary. With BUG enable is looked at before reset: a reset while disabled is lost.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(counter) {
    sc_in_clk clock{"clock"};
    sc_in<bool> reset{"reset"}, enable{"enable"};
    sc_out<sc_uint<4>> count{"count"};

    void step() {
#ifdef BUG
        if (!enable.read()) return;
        count.write(reset.read() ? sc_uint<4>(0) : sc_uint<4>(count.read() + 1));
#else
        if (reset.read())
            count.write(0);
        else if (enable.read())
            count.write(count.read() + 1);
#endif
    }
    SC_CTOR(counter) {
        SC_METHOD(step);
        dont_initialize();
        sensitive << clock.pos();
    }
};

// Drives on the falling edge, when nothing else happens, and looks at the result half a cycle later.
SC_MODULE(bench) {
    sc_in_clk clock{"clock"};
    sc_in<sc_uint<4>> count{"count"};
    sc_out<bool> reset{"reset"}, enable{"enable"};

    void drive() {
        unsigned expected = 0;
        for (int cycle = 0; cycle < 3; cycle++) {
            bool r = heddle::input<bool>("reset"), e = heddle::input<bool>("enable");
            reset.write(r);
            enable.write(e);
            wait();
            expected = r ? 0 : (expected + e) % 16;
            assert(count.read() == expected);
        }
        sc_stop();
    }
    SC_CTOR(bench) {
        SC_THREAD(drive);
        sensitive << clock.neg();
    }
};

int sc_main(int, char *[]) {
    sc_clock clock("clock", 10, SC_NS);
    sc_signal<bool> reset("reset"), enable("enable");
    sc_signal<sc_uint<4>> count("count");
    counter c("counter");
    c.clock(clock);
    c.reset(reset);
    c.enable(enable);
    c.count(count);
    bench b("bench");
    b.clock(clock);
    b.reset(reset);
    b.enable(enable);
    b.count(count);
    sc_start();
    return 0;
}
