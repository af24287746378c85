// expect: safe
// expect: unsafe -DBUG
//
// A watchdog resets a processor that was silent for 10 ns. The processor works up to 9 ns between two signs
// of life and hangs in an arbitrary round: until then it is never reset, afterwards it is, within the limit.
// With BUG a round may take 10 ns: whether the sign or the time-out comes first depends on the order.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

#ifdef BUG
enum { LONGEST = 10 };
#else
enum { LONGEST = 9 };
#endif

SC_MODULE(watchdog) {
    sc_event alive;
    bool has_bitten = false;

    void watch() {
        for (;;) {
            sc_time begun = sc_time_stamp();
            wait(10, SC_NS, alive);
            if (sc_time_stamp() - begun == sc_time(10, SC_NS)) {
                has_bitten = true;
                return;
            }
        }
    }
    SC_CTOR(watchdog) {
        SC_THREAD(watch);
    }
};

struct processor : sc_module {
    watchdog &dog;

    void work() {
        unsigned hangs = heddle::input<unsigned char>("hangs") % 4;
        for (unsigned round = 0; round < hangs; round++) {
            wait(round % 2 ? 2 : LONGEST, SC_NS);
            assert(!dog.has_bitten);
            dog.alive.notify();
        }
        wait(11, SC_NS);
        assert(dog.has_bitten);
    }
    SC_HAS_PROCESS(processor);
    processor(sc_module_name name, watchdog &d) : sc_module(name), dog(d) { SC_THREAD(work); }
};

int sc_main(int, char *[]) {
    watchdog dog("dog");
    processor cpu("cpu", dog);
    sc_start();
    return 0;
}
