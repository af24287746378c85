// expect: safe
// expect: unsafe -DBUG
// stimulus: time 11
//
// A link sends a frame again when no acknowledgement has come after 10 ns. The acknowledgement, which takes
// an arbitrary time of at most 12 ns, cancels the timer. The frame is sent again exactly if it came too
// late. With BUG the timer is not cancelled and a frame goes out that was acknowledged long ago.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(link) {
    sc_event timer, frame;
    int sent = 0;
    bool is_acknowledged = false;

    void transmit() {
        sent++;
        if (sent == 1) timer.notify(10, SC_NS);
        frame.notify(SC_ZERO_TIME);
    }
    void first() {
        wait(1, SC_NS);
        transmit();
    }
    void again() {
        transmit();
    }
    void peer() {
        wait(frame);
        unsigned time = heddle::input<unsigned char>("time");
        heddle::assume(time >= 1 && time <= 12 && time != 10);
        wait(time, SC_NS);
        is_acknowledged = true;
#ifndef BUG
        timer.cancel();
#endif
        wait(20, SC_NS);
        assert(sent == (time > 10 ? 2 : 1));
    }
    SC_CTOR(link) {
        SC_THREAD(first);
        SC_METHOD(again);
        dont_initialize();
        sensitive << timer;
        SC_THREAD(peer);
    }
};

int sc_main(int, char *[]) {
    link l("link");
    sc_start();
    assert(l.is_acknowledged);
    return 0;
}
