// expect: safe
// expect: unsafe -DBUG
//
// A serial link: the master shifts a byte out, the highest bit first, on the falling edge of its serial
// clock; the slave samples on the rising edge and has the same byte after eight cycles. The byte is
// arbitrary. With BUG the slave samples on the edge on which the master drives, and gets each bit a cycle
// late.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(master) {
    sc_out<bool> clock{"clock"}, select{"select"}, data{"data"};
    sc_uint<8> sent;

    void send() {
        sent = heddle::input<unsigned char>("byte");
        select.write(true);
        for (int bit = 7; bit >= 0; bit--) {
            clock.write(false);
            data.write(sent[bit]);
            wait(5, SC_NS);
            clock.write(true);
            wait(5, SC_NS);
        }
        clock.write(false);
        select.write(false);
    }
    SC_CTOR(master) {
        SC_THREAD(send);
    }
};

SC_MODULE(slave) {
    sc_in<bool> clock{"clock"}, select{"select"}, data{"data"};
    sc_out<sc_uint<8>> received{"received"};
    sc_uint<8> shift = 0;

    void sample() {
        if (!select.read()) return;
        shift = (shift.range(6, 0), sc_uint<1>(data.read()));
    }
    void deliver() {
        received.write(shift);
    }
    SC_CTOR(slave) {
        SC_METHOD(sample);
        dont_initialize();
#ifdef BUG
        sensitive << clock.neg();
#else
        sensitive << clock.pos();
#endif
        SC_METHOD(deliver);
        dont_initialize();
        sensitive << select.neg();
    }
};

int sc_main(int, char *[]) {
    sc_signal<bool> clock("clock"), select("select"), data("data");
    sc_signal<sc_uint<8>> received("received");
    master m("master");
    m.clock(clock);
    m.select(select);
    m.data(data);
    slave s("slave");
    s.clock(clock);
    s.select(select);
    s.data(data);
    s.received(received);
    sc_start();
    assert(received.read() == m.sent);
    return 0;
}
