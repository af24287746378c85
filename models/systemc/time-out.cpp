// expect: safe
// expect: unsafe -DBUG
// expect: unknown -DAT_ONCE
//
// timed_out, which IEEE 1666 has no more, says whether the last wait for an event ended because time was up; other
// waits for time are no time-outs. The answer of a device comes after any time. With BUG the client believes that it
// has an answer if it waits long enough for most of them. With AT_ONCE the answer may come exactly when time is up:
// then either may be true.

#include <cassert>
#include <iostream>
#include <systemc.h>

#include "heddle_stimulus.h"
// stimulus: delay 3

SC_MODULE(client) {
    sc_event asked, answer;
    unsigned delay = heddle::input<unsigned char>("delay");
    int late = 0, polls = 0;

    void ask() {
        asked.notify(SC_ZERO_TIME);
        wait(20, SC_NS, answer);
        std::cout << sc_time_stamp() << " " << timed_out() << std::endl;
        bool is_late = timed_out();
        assert(is_late == (delay > 20));
#ifdef BUG
        assert(!is_late);
#endif
        late = is_late;
        wait(5, SC_NS);
        assert(!timed_out());
        wait(1, SC_NS, answer & asked);
        assert(timed_out());
        wait(1, SC_NS, answer | asked);
        std::cout << timed_out() << std::endl;
    }
    void device() {
        next_trigger(asked);
        if (!polls++) return;
        answer.notify(delay, SC_NS);
        next_trigger(1000, SC_NS, asked);
        if (polls == 2) return;
        std::cout << "poll " << timed_out() << std::endl;
        assert(timed_out());
        next_trigger(asked);
    }
    SC_CTOR(client) {
        SC_THREAD(ask);
        SC_METHOD(device);
    }
};

int sc_main(int, char *[]) {
    sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", SC_DO_NOTHING);
    client c("c");
    heddle::assume(c.delay >= 1);
#ifndef AT_ONCE
    heddle::assume(c.delay != 20 && c.delay < 25);
#endif
    sc_start();
    return 0;
}
