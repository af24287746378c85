// expect: safe
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=2
// expect: unsafe -DBUG=3
//
// What sc_get_status says in every callback, in a process, in an update and in main. A process that has called
// sc_stop still runs; main finds the simulation paused between two calls of sc_start and stopped after the last.
// With BUG=1 a process believes that it is stopped at once, with BUG=2 main that nothing is different between two
// calls, with BUG=3 a callback starts the simulation itself.

#include <cassert>
#include <iostream>
#include <systemc.h>

#ifndef BUG
#define BUG 0
#endif

struct lamp : sc_prim_channel {
    int lit = 0;
    void light() { request_update(); }
    void update() override {
        assert(sc_get_status() == SC_RUNNING);
        lit++;
    }
    void before_end_of_elaboration() override { assert(sc_get_status() == SC_BEFORE_END_OF_ELABORATION); }
    void end_of_simulation() override { assert(sc_get_status() == SC_END_OF_SIMULATION); }
};

SC_MODULE(control) {
    lamp l;

    void run() {
        std::cout << "run: " << sc_get_status() << std::endl;
        l.light();
        wait(10, SC_NS);
        sc_stop();
        assert(sc_get_status() == (BUG == 1 ? SC_STOPPED : SC_RUNNING));
    }
    void before_end_of_elaboration() override {
        std::cout << "before_end_of_elaboration: " << sc_get_status() << std::endl;
    }
    void end_of_elaboration() override {
        std::cout << "end_of_elaboration: " << sc_get_status() << std::endl;
        assert(sc_get_status() == SC_END_OF_ELABORATION);
    }
    void start_of_simulation() override {
        std::cout << "start_of_simulation: " << sc_get_status() << std::endl;
        assert(sc_get_status() == SC_START_OF_SIMULATION);
#if BUG == 3
        sc_start(1, SC_NS);
#endif
    }
    void end_of_simulation() override {
        std::cout << "end_of_simulation: " << sc_get_status() << std::endl;
        assert(sc_get_status() == SC_END_OF_SIMULATION);
    }
    SC_CTOR(control) {
        assert(sc_get_status() == SC_ELABORATION);
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    std::cout << "main: " << sc_get_status() << std::endl;
    control c("c");
    sc_start(5, SC_NS);
    std::cout << "main: " << sc_get_status() << std::endl;
    assert(sc_get_status() == (BUG == 2 ? SC_RUNNING : SC_PAUSED));
    sc_start();
    std::cout << "main: " << sc_get_status() << std::endl;
    assert(sc_get_status() == SC_STOPPED && c.l.lit == 1);
    return 0;
}
