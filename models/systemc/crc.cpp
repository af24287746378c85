// expect: safe
// expect: unsafe -DBUG
//
// A serial unit computes the cyclic redundancy check x^4 + x + 1 of an arbitrary byte, one bit per clock
// cycle; the receiver divides byte and check again and must get 0, and must notice any single wrong bit on
// the way. With BUG the unit forgets one tap of its feedback.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(crc_unit) {
    sc_in<bool> clock{"clock"}, bit{"bit"}, valid{"valid"};
    sc_out<sc_uint<4>> crc{"crc"};

    void step() {
        if (!valid.read()) return;
        sc_uint<4> old = crc.read(), next;
        bool feedback = old[3] ^ bit.read();
        next[0] = feedback;
#ifdef BUG
        next[1] = old[0];
#else
        next[1] = old[0] ^ feedback;
#endif
        next[2] = old[1];
        next[3] = old[2];
        crc.write(next);
    }
    SC_CTOR(crc_unit) {
        SC_METHOD(step);
        dont_initialize();
        sensitive << clock.pos();
    }
};

// Division of a word of twelve bits by the polynomial.
unsigned remainder(unsigned word) {
    for (int k = 11; k >= 4; k--) word ^= (0u - (word >> k & 1)) & 0x13u << (k - 4);
    return word;
}

SC_MODULE(bench) {
    sc_out<bool> clock{"clock"}, bit{"bit"}, valid{"valid"};
    sc_in<sc_uint<4>> crc{"crc"};

    void run() {
        sc_uint<8> byte = heddle::input<unsigned char>("byte");
        valid.write(true);
        for (int k = 7; k >= 0; k--) {
            bit.write(byte[k]);
            clock.write(false);
            wait(1, SC_NS);
            clock.write(true);
            wait(1, SC_NS);
        }
        unsigned sent = byte.to_uint() << 4 | crc.read().to_uint();
        assert(remainder(sent) == 0);
        unsigned place = heddle::input<unsigned>("wrong_bit");
        heddle::assume(place < 12);
        assert(remainder(sent ^ 1u << place) != 0);
    }
    SC_CTOR(bench) {
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    sc_signal<bool> clock("clock"), bit("bit"), valid("valid");
    sc_signal<sc_uint<4>> crc("crc");
    crc_unit unit("unit");
    unit.clock(clock);
    unit.bit(bit);
    unit.valid(valid);
    unit.crc(crc);
    bench b("bench");
    b.clock(clock);
    b.bit(bit);
    b.valid(valid);
    b.crc(crc);
    sc_start();
    return 0;
}
