// expect: safe
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=2
// expect: safe -DTO_THE_END
// expect: unsafe -DTO_THE_END -DBUG=2
//
// Main drives the simulation from one moment to the next at which something happens, as a co-simulation does:
// sc_time_to_pending_activity says when that is, and no time means one delta cycle. The simulation is over when
// nothing is pending. With TO_THE_END it asks for more time at once than there is to simulate, and time stays
// where the last thing happened. With BUG=1 main forgets the delta cycles at the times it comes to, with BUG=2 it
// expects the time that it asked for.

#include <cassert>
#include <iostream>
#include <systemc.h>

#ifndef BUG
#define BUG 0
#endif

SC_MODULE(sender) {
    sc_signal<int> value;
    sc_event done;
    int seen = 0;

    void send() {
        for (int k = 1; k <= 3; k++) {
            wait(k * 7, SC_NS);
            value.write(k);
        }
        done.notify(8, SC_NS);
    }
    void look() {
        std::cout << sc_time_stamp() << ": " << value.read() << std::endl;
        seen = 10 * seen + value.read();
    }
    SC_CTOR(sender) {
        SC_THREAD(send);
        SC_METHOD(look);
        sensitive << value;
        dont_initialize();
    }
};

int sc_main(int, char *[]) {
    sender s("s");
    assert(!sc_pending_activity());
    assert(sc_time_to_pending_activity() == sc_max_time());
    s.value.write(9);
    assert(sc_pending_activity_at_current_time() && !sc_pending_activity_at_future_time());
#ifdef TO_THE_END
    sc_start(20, SC_NS, SC_EXIT_ON_STARVATION);
    assert(sc_time_stamp() == sc_time(7, SC_NS));
    sc_start(SC_ZERO_TIME, SC_EXIT_ON_STARVATION);
    sc_start(1, SC_US, SC_EXIT_ON_STARVATION);
#else
    int cycles = 0;
    while (sc_pending_activity()) {
        sc_time next = sc_time_to_pending_activity();
        std::cout << "at " << sc_time_stamp() << ": " << next << std::endl;
        assert(sc_pending_activity_at_current_time() == (next == SC_ZERO_TIME));
#if BUG == 1
        if (next == SC_ZERO_TIME && cycles) break;
#endif
        sc_start(next);
        cycles++;
    }
    assert(BUG || cycles == 11);
#endif
    std::cout << "end at " << sc_time_stamp() << std::endl;
    assert(s.seen == 9123);
    assert(sc_time_stamp() == (BUG == 2 ? sc_time(1007, SC_NS) : sc_time(50, SC_NS)));
    return 0;
}
