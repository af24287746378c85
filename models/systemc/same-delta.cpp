// expect: unsafe
// expect: safe -DWAITS
//
// A bus master writes an address and reads the select line that a decoder derives from it. It forgets that
// neither the signal nor what depends on it changes before the next delta cycles. With WAITS it waits until
// the line has settled.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(decoder) {
    sc_in<sc_uint<8>> address{"address"};
    sc_out<bool> select{"select"};

    void decode() {
        select.write(address.read().range(7, 4) == 0xA);
    }
    SC_CTOR(decoder) {
        SC_METHOD(decode);
        sensitive << address;
    }
};

SC_MODULE(bus_master) {
    sc_out<sc_uint<8>> address{"address"};
    sc_in<bool> select{"select"};

    void probe() {
        wait(1, SC_NS);
        for (int k = 0; k < 2; k++) {
            sc_uint<8> a = heddle::input<unsigned char>("address");
            address.write(a);
#ifdef WAITS
            wait(1, SC_NS);
#endif
            assert(select.read() == (a >= 0xA0 && a <= 0xAF));
            wait(1, SC_NS);
        }
    }
    SC_CTOR(bus_master) {
        SC_THREAD(probe);
    }
};

int sc_main(int, char *[]) {
    sc_signal<sc_uint<8>> address("address");
    sc_signal<bool> select("select");
    decoder d("decoder");
    d.address(address);
    d.select(select);
    bus_master m("master");
    m.address(address);
    m.select(select);
    sc_start();
    return 0;
}
