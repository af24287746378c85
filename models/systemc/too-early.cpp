// expect: unsafe
// expect: safe -DLATER
//
// The constructor of a stage calls a function that only stages of a certain kind have: a pure virtual call, which
// ends a simulator. With LATER it is called when the design is complete.

#include <cassert>
#include <systemc.h>

struct stage : sc_module {
    int width = 0;

    explicit stage(sc_module_name) {
#ifndef LATER
        set_up();
#endif
    }
    void end_of_elaboration() override { set_up(); }
    void set_up() { width = lines(1, true); }
    virtual int lines(int factor, bool) const = 0;
};

struct adder : stage {
    explicit adder(sc_module_name name) : stage(name) {}
    int lines(int factor, bool) const override { return 8 * factor; }
};

int sc_main(int, char *[]) {
    adder a("a");
    sc_start();
    assert(a.width == 8);
    return 0;
}
