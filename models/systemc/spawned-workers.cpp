// expect: safe
// expect: unsafe -DBUG
//
// A dispatcher spawns a process for each of three jobs and waits until all have ended; each takes its time
// and adds its result. With BUG it waits for the first one only and takes an incomplete sum.

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(dispatcher) {
    unsigned sum = 0;
    int ended = 0;

    void work(unsigned number, int time) {
        wait(time, SC_NS);
        sum += number;
        ended++;
    }
    void run() {
        unsigned a = heddle::input<unsigned>("a"), b = heddle::input<unsigned>("b"),
                 c = heddle::input<unsigned>("c");
        wait(1, SC_NS);
        sc_process_handle first = sc_spawn([this, a] { work(a, 2); });
        sc_process_handle second = sc_spawn([this, b] { work(b, 1); });
        sc_process_handle third = sc_spawn([this, c] { work(c, 2); });
#ifdef BUG
        wait(first.terminated_event());
#else
        wait(first.terminated_event() & second.terminated_event() & third.terminated_event());
#endif
        assert(ended == 3 && sum == a + b + c);
    }
    SC_CTOR(dispatcher) {
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    dispatcher d("dispatcher");
    sc_start();
    return 0;
}
