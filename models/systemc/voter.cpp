// expect: safe
// expect: unsafe -DBUG
//
// A vector of three redundant units squares an arbitrary number; one of them, any, may be broken and gives
// anything. The voter takes what two agree on. With BUG the voter trusts the first unit whatever the others
// say.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

enum { UNITS = 3 };

SC_MODULE(unit) {
    sc_in<unsigned> in{"in"};
    sc_in<int> broken{"broken"};
    sc_out<unsigned> out{"out"};
    int number = 0;

    void compute() {
        unsigned x = in.read();
        out.write(broken.read() == number ? heddle::input<unsigned>("garbage") : x * x);
    }
    SC_CTOR(unit) {
        SC_METHOD(compute);
        sensitive << in << broken;
    }
};

SC_MODULE(voter) {
    sc_vector<sc_in<unsigned>> in{"in", UNITS};

    unsigned vote() const {
        unsigned a = in[0].read(), b = in[1].read(), c = in[2].read();
#ifdef BUG
        (void)b, (void)c;
        return a;
#else
        return a == b || a == c ? a : b;
#endif
    }
    explicit voter(sc_module_name name) : sc_module(name) {}
};

struct bench : sc_module {
    sc_out<unsigned> number{"number"};
    sc_out<int> broken{"broken"};
    const voter &asked;

    void run() {
        wait(1, SC_NS);
        unsigned x = heddle::input<unsigned>("number");
        int which = heddle::input<int>("broken");
        heddle::assume(which >= 0 && which < UNITS);
        number.write(x);
        broken.write(which);
        wait(1, SC_NS);
        assert(asked.vote() == x * x);
    }
    SC_HAS_PROCESS(bench);
    bench(sc_module_name name, const voter &v) : sc_module(name), asked(v) { SC_THREAD(run); }
};

int sc_main(int, char *[]) {
    sc_signal<unsigned> number("number");
    sc_signal<int> broken("broken", -1);
    sc_vector<sc_signal<unsigned>> results("result", UNITS);
    sc_vector<unit> units("unit", UNITS);
    voter v("voter");
    bench b("bench", v);
    b.number(number);
    b.broken(broken);
    for (int k = 0; k < UNITS; k++) {
        units[k].number = k;
        units[k].in(number);
        units[k].broken(broken);
        units[k].out(results[k]);
    }
    v.in(results);
    sc_start();
    return 0;
}
