// expect: safe
//
// Threads that one asynchronous reset starts again, some through a port and some by the signal
// itself, next to others that see its edge. What the simulator prints depends on who is in front.
#include <cassert>
#include <cstdio>
#include <systemc>

using namespace sc_core;

static int begun;

struct pump : sc_module {
    sc_in<bool> halt;
    sc_event never;
    void work() {
        std::printf("%s begins\n", name());
        begun++;
        wait(never);
    }
    SC_CTOR(pump) {
        SC_THREAD(work);
        async_reset_signal_is(halt, true);
    }
};

struct plant : sc_module {
    sc_signal<bool> halt{"halt"};
    pump first{"first"}, second{"second"};
    void notice() {
        wait(halt.value_changed_event());
        std::printf("noticed\n");
    }
    void heat() {
        std::printf("heat begins\n");
        begun++;
        wait(1, SC_US);
    }
    void alarm() { std::printf("alarm\n"); }
    void operate() {
        wait(10, SC_NS);
        halt.write(true);
        wait(1, SC_NS);
        assert(begun == 6);
        sc_stop();
    }
    SC_CTOR(plant) {
        first.halt(halt);
        second.halt(halt);
        SC_THREAD(notice);
        SC_THREAD(heat);
        async_reset_signal_is(halt, true);
        SC_METHOD(alarm);
        sensitive << halt;
        dont_initialize();
        SC_THREAD(operate);
    }
};

int sc_main(int, char **) {
    plant p("plant");
    sc_start();
    return 0;
}
