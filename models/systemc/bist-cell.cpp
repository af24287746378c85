// expect: safe
// expect: unsafe -DBUG
//
// A cell of a built-in self test: a combinational method over four input signals, z = (b0 && d1) xor (d0 &&
// b1). The test bench sets all inputs before the start; when no signal changes any more, z must be 0. With
// BUG the sensitivity list forgets an input, which the test bench changes alone.
// Origin: bist-cell of models/ivl; the second part is new.

#include <cassert>
#include <systemc.h>

SC_MODULE(bist_cell) {
    sc_in<bool> b0{"b0"}, d0{"d0"}, b1{"b1"}, d1{"d1"};
    sc_out<bool> z{"z"};

    void compute() {
        bool s1 = !(b0.read() && d1.read());
        bool s2 = !(d0.read() && b1.read());
        bool neither = !(s2 || s1);
        bool both = s2 && s1;
        z.write(!(both || neither));
    }

    SC_CTOR(bist_cell) {
        SC_METHOD(compute);
        sensitive << b0 << d0 << b1;
#ifndef BUG
        sensitive << d1;
#endif
    }
};

int sc_main(int, char *[]) {
    sc_signal<bool> b0("b0"), d0("d0"), b1("b1"), d1("d1"), z("z");
    bist_cell cell("cell");
    cell.b0(b0);
    cell.d0(d0);
    cell.b1(b1);
    cell.d1(d1);
    cell.z(z);
    b0.write(true);
    d0.write(true);
    b1.write(true);
    d1.write(true);
    sc_start();
    assert(!z.read());
#ifdef BUG
    d1.write(false);
    sc_start();
    assert(z.read());
#endif
    return 0;
}
