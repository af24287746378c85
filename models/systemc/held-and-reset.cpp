// expect: safe
// expect: unsafe -DBUG
// expect: unknown -DSUSPENDED
// expect: unknown -DDISABLED
//
// A pump is switched off by another process for a while, and begins anew when its line is reset. What a reset
// does to a process that is suspended, and an asynchronous one to a process that is disabled, is not
// modelled. With BUG the reset is expected to be lost.

#include <cassert>
#include <systemc.h>

SC_MODULE(station) {
    sc_signal<bool> line;
    sc_event turn;
    sc_process_handle pumping;
    int begun = 0, turns = 0;

    void pump() {
        begun++;
        for (;;) {
            wait(turn);
            turns++;
        }
    }
    void operate() {
        wait(1, SC_NS);
#ifdef SUSPENDED
        pumping.suspend();
#elif defined(DISABLED)
        pumping.disable();
#endif
        turn.notify();
        wait(1, SC_NS);
        line = true;
        wait(1, SC_NS);
#ifdef BUG
        assert(begun == 1);
#else
        assert(begun == 2 && turns == 1);
#endif
    }
    SC_CTOR(station) {
        SC_THREAD(pump);
        pumping = sc_get_current_process_handle();
        async_reset_signal_is(line, true);
        SC_THREAD(operate);
    }
};

int sc_main(int, char **) {
    station s("station");
    sc_start();
    return 0;
}
