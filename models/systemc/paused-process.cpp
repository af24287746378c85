// expect: safe
// expect: safe --por none
// expect: safe --engine search --por dpor
// expect: unsafe -DLATE
//
// What a process misses while others keep it from running. If it is suspended it runs as soon as it is
// resumed, in the same evaluation phase, if something it waits for has come in between. If it is disabled,
// what comes in between is lost. With LATE the controller believes that a process that is resumed runs only
// in the next delta cycle.

#include <cassert>
#include <cstdio>
#include <systemc.h>

SC_MODULE(bench) {
    sc_event ping;
    sc_process_handle listener;
    int heard = 0, phase = 0;

    void listen() {
        for (;;) {
            wait(ping);
            heard++;
#ifdef LATE
            assert(phase != 1);
#else
            assert(phase != 2);
#endif
            printf("heard %d in phase %d\n", heard, phase);
        }
    }
    void control() {
        wait(1, SC_NS);
        phase = 1;
        listener.suspend();
        ping.notify();
        wait(SC_ZERO_TIME);
        assert(heard == 0);
        listener.resume();
        wait(SC_ZERO_TIME);
        phase = 2; // it ran when it was resumed
        assert(heard == 1);
        wait(1, SC_NS);
        phase = 3;
        ping.notify();
        listener.disable(); // it is ready to run and does so
        wait(1, SC_NS);
        assert(heard == 2);
        ping.notify();
        wait(1, SC_NS);
        listener.enable();
        wait(1, SC_NS);
        assert(heard == 2); // nobody remembers
        ping.notify();
        wait(1, SC_NS);
        assert(heard == 3);
        listener.sync_reset_on(); // begins again at each wait
        ping.notify();
        wait(1, SC_NS);
        assert(heard == 3);
        listener.sync_reset_off();
        ping.notify();
        wait(1, SC_NS);
        assert(heard == 4 && !listener.terminated());
    }
    SC_CTOR(bench) {
        SC_THREAD(listen);
        listener = sc_get_current_process_handle();
        SC_THREAD(control);
    }
};

int sc_main(int, char *[]) {
    bench b("bench");
    sc_start();
    return 0;
}
