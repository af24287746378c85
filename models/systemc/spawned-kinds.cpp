// expect: safe
// expect: unsafe -DORDERED
//
// A process spawns a thread and then a method. Which of them runs first is open; simulators run methods first, and
// prints show it. With ORDERED the design relies on it.

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <cassert>
#include <systemc.h>

SC_MODULE(parent) {
    sc_event again;
    unsigned methods = 0, threads = 0;

    void thread() {
        std::cout << "thread at " << sc_time_stamp() << std::endl;
#ifdef ORDERED
        assert(methods > 0);
#endif
        threads++;
        wait(again);
        std::cout << "thread again" << std::endl;
        threads++;
    }
    void method() {
        std::cout << "method at " << sc_time_stamp() << std::endl;
        methods++;
    }
    void run() {
        sc_spawn_options as_method;
        as_method.spawn_method();
        as_method.set_sensitivity(&again);
        sc_spawn([this] { thread(); }, "thread");
        sc_spawn([this] { method(); }, "method", &as_method);
        wait(1, SC_NS);
        again.notify(SC_ZERO_TIME);
        wait(1, SC_NS);
        assert(methods == 2 && threads == 2);
    }
    SC_CTOR(parent) {
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    parent p("parent");
    sc_start();
    return 0;
}
