// expect: unsafe
// expect: safe -DCHECK_LATENCY
// expect: unsafe -DCHECK_LATENCY -DBUG
//
// A number from the environment passes through two signals on its way to a checker; all three processes run
// on the rising edge of a clock that the test bench drives. They run in any order, but as signals keep their
// old value during an edge, the number arrives in the third cycle in all of them: the checker that believes
// it to be 0 fails then. With CHECK_LATENCY the checker compares it with what was sent two cycles ago. With
// BUG the middle stage overtakes the signal by a plain variable, and how long the number takes depends on
// the order.
// Origin: Fig. 1 of Cimatti, Narasamdya and Roveri (2011), written anew.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

enum { CYCLES = 3 };

SC_MODULE(number_source) {
    sc_out<int> out{"out"};
    sc_in<bool> clock{"clock"};
    int sent[CYCLES] = {}, cycle = 0;

    void generate() {
        sent[cycle] = heddle::input<int>("x");
        out.write(sent[cycle++]);
    }
    SC_CTOR(number_source) {
        SC_METHOD(generate);
        dont_initialize();
        sensitive << clock.pos();
    }
};

SC_MODULE(stage_1) {
    sc_in<int> in{"in"};
    sc_out<int> out{"out"};
    sc_in<bool> clock{"clock"};
    int latest = 0;

    void pass() {
        latest = in.read();
        out.write(latest);
    }
    SC_CTOR(stage_1) {
        SC_METHOD(pass);
        dont_initialize();
        sensitive << clock.pos();
    }
};

struct stage_2 : sc_module {
    sc_in<int> in{"in"};
    sc_in<bool> clock{"clock"};
    const number_source &source;
    const stage_1 &before;
    int cycle = 0;

    void check() {
#ifdef BUG
        int x = before.latest;
#else
        int x = in.read();
#endif
#ifdef CHECK_LATENCY
        assert(x == (cycle < 2 ? 0 : source.sent[cycle - 2]));
#else
        assert(x == 0);
#endif
        cycle++;
    }
    SC_HAS_PROCESS(stage_2);
    stage_2(sc_module_name name, const number_source &s, const stage_1 &b)
        : sc_module(name), source(s), before(b) {
        SC_METHOD(check);
        dont_initialize();
        sensitive << clock.pos();
    }
};

int sc_main(int, char *[]) {
    sc_signal<int> source_to_1("source_to_1"), one_to_two("one_to_two");
    sc_signal<bool> clock("clock");
    number_source source("source");
    stage_1 one("one");
    stage_2 two("two", source, one);
    source.out(source_to_1);
    source.clock(clock);
    one.in(source_to_1);
    one.out(one_to_two);
    one.clock(clock);
    two.in(one_to_two);
    two.clock(clock);
    sc_start(1, SC_NS);
    for (int k = 0; k < CYCLES; k++) {
        clock.write(true);
        sc_start(1, SC_NS);
        clock.write(false);
        sc_start(1, SC_NS);
    }
    return 0;
}
