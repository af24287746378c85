// expect: unsafe
// expect: safe -DSIGNAL
//
// Two processes wake at the same time. One writes a variable, the other reads it: which comes first is up to
// the simulator, and the designer has seen one order only. With SIGNAL the value passes through a signal and
// the reader always gets the old one.

#include <cassert>
#include <systemc.h>

SC_MODULE(race) {
#ifdef SIGNAL
    sc_signal<int> shared{"shared"};
#else
    int shared = 0;
#endif

    void write() {
        for (int k = 1; k <= 3; k++) {
            wait(10, SC_NS);
            shared = k;
        }
    }
    void read() {
        for (int k = 1; k <= 3; k++) {
            wait(10, SC_NS);
            int seen = shared;
            std::cout << sc_time_stamp() << ": " << seen << std::endl;
            assert(seen == k - 1);
        }
    }
    SC_CTOR(race) {
        SC_THREAD(read);
        SC_THREAD(write);
    }
};

int sc_main(int, char *[]) {
    race r("race");
    sc_start();
    return 0;
}
