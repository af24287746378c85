// expect: safe
// expect: unsafe -DBUG
//
// A barrier for two stages: the next step begins when both are done (and-list), or when the run is aborted
// (or-list), whichever comes first. The stages end at the same time, in any order. With BUG the barrier
// waits for one after the other: if the second is done first, or in the same moment, its event is missed.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(steps) {
    sc_event left_done, right_done, abort;
    int left = 0, right = 0, passed = 0;
    bool is_aborted = false;

    void left_stage() {
        wait(5, SC_NS);
        left++;
        left_done.notify();
    }
    void right_stage() {
        wait(heddle::input<bool>("early") ? 4 : 5, SC_NS);
        right++;
        right_done.notify();
    }
    void barrier() {
#ifdef BUG
        wait(left_done);
        wait(right_done);
#else
        wait(left_done & right_done);
#endif
        assert(left == 1 && right == 1);
        passed++;
    }
    void supervisor() {
        wait(20, SC_NS, left_done | abort);
        is_aborted = !left;
        wait(20, SC_NS);
        assert(!is_aborted && passed == 1);
    }
    SC_CTOR(steps) {
        SC_THREAD(left_stage);
        SC_THREAD(right_stage);
        SC_THREAD(barrier);
        SC_THREAD(supervisor);
    }
};

int sc_main(int, char *[]) {
    steps s("steps");
    sc_start();
    return 0;
}
