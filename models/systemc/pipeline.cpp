// expect: safe
// expect: safe -DCYCLES=5
// expect: unsafe -DBUG
//
// Five stages work on the rising edge of a clock: two arbitrary numbers, then their sum and difference, then
// the sum and its double, then the double less twice the sum, which is always 0, then the display. All
// values pass through signals, so that the order of the stages within a cycle does not matter. With BUG the
// double is computed from a plain variable of the stage before, which is a cycle ahead in some orders.
// Parameters: CYCLES clock cycles.
// Origin: simple-pipeline of models/ivl, after the example that comes with SystemC.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

#ifndef CYCLES
#define CYCLES 10
#endif

// A stage runs once at the start and then at each edge.
struct stage : sc_module {
    SC_HAS_PROCESS(stage);
    stage(sc_module_name name, const sc_event &edge) : sc_module(name) {
        SC_METHOD(run);
        sensitive << edge;
    }
    virtual void run() = 0;
};

struct addsub : stage {
    sc_in<unsigned> in1{"in1"}, in2{"in2"};
    sc_out<unsigned> sum{"sum"}, diff{"diff"};
    unsigned latest_sum = 0;

    using stage::stage;
    void run() override {
        latest_sum = in1.read() + in2.read();
        sum.write(latest_sum);
        diff.write(in1.read() - in2.read());
    }
};

struct ticker : sc_module {
    sc_event &edge;
    const unsigned &display;

    SC_HAS_PROCESS(ticker);
    ticker(sc_module_name name, sc_event &e, const unsigned &shown)
        : sc_module(name), edge(e), display(shown) {
        SC_THREAD(tick);
    }
    void tick() {
        for (int k = 0; k < CYCLES; k++) {
            wait(1, SC_NS);
            edge.notify();
        }
        assert(display == 0);
    }
};

struct generator : stage {
    sc_out<unsigned> out1{"out1"}, out2{"out2"};

    using stage::stage;
    void run() override {
        out1.write(heddle::input<unsigned>("first"));
        out2.write(heddle::input<unsigned>("second"));
    }
};

struct doubler : stage {
    sc_in<unsigned> sum{"sum"}, diff{"diff"};
    sc_out<unsigned> same{"same"}, twice{"twice"};
    const addsub &before;

    doubler(sc_module_name name, const sc_event &edge, const addsub &b) : stage(name, edge), before(b) {}
    void run() override {
        same.write(sum.read());
#ifdef BUG
        twice.write((before.latest_sum + diff.read()) + (before.latest_sum - diff.read()));
#else
        twice.write((sum.read() + diff.read()) + (sum.read() - diff.read()));
#endif
    }
};

struct screen : stage {
    sc_in<unsigned> in{"in"};
    unsigned &display;

    screen(sc_module_name name, const sc_event &edge, unsigned &d) : stage(name, edge), display(d) {}
    void run() override { display = in.read(); }
};

struct subtractor : stage {
    sc_in<unsigned> same{"same"}, twice{"twice"};
    sc_out<unsigned> out{"out"};

    using stage::stage;
    void run() override { out.write(twice.read() - (same.read() + same.read())); }
};

int sc_main(int, char *[]) {
    sc_signal<unsigned> in1("in1"), in2("in2"), sum("sum"), diff("diff"), same("same"), twice("twice"),
        zero("zero");
    sc_event rising("rising");
    unsigned display = 0;
    addsub add("add", rising);
    ticker clock("clock", rising, display);
    generator generate("generate", rising);
    doubler duplicate("duplicate", rising, add);
    screen show("show", rising, display);
    subtractor subtract("subtract", rising);
    generate.out1(in1);
    generate.out2(in2);
    add.in1(in1);
    add.in2(in2);
    add.sum(sum);
    add.diff(diff);
    duplicate.sum(sum);
    duplicate.diff(diff);
    duplicate.same(same);
    duplicate.twice(twice);
    subtract.same(same);
    subtract.twice(twice);
    subtract.out(zero);
    show.in(zero);
    sc_start();
    return 0;
}
