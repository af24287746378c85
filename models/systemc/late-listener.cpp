// expect: safe
// expect: unsafe -DINITIALISED
// expect: unsafe -DTWICE
// expect: unsafe -DTWICE --por none
//
// A process is spawned during the simulation and not initialised: it runs for the first time when the event to
// which it is sensitive is notified, also if that happens at once, before anybody else runs. A method runs again with
// each notification. With INITIALISED both run before they are asked to. With TWICE the event is notified twice in
// one delta cycle: as one or as two, depending on who runs in between.

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <cassert>
#include <iostream>
#include <systemc.h>

SC_MODULE(office) {
    sc_event call;
    int threads = 0, methods = 0;

    void open() {
        wait(1, SC_NS);
        sc_spawn_options as_thread, as_method;
        as_thread.set_sensitivity(&call);
        as_method.set_sensitivity(&call);
        as_method.spawn_method();
#ifndef INITIALISED
        as_thread.dont_initialize();
        as_method.dont_initialize();
#endif
        sc_process_handle t = sc_spawn([this] { threads++; }, "thread", &as_thread);
        sc_process_handle m = sc_spawn([this] { methods++; }, "method", &as_method);
        wait(1, SC_NS);
        assert(threads == 0 && methods == 0 && !t.terminated() && !m.terminated());
        call.notify();
        wait(SC_ZERO_TIME);
#ifndef TWICE
        assert(threads == 1 && methods == 1 && t.terminated());
#endif
        call.notify(1, SC_NS);
        wait(2, SC_NS);
        std::cout << threads << " " << methods << std::endl;
#ifdef TWICE
        assert(methods == 2);
#else
        assert(threads == 1 && methods == 2);
#endif

        sc_process_handle u = sc_spawn([this] { threads++; }, "at once", &as_thread);
        call.notify();
        wait(SC_ZERO_TIME);
        std::cout << threads << " " << methods << std::endl;
#ifndef TWICE
        assert(threads == 2 && methods == 3 && u.terminated());
#endif
    }
    void knock() {
#ifdef TWICE
        wait(2, SC_NS);
        call.notify();
#endif
    }
    SC_CTOR(office) {
        SC_THREAD(open);
        SC_THREAD(knock);
    }
};

int sc_main(int, char *[]) {
    office o("o");
    sc_start();
    return 0;
}
