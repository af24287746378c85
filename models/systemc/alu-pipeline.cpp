// expect: safe
// expect: unsafe -DBUG
//
// A pipeline on one clock: fetch of two arbitrary operands and an operation, execution, write-back. The
// result of a cycle is compared with a reference two cycles later. With BUG subtraction keeps its borrow in
// a bit that the result does not have, and the unit takes it for a carry: it saturates at the wrong end.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

enum { CYCLES = 4 };

SC_MODULE(execute) {
    sc_in_clk clock{"clock"};
    sc_in<sc_uint<8>> a{"a"}, b{"b"};
    sc_in<sc_uint<2>> operation{"operation"};
    sc_out<sc_uint<8>> result{"result"};

    void step() {
        sc_uint<9> wide = 0;
        switch (operation.read().to_uint()) {
        case 0: wide = a.read() + b.read(); break;
        case 1: wide = a.read() - b.read(); break;
        case 2: wide = a.read() & b.read(); break;
        default: wide = a.read() ^ b.read(); break;
        }
#ifdef BUG
        if (wide[8]) wide = 255;
#else
        if (wide[8]) wide = operation.read() == 1 ? 0 : 255;
#endif
        result.write(wide.range(7, 0));
    }
    SC_CTOR(execute) {
        SC_METHOD(step);
        dont_initialize();
        sensitive << clock.pos();
    }
};

SC_MODULE(bench) {
    sc_in_clk clock{"clock"};
    sc_out<sc_uint<8>> a{"a"}, b{"b"};
    sc_out<sc_uint<2>> operation{"operation"};
    sc_in<sc_uint<8>> result{"result"};

    static int saturated(int v) {
        return v < 0 ? 0 : v > 255 ? 255 : v;
    }
    static int reference(int operation_number, int x, int y) {
        switch (operation_number) {
        case 0: return saturated(x + y);
        case 1: return saturated(x - y);
        case 2: return x & y;
        default: return x ^ y;
        }
    }
    void run() {
        int expected[2] = {0, 0}; // results under way
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            wait();
            if (cycle >= 2) assert(result.read() == unsigned(expected[cycle % 2]));
            int x = heddle::input<unsigned char>("a"), y = heddle::input<unsigned char>("b");
            int o = heddle::input<unsigned char>("operation") % 4;
            a.write(x);
            b.write(y);
            operation.write(o);
            expected[cycle % 2] = reference(o, x, y);
        }
        sc_stop();
    }
    SC_CTOR(bench) {
        SC_THREAD(run);
        sensitive << clock.pos();
    }
};

int sc_main(int, char *[]) {
    sc_clock clock("clock", 10, SC_NS);
    sc_signal<sc_uint<8>> a("a"), b("b"), result("result");
    sc_signal<sc_uint<2>> operation("operation");
    bench t("bench");
    t.clock(clock);
    t.a(a);
    t.b(b);
    t.operation(operation);
    t.result(result);
    execute e("execute");
    e.clock(clock);
    e.a(a);
    e.b(b);
    e.operation(operation);
    e.result(result);
    sc_start();
    return 0;
}
