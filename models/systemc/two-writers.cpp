// expect: unsafe
// expect: safe -DMERGED
//
// An error flag is set by a parity check and by a time-out. Both write the same signal, which has one
// writer: simulators report an error as soon as the second one writes. It takes an arbitrary word with wrong
// parity to see it. With MERGED each has a signal of its own and a method combines them.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(monitor) {
#ifdef MERGED
    sc_signal<bool> parity_error{"parity_error"}, time_error{"time_error"}, error{"error"};
#else
    sc_signal<bool> error{"error"};
    sc_signal<bool> &parity_error = error, &time_error = error;
#endif
    sc_event received;
    unsigned word = 0;

    static bool has_odd_parity(unsigned w) {
        w ^= w >> 4;
        w ^= w >> 2;
        return (w ^ w >> 1) & 1;
    }
    void receive() {
        wait(3, SC_NS);
        word = heddle::input<unsigned char>("word");
        if (has_odd_parity(word)) parity_error.write(true);
        received.notify();
    }
    void time_out() {
        wait(10, SC_NS, received); // one word
        wait(10, SC_NS, received); // there is no second one
        time_error.write(true);
        wait(1, SC_NS);
        assert(error.read());
    }
    void combine() {
#ifdef MERGED
        error.write(parity_error.read() || time_error.read());
#endif
    }
    SC_CTOR(monitor) {
        SC_THREAD(receive);
        SC_THREAD(time_out);
        SC_METHOD(combine);
        sensitive << parity_error << time_error;
    }
};

int sc_main(int, char *[]) {
    monitor m("monitor");
    sc_start();
    return 0;
}
